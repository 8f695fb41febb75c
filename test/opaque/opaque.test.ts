/**
 * The 11 opaque tasks of the paper (5, "hidden side effects"): for each, what a native run destroys is named in the summary
 * of the same run in the view, going to the generation that it tells brings the tree back byte for byte, and the real
 * files are what they were.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../support/accounts.ts';
import { exec, succeed } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { plainDirectory } from '../support/plain.ts';
import { MAIN, type Session, session } from '../support/session.ts';
import { assertSameTree, readTree, type TreeEntry } from '../support/tree.ts';
import { damage, isNamed, look, readSummary } from './judge.ts';
import { PROGRAMS } from './programs.ts';
import { SCRIPTS } from './scripts.ts';
import { type OpaqueTask, plant } from './task.ts';

const TASKS = [...SCRIPTS, ...PROGRAMS];
/** What a session adds to its project. */
const OURS = { mtime: true, skip: ['^project/\\.yolofs', '^home/\\.local/state/yolofs'] } as const;

test('opaque tasks: all destroyed paths are told within 1 KB, travel brings them back, the base is never touched', async (t) => {
  if (!has(t, ['gcc', 'make', 'tar', 'sha256sum'])) return;
  const s = await session(t, { seed: () => undefined });
  for (const task of TASKS) await plant(task, join(s.project, task.name), s.home);
  const twin = plainDirectory(self);
  t.after(() => twin.remove());
  await succeed(['cp', '-a', `${s.root}/.`, twin.root]);
  const world = {
    s,
    twin: twin.root,
    start: readTree(twin.root, OURS),
    base: readTree(s.root, { ...OURS, ino: true }),
  };
  assert.equal(TASKS.length, 11);
  for (const task of TASKS) await t.test(`${task.name} (${task.level})`, () => prove(task, world));
});

interface World {
  readonly s: Session;
  /** A copy of the session's directory, in which the tasks run natively. */
  readonly twin: string;
  readonly start: readonly TreeEntry[];
  /** The session's directory on the host, with inode numbers. */
  readonly base: readonly TreeEntry[];
}

async function prove(task: OpaqueTask, { s, twin, start, base }: World): Promise<void> {
  const before = await look(twin);
  const native = await exec(['bash', '-c', task.command], at(twin, task));
  const { gone, changed } = damage(before, await look(twin));
  for (const path of task.harm)
    assert.ok([...gone, ...changed].includes(place(path, task)), `${path} is not destroyed`);

  const { code, stdout, stderr } = await s.cli(['run', '-c', task.command], at(s.root, task));
  assert.deepEqual([code, stdout.replaceAll(s.root, twin)], [native.code, native.stdout], stderr);
  assert.ok(Buffer.byteLength(stderr) <= 1024, stderr);
  const told = readSummary(stderr);
  const seen = (path: string): string => shown(path, task, s);
  // Of a file with several names in the base one is counted, and the others are named with it.
  const others = Object.keys(task.links ?? {}).filter((path) => changed.includes(place(path, task)));
  assert.equal([...stderr.matchAll(/ \(also /g)].length, others.length, stderr);
  const unnamed = [...gone, ...changed].filter((path) => !isNamed(seen(path), told));
  assert.deepEqual(unnamed, [], `destroyed, and not named:\n${stderr}`);
  const lost = new Set([...gone, ...changed].map(seen));
  const untrue = [...told.destroyed].filter((name) => !lost.has(name.replace(/\/$/, '')));
  assert.deepEqual(untrue, [], `named, and not destroyed:\n${stderr}`);
  const { deleted = 0, modified = 0, renamed = 0 } = told.counts;
  const counted = [deleted + renamed, modified + renamed + others.length];
  assert.deepEqual(counted, [gone.length, changed.length], stderr);

  // As an agent does it, inside the view.
  const back = await s.cli(['run', '--quiet', '-c', `'${process.execPath}' '${MAIN}' travel ${told.back}`]);
  assert.equal(back.code, 0, back.stderr);
  assertSameTree(await s.tree(OURS, s.root), start, 'the view after the travel is not what it was');
  assertSameTree(readTree(s.root, { ...OURS, ino: true }), base, 'the base has changed');
}

function at(root: string, task: OpaqueTask): { cwd: string; env: Record<string, string> } {
  return { cwd: join(root, 'project', task.name), env: { HOME: join(root, 'home') } };
}

/** Where a path of a task lies below the root of a world. */
function place(path: string, task: OpaqueTask): string {
  return path.startsWith('~/') ? `home/${path.slice(2)}` : `project/${task.name}/${path}`;
}

/** As a summary shows it. */
function shown(path: string, task: OpaqueTask, s: Session): string {
  const own = `project/${task.name}/`;
  return path.startsWith(own) ? path.slice(own.length) : join(s.root, path);
}
