/** Commits where a rename cannot go: the store, or two directories of the base, on different file systems. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { Directory, type Step } from '../../../src/history/commit/plan/steps.ts';
import type { BytePath, Name } from '../../../src/sys/bytes.ts';
import { EIO } from '../../../src/sys/errno.ts';
import { boundCalls } from '../../../src/sys/libc.ts';
import { assertSameTree } from '../../support/tree.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { readPlain, readView } from '../projects/view-tree.ts';
import { commit, commitAndCompare, FILES, planOf } from './cases.ts';

/** A memory file system; the store is on a disk. */
const ELSEWHERE = '/dev/shm';
const differs = fs.statSync(ELSEWHERE).dev !== fs.statSync('/var/tmp').dev;
const skip = !differs && `${ELSEWHERE} and /var/tmp are on one file system`;

async function withElsewhere(run: (p: StagedProject) => Promise<void>): Promise<void> {
  const top = fs.mkdtempSync(`${ELSEWHERE}/yolofs-test-`);
  const p = new StagedProject(`${top}/base`);
  try {
    await run(p);
  } finally {
    p.close();
    fs.rmSync(top, { recursive: true });
  }
}

const CASES: Readonly<Record<string, (p: Operations) => unknown>> = {
  'new and changed files': (p) =>
    p.write('n', 'x').append('hello.txt', 'y').chmod('n', 0o755).mkdir('d').write('d/f', 'z'),
  'a renamed and changed file': (p) => p.mv('hello.txt', 'b').append('b', 'x'),
  'further names': (p) => p.write('n', 'x').link('n', 'm').link('hello.txt', 'h').append('h', 'y'),
  'a swap': (p) => p.exchange('hello.txt', 'multi.txt').exchange('subdir', 'other'),
};

for (const [title, act] of Object.entries(CASES)) {
  test(`commit with the store on another file system applies ${title}`, { skip }, () =>
    withElsewhere(async (p) => {
      p.base(FILES);
      const twin = new NativeTwin(p.view.dir);
      act(twin);
      act(p as unknown as Operations);
      await commitAndCompare(p, twin);
    }),
  );
}

/** Stages a move of a directory, with changes in it, from the disk to the memory file system. */
function stageMove(p: StagedProject, disk: string, memory: string): void {
  fs.mkdirSync(`${disk}/tree/deep`, { recursive: true });
  fs.writeFileSync(`${disk}/tree/deep/f`, 'content');
  fs.linkSync(`${disk}/tree/deep/f`, `${disk}/tree/twin`);
  fs.symlinkSync('deep/f', `${disk}/tree/link`);
  fs.chmodSync(`${disk}/tree/deep`, 0o750);
  fs.utimesSync(`${disk}/tree/twin`, 1000, 2000);
  const at = (path: string): BytePath => path as BytePath;
  assert.equal(p.driver.rename(at(`${disk}/tree`), at(`${memory}/moved`)), 0);
  assert.equal(p.driver.create(at(`${memory}/moved/new`), 0o644), 0);
  assert.equal(p.driver.unlink(at(`${memory}/moved/link`)), 0);
}

test('commit moves a directory to another file system, with what was changed in it', { skip }, () =>
  withElsewhere(async (p) => {
    const disk = fs.mkdtempSync('/var/tmp/yolofs-test-');
    try {
      stageMove(p, disk, p.view.dir);
      const view = readView(p);
      await commit(p);
      assertSameTree(readPlain(p.view.dir, { mtime: true }), view, 'the base after the commit');
      assert.deepEqual(fs.readdirSync(disk), []);
    } finally {
      fs.rmSync(disk, { recursive: true });
    }
  }),
);

test('commit takes a move to another file system back when a later step fails', { skip }, () =>
  withElsewhere(async (p) => {
    const disk = fs.mkdtempSync('/var/tmp/yolofs-test-');
    try {
      stageMove(p, disk, p.view.dir);
      p.write('n', 'x');
      const before = [disk, p.view.dir].map((dir) => readPlain(dir, { mtime: true, ino: true }));
      const plan = planOf(p);
      const root = new Directory(undefined, '' as Name);
      const at = { dir: root, name: 'no such file' as Name };
      const failing: Step = { do: 'link', path: '/x' as BytePath, from: at, at, spare: 'spare' as Name };
      const applied = await applyPlan({ ...plan, steps: [...plan.steps, failing] });
      assert.ok(applied instanceof CommitError);
      assert.deepEqual(applied.leftover, []);
      const after = [disk, p.view.dir].map((dir) => readPlain(dir, { mtime: true, ino: true }));
      assert.deepEqual(after, before);
    } finally {
      fs.rmSync(disk, { recursive: true });
    }
  }),
);

/** Runs `run`; each fsync(2) of backups tells `onSync` first, and does not succeed where that returns a negative errno. */
async function withBackupsSync(onSync: () => number, run: () => Promise<unknown>): Promise<void> {
  const calls = boundCalls as { fsync: (fd: number) => number };
  const { fsync } = calls;
  calls.fsync = (fd) => (fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('/kept') && onSync()) || fsync(fd);
  try {
    await run();
  } finally {
    calls.fsync = fsync;
  }
}

test(
  'an original goes to backups on another file system, and is removed when its name there is on the disk',
  { skip },
  () =>
    withElsewhere(async (p) => {
      p.base(FILES);
      p.rm('hello.txt');
      const originals = (): string[] => {
        const names = fs.readdirSync(p.view.dir).filter((name) => name.startsWith('.yolofs-'));
        return names.map((name) => fs.readFileSync(`${p.view.dir}/${name}`, 'utf8'));
      };
      const seen: string[][] = [];
      await withBackupsSync(
        () => {
          seen.push(originals());
          return 0;
        },
        () => commit(p),
      );
      assert.deepEqual(seen, [['base content\n']]);
      assert.deepEqual(originals(), []);

      p.rm('third.txt');
      const plan = planOf(p);
      await withBackupsSync(
        () => -EIO,
        async () => {
          const applied = await applyPlan(plan);
          assert.ok(!(applied instanceof CommitError));
          assert.equal(applied.leftover.length, 1);
        },
      );
      assert.deepEqual(originals(), ['third\n']);
    }),
);
