import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import type { Inode } from '../../src/staging/inode.ts';
import type { BytePath, Gen, Name, NodeId } from '../../src/sys/bytes.ts';
import { ENOSPC, type Errno, OK } from '../../src/sys/errno.ts';
import { openView, type TestView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

interface Case {
  readonly view: TestView;
  readonly driver: ViewDriver;
  at(relative: string): BytePath;
  text(relative: string): string;
}

function withView(run: (c: Case) => void): void {
  const view = openView();
  try {
    fs.mkdirSync(`${view.dir}/sub`, { recursive: true });
    fs.writeFileSync(`${view.dir}/file`, 'base');
    fs.writeFileSync(`${view.dir}/sub/inner`, 'inner');
    const driver = new ViewDriver(view.overlay);
    const at = (relative: string): BytePath => `${view.dir}/${relative}` as BytePath;
    const text = (relative: string): string => driver.image(view.dir).get(relative)?.content ?? '(absent)';
    run({ view, driver, at, text });
  } finally {
    view.close();
  }
}

/** Delivers what the watch saw, as the FUSE thread does between requests. */
function drain(view: TestView): void {
  view.watch.drain({
    changed(dir, name, what) {
      view.overlay.outside.changed({ dir, name }, what);
      if (name === undefined) view.base.unwatched(dir);
    },
    overflow() {
      view.overlay.outside.overflow();
    },
  });
}

test('write() copies content of an older generation first and never touches the old object', () => {
  withView(({ view, driver, at }) => {
    driver.write(at('file'), 0, 'one!');
    const first = view.recorder.records.at(-1)?.mutation;
    assert.ok(first?.tag === 'S' && first.how === 'content');
    view.recorder.generation = 2 as Gen;
    driver.write(at('file'), 0, 'two!');
    const second = view.recorder.records.at(-1)?.mutation;
    assert.ok(second?.tag === 'S' && second.how === 'content');
    assert.deepEqual(second.pre, { kind: 'object', object: first.object, path: at('file') });
    assert.equal(fs.readFileSync(`/proc/self/fd/${view.store.dirfd}/0/${first.object}`, 'latin1'), 'one!');
    assert.equal(fs.readFileSync(`/proc/self/fd/${view.store.dirfd}/0/${second.object}`, 'latin1'), 'two!');
    assert.equal(fs.readFileSync(`${view.dir}/file`, 'latin1'), 'base');
  });
});

test('write() twice in a generation uses one object and one record', () => {
  withView(({ view, driver, at, text }) => {
    driver.write(at('file'), 0, 'one!');
    const count = view.recorder.records.length;
    driver.write(at('file'), 4, 'more');
    assert.equal(view.recorder.records.length, count);
    assert.equal(text('file'), 'one!more');
  });
});

test('mutations that cannot be recorded fail with the reason and leave the view as it was', () => {
  withView(({ view, driver, at }) => {
    const before = [...driver.image(view.dir)];
    view.recorder.fail = ENOSPC;
    assert.equal(driver.create(at('new'), 0o644), ENOSPC);
    assert.equal(driver.mkdir(at('newdir'), 0o755), ENOSPC);
    assert.equal(driver.write(at('file'), 0, 'x'), ENOSPC);
    assert.equal(driver.rename(at('file'), at('other')), ENOSPC);
    assert.equal(driver.unlink(at('file')), ENOSPC);
    assert.equal(driver.chmod(at('file'), 0o600), ENOSPC);
    assert.equal(driver.symlink('t', at('l')), ENOSPC);
    assert.equal(driver.link(at('file'), at('l')), ENOSPC);
    assert.equal(driver.rmdir(at('sub')), 39);
    view.recorder.fail = OK;
    assert.deepEqual([...driver.image(view.dir)], before);
    assert.deepEqual(fs.readdirSync(`/proc/self/fd/${view.store.dirfd}/0`), [], 'no object is left behind');
  });
});

test('lookup() gives a base file that changed outside a new node id, at once when watched', () => {
  withView(({ view, driver, at, text }) => {
    const old = driver.resolve(at('file'));
    assert.equal(driver.resolve(at('file')), old);
    fs.writeFileSync(`${view.dir}/file`, 'changed outside');
    drain(view);
    assert.notEqual(driver.resolve(at('file')), old);
    assert.equal(text('file'), 'changed outside');
  });
});

test('readdir() shows outside creations and deletions', () => {
  withView(({ view, driver }) => {
    assert.deepEqual(driver.list(view.dir), ['file', 'sub']);
    fs.writeFileSync(`${view.dir}/outside`, '');
    fs.unlinkSync(`${view.dir}/file`);
    drain(view);
    assert.deepEqual(driver.list(view.dir), ['outside', 'sub']);
  });
});

test('an overridden name keeps what overrides it when the base changes', () => {
  withView(({ view, driver, at, text }) => {
    driver.write(at('file'), 0, 'mine');
    driver.unlink(at('sub/inner'));
    fs.writeFileSync(`${view.dir}/file`, 'theirs');
    fs.writeFileSync(`${view.dir}/sub/inner`, 'theirs');
    drain(view);
    assert.equal(text('file'), 'mine');
    assert.equal(text('sub/inner'), '(absent)');
  });
});

test('stat() keeps the inode number across copy-up and rename', () => {
  withView(({ view, driver, at }) => {
    const inoOf = (path: BytePath): number => {
      const attr = view.overlay.getattr(driver.resolve(path) as NodeId);
      return typeof attr === 'number' ? -attr : attr.stat.ino;
    };
    const base = fs.statSync(`${view.dir}/file`).ino;
    assert.equal(inoOf(at('file')), base);
    driver.write(at('file'), 0, 'x');
    driver.rename(at('file'), at('sub/moved'));
    assert.equal(inoOf(at('sub/moved')), base);
  });
});

test('discard() brings every base name back and reports what the kernel must forget', () => {
  withView(({ view, driver, at }) => {
    driver.write(at('file'), 0, 'x');
    driver.unlink(at('sub/inner'));
    driver.mkdir(at('born'), 0o755);
    driver.rename(at('sub'), at('born/sub'));
    const dir = driver.resolve(view.dir);
    const names = view.overlay.treeSwitch
      .discard()
      .invalidations.flatMap((i) => (i.kind === 'entry' && i.parent === dir ? [i.name] : []))
      .sort();
    assert.deepEqual(names, ['born', 'file', 'sub']);
    const image = driver.image(view.dir);
    assert.deepEqual([...image.keys()].sort(), ['file', 'sub', 'sub/inner']);
    assert.equal(image.get('file')?.content, 'base');
    assert.equal(driver.write(at('file'), 0, 'again'), 0);
  });
});

test('discard() leaves a process that has a staged file open with its content', () => {
  withView(({ view, driver, at }) => {
    driver.create(at('new'), 0o644);
    driver.write(at('new'), 0, 'mine');
    const node = driver.resolve(at('new')) as NodeId;
    view.overlay.treeSwitch.discard();
    const buffer = Buffer.alloc(10);
    assert.equal(view.overlay.read(node, 0, buffer), 4);
    assert.equal(buffer.toString('latin1', 0, 4), 'mine');
    assert.equal(driver.resolve(at('new')), -2);
  });
});

test('rebase() keeps node ids and content, and later writes are staged again', () => {
  withView(({ view, driver, at, text }) => {
    driver.write(at('file'), 0, 'BASE');
    driver.create(at('sub/new'), 0o644);
    driver.write(at('sub/new'), 0, 'new');
    driver.rename(at('sub'), at('dir'));
    const nodes = ['file', 'dir', 'dir/new', 'dir/inner'].map((p) => driver.resolve(at(p)));
    view.overlay.treeSwitch.holdUnnamed();
    // What a commit does to the base.
    fs.writeFileSync(`${view.dir}/file`, 'BASE');
    fs.renameSync(`${view.dir}/sub`, `${view.dir}/dir`);
    fs.writeFileSync(`${view.dir}/dir/new`, 'new');
    view.overlay.treeSwitch.rebase();
    drain(view);
    assert.deepEqual(
      ['file', 'dir', 'dir/new', 'dir/inner'].map((p) => driver.resolve(at(p))),
      nodes,
    );
    assert.equal(text('dir/inner'), 'inner');
    driver.write(at('dir/new'), 0, 'NEW');
    assert.equal(fs.readFileSync(`${view.dir}/dir/new`, 'latin1'), 'new');
    assert.equal(text('dir/new'), 'NEW');
  });
});

test('forget() of the last reference removes the content of a deleted file, and only then', () => {
  withView(({ view, driver, at }) => {
    driver.create(at('new'), 0o644);
    driver.write(at('new'), 0, 'mine');
    const node = driver.resolve(at('new')) as NodeId;
    driver.unlink(at('new'));
    const buffer = Buffer.alloc(4);
    assert.equal(view.overlay.read(node, 0, buffer), 4);
    view.overlay.forget(node, 1000);
    assert.deepEqual(fs.readdirSync(`/proc/self/fd/${view.store.dirfd}/0`), []);
    assert.equal(view.overlay.read(node, 0, buffer), -116);
  });
});

test('a symlink swapped in for a base directory is not followed', () => {
  withView(({ view, driver, at }) => {
    const nodeId = driver.resolve(at('sub'));
    fs.renameSync(`${view.dir}/sub`, `${view.dir}/away`);
    fs.symlinkSync('/etc', `${view.dir}/sub`);
    view.base.unwatched(at('sub'));
    const entry = view.overlay.lookup(nodeId as NodeId, 'passwd' as Name);
    assert.ok(typeof entry === 'number' || entry.nodeId === 0);
  });
});

test('link() of an O_TMPFILE inode gives it a name with its content', () => {
  withView(({ view, driver, at, text }) => {
    const caller = { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket };
    const dir = driver.resolve(view.dir) as NodeId;
    const entry = view.overlay.tmpfile(dir, { mode: 0o600, rdev: 0, umask: 0 }, caller);
    assert.ok(typeof entry !== 'number');
    view.overlay.write(entry.nodeId, 0, Buffer.from('tmp'), caller);
    const linked = view.overlay.link(entry.nodeId, dir, 'named' as Name, caller);
    assert.ok(typeof linked !== 'number');
    assert.equal(linked.stat.nlink, 1);
    assert.equal(text('named'), 'tmp');
    view.overlay.forget(entry.nodeId, 1000);
    assert.equal(driver.write(at('named'), 3, '!'), 0);
    assert.equal(text('named'), 'tmp!');
  });
});

test('readdir() neither repeats nor omits names while others come and go', () => {
  withView(({ view, driver, at }) => {
    for (let i = 0; i < 40; i++) fs.writeFileSync(`${view.dir}/b${i}`, '');
    for (let i = 0; i < 40; i++) driver.create(at(`s${i}`), 0o644);
    const node = driver.resolve(view.dir) as NodeId;
    const seen: string[] = [];
    let cookie = 0;
    for (let round = 0; ; round++) {
      let room = 5;
      const before = cookie;
      view.overlay.readdir(
        node,
        cookie,
        {
          fits: () => room > 0,
          add(name, _ino, _type, next) {
            room -= 1;
            seen.push(name);
            cookie = next;
          },
        },
        false,
      );
      if (cookie === before) break;
      driver.unlink(at(`b${round}`));
      if (round < 8) driver.create(at(`late${round}`), 0o644);
    }
    assert.equal(new Set(seen).size, seen.length, 'no name twice');
    for (let i = 0; i < 40; i++) assert.ok(seen.includes(`s${i}`), `s${i}`);
    for (let i = 30; i < 40; i++) assert.ok(seen.includes(`b${i}`), `b${i}`);
  });
});

test('errors of the store reach the caller', () => {
  withView(({ view, driver, at }) => {
    const create = view.store.create.bind(view.store);
    Object.assign(view.store, { create: () => -(ENOSPC as Errno) });
    assert.equal(driver.create(at('new'), 0o644), ENOSPC);
    assert.equal(driver.write(at('file'), 0, 'x'), ENOSPC);
    Object.assign(view.store, { create });
    assert.equal(driver.create(at('new'), 0o644), 0);
  });
});

test('the tree keeps no trace of files that were only looked at', () => {
  withView(({ view, driver, at }) => {
    driver.image(view.dir);
    for (const p of ['file', 'sub/inner', 'sub']) view.overlay.forget(driver.resolve(at(p)) as NodeId, 1000);
    const walk = (inode: Inode): number =>
      [...(inode.children?.values() ?? [])].reduce((n, child) => n + (child === null ? 1 : 1 + walk(child)), 0);
    assert.ok(walk(view.tree.root) <= view.dir.split('/').length - 1);
    assert.equal(view.recorder.records.length, 0);
  });
});
