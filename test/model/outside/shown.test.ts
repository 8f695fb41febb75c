/** What somebody changes in the base while the view is in use is shown by every name, and nobody writes over it. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test, { type TestContext } from 'node:test';
import { LiveView } from '../../../src/daemon/live-view.ts';
import { ConflictError } from '../../../src/history/conflict/conflict.ts';
import { layoutOf } from '../../../src/history/layout.ts';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { ENODATA, ESTALE } from '../../../src/sys/errno.ts';
import { removeTree } from '../history/image.ts';
import { CALLER, FakeKernel } from '../history/kernel.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };
const WISHES = { ours: [], theirs: [], merge: false };

/** A session over these files, and a kernel that believes what it was told. */
class Used {
  readonly #root = fs.mkdtempSync('/var/tmp/yolofs-outside-');
  readonly project = `${this.#root}/project`;
  readonly live: LiveView;
  readonly kernel: FakeKernel;

  constructor(t: TestContext, files: Readonly<Record<string, string>>, links: readonly [string, string][] = []) {
    fs.mkdirSync(this.project);
    for (const [path, text] of Object.entries(files)) this.put(path, text);
    for (const [from, to] of links) fs.linkSync(`${this.project}/${from}`, `${this.project}/${to}`);
    const layout = layoutOf(this.project);
    fs.mkdirSync(layout.dir);
    this.live = new LiveView({ layout, owner: OWNER, durable: false, maxFiles: 16, rules: [] });
    this.kernel = new FakeKernel(this.live.overlay, this.project);
    t.after(async () => {
      await this.live.close();
      removeTree(this.#root);
    });
  }

  put(path: string, text: string): void {
    const at = `${this.project}/${path}`;
    fs.mkdirSync(at.slice(0, at.lastIndexOf('/')), { recursive: true });
    fs.writeFileSync(at, text);
  }

  /** Does something on the host; the kernel hears what the watch makes of it. */
  outside(act: (project: string) => void): void {
    act(this.project);
    this.kernel.forget(this.live.drainWatch());
  }

  /** What the view has at these paths; undefined: nothing. */
  see(...paths: string[]): (string | undefined)[] {
    return paths.map((path) => {
      const node = this.kernel.find(path);
      return node === 0 ? undefined : this.kernel.read(node);
    });
  }

  has(...paths: string[]): string[] {
    return paths.map((path) => fs.readFileSync(`${this.project}/${path}`, 'latin1'));
  }

  /** Writes at the end that the kernel knows. */
  append(path: string, text: string): void {
    const node = this.kernel.node(path);
    this.kernel.write(node, this.kernel.stat(node).size, text);
  }

  make(path: string, text: string): void {
    const node = { mode: 0o100644, rdev: 0, umask: 0 };
    const made = this.kernel.make(path, ({ dir, name }) => this.live.overlay.mknod(dir, name, node, CALLER));
    this.kernel.write(made, 0, text);
  }

  makeDirectory(path: string): void {
    const node = { mode: 0o755, rdev: 0, umask: 0 };
    this.kernel.make(path, ({ dir, name }) => this.live.overlay.mkdir(dir, name, node, CALLER));
  }

  commit(...paths: string[]): Promise<void> {
    return this.commitWhile(() => undefined, ...paths);
  }

  /** `act` is done outside when everything is in its place, and not watched there yet. */
  async commitWhile(act: (project: string) => void, ...paths: string[]): Promise<void> {
    const ask = { paths: paths.map((path) => `${this.project}/${path}` as BytePath), wishes: WISHES };
    const { invalidations } = await this.live.commit(ask, ({ what }) => what === 'done' && act(this.project));
    this.kernel.forget([...invalidations, ...this.live.drainWatch()]);
    for (let late = this.live.overlay.lookLate(); late !== undefined; late = this.live.overlay.lookLate())
      this.kernel.forget(late);
  }
}

test('a directory that is moved away outside, and made anew, is the new one (its subdirectories were the old ones)', (t) => {
  const used = new Used(t, { 'a/sub/x': 'old', 'a/sub/gone': 'old' });
  assert.deepEqual(used.see('a/sub/x', 'a/sub/gone', 'a/sub/new'), ['old', 'old', undefined]);
  used.outside((dir) => {
    fs.renameSync(`${dir}/a`, `${dir}/b`);
    used.put('a/sub/x', 'made anew');
    used.put('a/sub/new', 'new');
  });
  const all = ['a/sub/x', 'a/sub/gone', 'a/sub/new', 'b/sub/x'];
  assert.deepEqual(used.see(...all), ['made anew', undefined, 'new', 'old']);
  used.outside((dir) => {
    fs.writeFileSync(`${dir}/a/sub/x`, 'again');
    fs.writeFileSync(`${dir}/b/sub/x`, 'moved');
  });
  assert.deepEqual(used.see(...all), ['again', undefined, 'new', 'moved']);
});

test('a directory that is removed outside, and made anew, is the new one (it was found empty, or not at all)', (t) => {
  const used = new Used(t, { 'a/sub/x': 'old', 'a/y': 'old' });
  assert.deepEqual(used.see('a/sub/x', 'a/y', 'a/new'), ['old', 'old', undefined]);
  for (const text of ['new', 'newer still']) {
    used.outside((dir) => {
      fs.rmSync(`${dir}/a`, { recursive: true });
      used.put('a/sub/x', text);
      used.put('a/new', text);
    });
    assert.deepEqual(used.see('a/sub/x', 'a/y', 'a/new'), [text, undefined, text]);
  }
  used.outside((dir) => fs.appendFileSync(`${dir}/a/sub/x`, ', changed'));
  assert.deepEqual(used.see('a/sub/x'), ['newer still, changed']);
});

test('what is done outside in a new directory before its commit is through is shown (nobody was told of it)', async (t) => {
  const used = new Used(t, { 'old/f': 'moves', 'old/sub/f': 'moves' });
  const all = ['n/edited', 'n/kept', 'n/gone', 'n/added', 'n/sub/f', 'old/f', 'moved/f', 'moved/sub/f'];
  used.makeDirectory('n');
  used.makeDirectory('n/sub');
  for (const name of ['n/edited', 'n/kept', 'n/gone', 'n/sub/f']) used.make(name, 'staged');
  used.kernel.rename('old', 'moved', 0);
  assert.deepEqual(used.see(...all), [
    ...['staged', 'staged', 'staged', undefined, 'staged'],
    undefined,
    'moves',
    'moves',
  ]);
  const kept = used.kernel.node('n/kept');
  await used.commitWhile((dir) => {
    fs.writeFileSync(`${dir}/n/edited`, 'edited outside');
    fs.writeFileSync(`${dir}/n/added`, 'added outside');
    fs.writeFileSync(`${dir}/n/sub/f`, 'edited below');
    fs.writeFileSync(`${dir}/moved/sub/f`, 'edited, too');
    fs.rmSync(`${dir}/n/gone`);
  });
  const expected = [
    'edited outside',
    'staged',
    undefined,
    'added outside',
    'edited below',
    undefined,
    'moves',
    'edited, too',
  ];
  assert.deepEqual(used.see(...all), expected);
  assert.equal(used.kernel.node('n/kept'), kept, 'what nobody touched is the node that it was');
});

test('a name that is replaced outside leaves the file its others (they showed the new one, and writes were lost)', async (t) => {
  const used = new Used(t, { 'd/f': 'first', 'e/o': '' }, [
    ['d/f', 'd/l'],
    ['d/f', 'e/m'],
  ]);
  assert.deepEqual(used.see('d/f', 'd/l', 'e/m'), ['first', 'first', 'first']);
  used.outside((dir) => {
    used.put('d/.new', 'replaced outside');
    fs.renameSync(`${dir}/d/.new`, `${dir}/d/f`);
  });
  used.append('d/l', ' and more');
  assert.deepEqual(used.see('d/f', 'd/l', 'e/m'), ['replaced outside', 'first and more', 'first and more']);
  await used.commit();
  assert.deepEqual(used.has('d/f', 'd/l', 'e/m'), ['replaced outside', 'first and more', 'first and more']);
});

test('a file with several names that is written to outside is that by all of them (a commit wrote over it)', async (t) => {
  const used = new Used(t, { 'd/f': 'first', 'e/o': '' }, [
    ['d/f', 'd/l'],
    ['d/f', 'e/m'],
  ]);
  used.see('d/f', 'd/l', 'e/m');
  used.outside((dir) => fs.appendFileSync(`${dir}/d/f`, ' outside'));
  used.append('e/m', ' inside');
  const both = 'first outside inside';
  assert.deepEqual(used.see('d/f', 'd/l', 'e/m'), [both, both, both]);
  await used.commit();
  assert.deepEqual(used.has('d/f', 'd/l', 'e/m'), [both, both, both]);
});

for (const part of [[], ['b', 'new']]) {
  const what = part.length === 0 ? 'a commit' : 'a commit of paths';
  test(`what ${what} has made or moved shows what is changed in it outside (for a day it did not)`, async (t) => {
    const used = new Used(t, { 'a/sub/x': 'x', 'a/y': 'y' });
    used.see('a/sub/x', 'a/y');
    used.kernel.rename('a', 'b', 0);
    used.makeDirectory('new');
    used.make('new/f', 'f');
    used.make('other', 'o');
    const all = ['b/sub/x', 'b/y', 'new/f', 'new/none'];
    assert.deepEqual(used.see(...all), ['x', 'y', 'f', undefined]);
    await used.commit(...part);
    assert.deepEqual(used.see(...all), ['x', 'y', 'f', undefined]);
    used.outside(() => {
      for (const path of all) used.put(path, `${path}, changed`);
    });
    assert.deepEqual(
      used.see(...all),
      all.map((path) => `${path}, changed`),
    );
    used.append('new/f', ', twice');
    await used.commit();
    assert.deepEqual(used.has('new/f'), ['new/f, changed, twice']);
  });
}

test('what an undo has moved back shows what is changed in it outside', async (t) => {
  const used = new Used(t, { 'a/sub/x': 'x', 'a/y': 'y' });
  used.see('a/sub/x', 'a/y');
  used.kernel.rename('a', 'b', 0);
  await used.commit();
  assert.deepEqual(used.see('b/sub/x', 'b/y'), ['x', 'y']);
  const { invalidations } = await used.live.undo(() => undefined);
  used.kernel.forget([...invalidations, ...used.live.drainWatch()]);
  assert.deepEqual(used.see('b/sub/x', 'b/y'), ['x', 'y']);
  used.outside(() => {
    used.put('a/sub/x', 'changed');
    used.put('a/y', 'changed, too');
  });
  assert.deepEqual(used.see('b/sub/x', 'b/y'), ['changed', 'changed, too']);
});

test('D1: what is written over content that was changed outside is refused, and nothing of it shows (it was mixed, and committed)', async (t) => {
  const used = new Used(t, { log: 'start', equal: 'aaaa', by: 'one' }, [['by', 'other']]);
  const held = ['log', 'equal', 'other'].map((path) => used.kernel.node(path));
  // Nobody has heard of it when the kernel writes back.
  fs.appendFileSync(`${used.project}/log`, ', outside');
  fs.writeFileSync(`${used.project}/equal`, 'bbbb');
  fs.appendFileSync(`${used.project}/by`, ', two');
  for (const node of held) assert.equal(used.live.overlay.write(node, 2, Buffer.from('X'), CALLER), -ESTALE);
  used.kernel.forget(used.live.overlay.returns.take());
  assert.deepEqual(used.see('log', 'equal', 'by', 'other'), ['start, outside', 'bbbb', 'one, two', 'one, two']);
  used.append('log', ', inside');
  await used.commit();
  assert.deepEqual(used.has('log', 'equal', 'other'), ['start, outside, inside', 'bbbb', 'one, two']);
});

test('D1: an edit outside whose time was set back is noticed by its event', (t) => {
  const used = new Used(t, { f: 'aaaa' });
  const { atime, mtime } = fs.statSync(`${used.project}/f`);
  const held = used.kernel.node('f');
  fs.writeFileSync(`${used.project}/f`, 'bbbb');
  fs.utimesSync(`${used.project}/f`, atime, mtime);
  assert.equal(used.live.overlay.write(held, 0, Buffer.from('X'), CALLER), -ESTALE);
  assert.deepEqual(used.see('f'), ['bbbb']);
});

test('D1: who has a file open that is replaced or removed outside goes on with it, and that is a conflict', async (t) => {
  const used = new Used(t, { replaced: 'first', removed: 'first', emptied: 'first' });
  const nodes = ['replaced', 'removed', 'emptied'].map((path) => used.kernel.node(path));
  // Somebody reads them, so they are open.
  used.see('replaced', 'removed', 'emptied');
  fs.writeFileSync(`${used.project}/.new`, 'another, and longer');
  fs.renameSync(`${used.project}/.new`, `${used.project}/replaced`);
  fs.unlinkSync(`${used.project}/removed`);
  fs.writeFileSync(`${used.project}/emptied`, 'edited outside');
  const [replaced = 0 as NodeId, removed = 0 as NodeId, emptied = 0 as NodeId] = nodes;
  for (const node of [replaced, removed]) used.kernel.write(node, 5, ', inside');
  // Of what is thrown away nothing has to be there.
  used.kernel.setattr(emptied, { size: 0 });
  used.kernel.write(emptied, 0, 'inside');
  const all = ['replaced', 'removed', 'emptied'];
  assert.deepEqual(used.see(...all), ['first, inside', 'first, inside', 'inside']);
  const named = (error: unknown): boolean =>
    error instanceof ConflictError &&
    error.conflicts.map(({ path }) => path.slice(used.project.length + 1)).join() === 'emptied,removed,replaced';
  await assert.rejects(used.commit(), named);
  assert.deepEqual(used.has('replaced', 'emptied'), ['another, and longer', 'edited outside']);
});

test('D1: a file that has lost its place outside is what it was for whoever has it open, and nothing else', (t) => {
  const used = new Used(t, { open: 'first', closed: 'first' });
  const [open, closed] = [used.kernel.node('open'), used.kernel.node('closed')];
  used.see('open');
  used.outside((dir) => {
    for (const name of ['open', 'closed']) {
      fs.writeFileSync(`${dir}/.new`, 'second');
      fs.renameSync(`${dir}/.new`, `${dir}/${name}`);
    }
  });
  assert.deepEqual(used.see('open', 'closed'), ['second', 'second']);
  const into = Buffer.alloc(6);
  assert.equal(used.live.overlay.read(open, 0, into), 5);
  assert.equal(into.toString('latin1', 0, 5), 'first');
  // Nobody had it open for us: it is gone, and the other one is not shown for it.
  assert.equal(used.live.overlay.read(closed, 0, into), -ESTALE);
});

test('a file with staged attributes, or moved, shows what is written to it outside (the old content, until asked again)', async (t) => {
  const used = new Used(t, { 'a/x': 'x', 'a/y': 'y', 'b/z': 'z' });
  assert.deepEqual(used.see('a/x', 'a/y', 'b/z'), ['x', 'y', 'z']);
  used.kernel.setattr(used.kernel.node('a/x'), { mode: 0o600 });
  used.kernel.rename('a/y', 'b/y', 0);
  assert.deepEqual(used.see('a/x', 'b/y'), ['x', 'y']);
  fs.writeFileSync(`${used.project}/a/x`, 'x, written to');
  used.put('a/.new', 'y, replaced');
  fs.renameSync(`${used.project}/a/.new`, `${used.project}/a/y`);
  used.kernel.forgetUnused(used.live.drainWatch());
  assert.deepEqual(used.see('a/x', 'b/y', 'a/y'), ['x, written to', 'y, replaced', undefined]);
  await assert.rejects(used.commit(), ConflictError);
});

test('a staged file whose original is removed outside takes extended attributes (it was not found)', (t) => {
  const used = new Used(t, { 'a/x': 'x' });
  used.append('a/x', ', staged');
  used.outside((dir) => fs.unlinkSync(`${dir}/a/x`));
  const node = used.kernel.node('a/x');
  assert.equal(used.live.overlay.getxattr(node, 'user.a', CALLER), ENODATA);
  assert.equal(used.live.overlay.setxattr(node, 'user.a', Buffer.from('value'), 0, CALLER), 0);
  assert.deepEqual(used.live.overlay.getxattr(node, 'user.a', CALLER), Buffer.from('value'));
  assert.deepEqual(used.see('a/x'), ['x, staged']);
});
