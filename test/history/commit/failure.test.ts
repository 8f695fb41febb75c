/** Commits that cannot be: refused before anything is changed, or taken back as a whole. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { describeConflict } from '../../../src/history/commit/conflict/conflict.ts';
import { Directory, type Step } from '../../../src/history/commit/plan/steps.ts';
import { describePlan, type Plan, planCommit } from '../../../src/history/commit/plan.ts';
import { objectPath } from '../../../src/staging/object-store.ts';
import type { BytePath, Name } from '../../../src/sys/bytes.ts';
import { EIO, SystemError } from '../../../src/sys/errno.ts';
import { boundCalls } from '../../../src/sys/libc.ts';
import { isRoot } from '../../support/accounts.ts';
import { assertSameTree } from '../../support/tree.ts';
import { StagedProject, withProject } from '../projects/staged-project.ts';
import { readPlain, readView } from '../projects/view-tree.ts';
import { commit, FILES, planOf } from './cases.ts';

/** Something of everything. */
function stageMuch(p: StagedProject): void {
  p.write('new', 'x').append('hello.txt', 'more').chmod('third.txt', 0o700);
  p.mv('multi.txt', 't').mv('other/x', 'multi.txt').mv('t', 'other/x');
  p.mv('subdir/in', 'inner').mv('subdir', 'inner/sub').rm('inner/twig.txt').write('inner/sub/n', 'n');
  p.mkdir('d').symlink('x', 'd/l').link('new', 'd/new').rmTree('untouched').write('untouched', 'file');
  p.append('linked', 'more').utimes('d', { sec: 1, nsec: 2 });
}

function problemsOf(p: StagedProject, project = `${p.view.dir}/nowhere`): string[] {
  const { tree, base, store, dir } = p.view;
  const plan = planCommit({ tree, base, store, project: project as BytePath, log: p.nextLog() });
  if ('steps' in plan) return [];
  if ('conflicts' in plan) return plan.conflicts.map((conflict) => describeConflict(conflict).replaceAll(dir, ''));
  return plan.problems.map(({ path, reason }) => `${path.replace(dir, '')}: ${reason}`);
}

/** A step that always fails. */
const IMPOSSIBLE: Step = {
  do: 'link',
  path: '/impossible' as BytePath,
  from: { dir: new Directory(undefined, '' as Name), name: 'no such file' as Name },
  at: { dir: new Directory(undefined, '' as Name), name: 'nowhere' as Name },
  spare: 'spare' as Name,
};

test('applyPlan() takes everything back when a step fails, whichever it is', async () => {
  const p = new StagedProject();
  try {
    p.base({ ...FILES, linked: 'l' });
    p.native((dir) => fs.linkSync(`${dir}/linked`, `${dir}/linked2`));
    stageMuch(p);
    const before = readPlain(p.view.dir, { mtime: true, ino: true });
    const count = planOf(p).steps.length;
    assert.ok(count > 25);
    for (let i = 0; i <= count; i++) {
      const plan = planOf(p);
      const failing: Plan = { ...plan, steps: [...plan.steps.slice(0, i), IMPOSSIBLE, ...plan.steps.slice(i)] };
      p.ownChanges.begin(plan.originals);
      const applied = await applyPlan(failing, { sync: false });
      p.ownChanges.finalise(p.view.base);
      assert.ok(applied instanceof CommitError);
      assert.equal(applied.path, '/impossible');
      assert.deepEqual(applied.leftover, []);
      assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, `after a failure at step ${i}`);
    }
    const view = readView(p);
    await commit(p);
    assertSameTree(readPlain(p.view.dir, { mtime: true }), view, 'the commit that then succeeds');
  } finally {
    p.close();
  }
});

test('applyPlan() names the path and the reason', () =>
  withProject({ 'd/f': 'x' }, async (p) => {
    p.write('d/new', 'x');
    const plan = planOf(p);
    p.native((dir) => fs.writeFileSync(`${dir}/d/new`, 'somebody was faster'));
    const applied = await applyPlan(plan);
    assert.ok(applied instanceof CommitError);
    assert.equal(applied.path, p.at('d/new'));
    assert.equal(applied.message, `cannot create file ${p.at('d/new')}: file exists (EEXIST)`);
    assert.equal(
      p.native((dir) => fs.readFileSync(`${dir}/d/new`, 'utf8')),
      'somebody was faster',
    );
  }));

test('applyPlan() does not follow a symlink that took a directory its place', () =>
  withProject({ 'd/f': 'x', 'elsewhere/f': 'safe' }, async (p) => {
    p.write('d/f', 'y').write('d/new', 'z');
    const plan = planOf(p);
    p.native((dir) => {
      fs.renameSync(`${dir}/d`, `${dir}/d.old`);
      fs.symlinkSync('elsewhere', `${dir}/d`);
    });
    const applied = await applyPlan(plan);
    assert.ok(applied instanceof CommitError);
    assert.deepEqual(
      p.native((dir) => [fs.readdirSync(`${dir}/elsewhere`), fs.readFileSync(`${dir}/elsewhere/f`, 'utf8')]),
      [['f'], 'safe'],
    );
  }));

test('planCommit() refuses to take the directory away that holds the session', () =>
  withProject({ 'p/proj/f': 'x', other: 'y' }, (p) => {
    p.mv('p', 'q');
    assert.deepEqual(problemsOf(p, `${p.view.dir}/p/proj`), [
      '/p: this directory holds the session itself; it cannot be moved or deleted',
    ]);
    assert.deepEqual(problemsOf(p), []);
  }));

test('planCommit() refuses when content is missing from the store', () =>
  withProject({ f: 'x' }, (p) => {
    p.write('f', 'y').write('g', 'z');
    for (const object of [1, 2]) fs.rmSync(`${p.view.dir.replace(/base$/, 'store')}/${objectPath(object as never)}`);
    assert.deepEqual(problemsOf(p), [
      '/f: its content is missing from the file store',
      '/g: its content is missing from the file store',
    ]);
  }));

test('planCommit() refuses a rename whose original went away', () =>
  withProject({ f: 'x', d: 'y' }, (p) => {
    p.mv('f', 'g');
    p.native((dir) => fs.rmSync(`${dir}/f`));
    assert.deepEqual(problemsOf(p), ['/f: renamed here to /g, deleted outside']);
  }));

/** Runs as an ordinary user, as far as permissions go. */
async function asUser<T>(act: () => Promise<T> | T): Promise<T> {
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([1001]);
  process.setegid?.(1001);
  process.seteuid?.(1001);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

/** Gives the base and the store to the user. */
function giveAway(p: StagedProject): void {
  const top = p.view.dir.replace(/\/base$/, '');
  for (const path of [top, ...fs.readdirSync(top, { recursive: true }).map((name) => `${top}/${name}`)]) {
    fs.lchownSync(path, 1001, 1001);
  }
}

test(
  'planCommit() names directories that the user may not write to, before anything is changed',
  { skip: !isRoot && 'needs root to become another user' },
  () =>
    withProject({ 'mine/f': 'x', 'theirs/f': 'y', 'theirs/g': 'z' }, async (p) => {
      p.write('mine/f', 'a').write('theirs/f', 'b').rm('theirs/g');
      giveAway(p);
      p.native((dir) => fs.chownSync(`${dir}/theirs`, 0, 0));
      assert.deepEqual(await asUser(() => problemsOf(p.takeStock())), [
        '/theirs: this directory cannot be written to: permission denied (EACCES)',
      ]);
    }),
);

test(
  'commit works in directories of the user without write permission, and leaves them so',
  { skip: !isRoot && 'needs root to become another user' },
  () =>
    withProject({ 'd/f': 'x', 'd/g': 'y', 'gone/deep/f': 'z', 'moved/f': 'm' }, async (p) => {
      p.write('d/f', 'a').write('d/new', 'n').rm('d/g').rmTree('gone').mkdir('to').mv('moved', 'to/moved');
      giveAway(p);
      for (const name of ['d', 'gone/deep', 'moved']) p.native((dir) => fs.chmodSync(`${dir}/${name}`, 0o555));
      await asUser(() => commit(p.takeStock()));
      p.native((dir) => {
        assert.deepEqual(fs.readdirSync(dir), ['d', 'to']);
        assert.deepEqual(fs.readdirSync(`${dir}/d`), ['f', 'new']);
        assert.deepEqual(
          ['d', 'to/moved'].map((name) => fs.statSync(`${dir}/${name}`).mode & 0o777),
          [0o555, 0o555],
        );
      });
    }),
);

test(
  'what is committed in a directory that the user may not list is written to the disk (it was left out)',
  { skip: !isRoot && 'needs root to become another user' },
  () =>
    withProject({ 'd/f': 'x' }, async (p) => {
      p.write('d/f', 'a');
      giveAway(p);
      p.native((dir) => fs.chmodSync(`${dir}/d`, 0o300));
      const calls = boundCalls as { syncfsAsync: (fd: number) => Promise<number> };
      const original = calls.syncfsAsync;
      const synced: number[] = [];
      calls.syncfsAsync = (fd) => {
        synced.push(fs.fstatSync(fd).dev);
        return original(fd);
      };
      try {
        await asUser(() => applyPlan(planOf(p.takeStock()), {}));
      } finally {
        calls.syncfsAsync = original;
      }
      p.native((dir) => assert.deepEqual(synced, [fs.statSync(`${dir}/d`).dev]));
    }),
);

test(
  'commit keeps the owner of a file that belongs to somebody else but may be written to',
  { skip: !isRoot && 'needs root to become another user' },
  () =>
    withProject({ f: 'x' }, async (p) => {
      p.append('f', 'more');
      giveAway(p);
      p.native((dir) => {
        fs.chownSync(`${dir}/f`, 0, 0);
        fs.chmodSync(`${dir}/f`, 0o666);
      });
      await asUser(() => commit(p.takeStock()));
      const stat = p.native((dir) => fs.statSync(`${dir}/f`));
      assert.deepEqual([stat.uid, stat.size], [0, 5]);
    }),
);

test('describePlan() says what a commit would do, in the order of the words and paths', () =>
  withProject({ ...FILES, linked: 'l' }, (p) => {
    p.native((dir) => fs.linkSync(`${dir}/linked`, `${dir}/linked2`));
    p.write('new', 'x').append('hello.txt', 'y').mv('multi.txt', 'm').rm('third.txt').mkdir('d').symlink('x', 'd/l');
    p.link('new', 'd/new').chmod('subdir', 0o700).append('linked', 'z').mv('other/x', 'y').append('y', 'more');
    const lines = describePlan(planOf(p)).map((line) => line.replaceAll(`${p.view.dir}/`, ''));
    assert.deepEqual(lines, [
      'create directory d',
      'create file d/new',
      'create symlink d/l',
      'delete third.txt',
      'link new',
      'rename multi.txt to m',
      'rename other/x to y, with new content',
      'replace file hello.txt',
      'rewrite file linked',
      'set attributes of subdir',
    ]);
  }));

test('applyPlan() takes everything back when syncfs() fails: what is not on the disk is not committed', () =>
  withProject({ ...FILES, linked: 'l' }, async (p) => {
    p.native((dir) => fs.linkSync(`${dir}/linked`, `${dir}/linked2`));
    stageMuch(p);
    const before = readPlain(p.view.dir, { mtime: true, ino: true });
    const calls = boundCalls as { syncfsAsync: (fd: number) => Promise<number> };
    const original = calls.syncfsAsync;
    calls.syncfsAsync = () => {
      calls.syncfsAsync = original;
      return Promise.resolve(-EIO);
    };
    const onPlaced = (): never => assert.fail('the commit counted');
    await assert.rejects(applyPlan(planOf(p), { onPlaced }), SystemError);
    assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, 'the base');
  }));

const SINCE_CHECKED: Readonly<Record<string, (p: StagedProject) => unknown>> = {
  'a file that is replaced': (p) => p.append('hello.txt', 'more'),
  'a file that is deleted': (p) => p.rm('hello.txt'),
  'a file with several names': (p) => {
    p.native((dir) => fs.linkSync(`${dir}/hello.txt`, `${dir}/linked`));
    p.append('hello.txt', 'more');
  },
};

for (const [what, stage] of Object.entries(SINCE_CHECKED)) {
  test(`applyPlan() takes everything back when ${what} was written to since it was checked (it was overwritten)`, () =>
    withProject(FILES, async (p) => {
      stage(p);
      p.write('new', 'x');
      const plan = planOf(p);
      p.native((dir) => fs.appendFileSync(`${dir}/hello.txt`, 'outside'));
      const before = readPlain(p.view.dir, { mtime: true, ino: true });
      const applied = await applyPlan(plan, { sync: false });
      assert.ok(applied instanceof CommitError);
      assert.deepEqual(applied.leftover, []);
      assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, 'the base');
    }));
}

test('applyPlan() reports progress', () =>
  withProject({}, async (p) => {
    for (let i = 0; i < 50; i++) p.write(`f${i}`, 'x');
    const seen: [number, number][] = [];
    const plan = planOf(p);
    await applyPlan(plan, { onProgress: (done, total) => seen.push([done, total]) });
    assert.deepEqual(seen.at(-1), [plan.steps.length, plan.steps.length]);
  }));
