/**
 * Real work done twice from the same start, in the same place: natively, then in the view. What the work prints and the
 * trees it leaves must be the same byte for byte; the base must be untouched until the commit and equal after it.
 */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, self } from '../support/accounts.ts';
import { type ExecOptions, exec, SLOWNESS, succeed } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { type PlainDirectory, plainDirectory } from '../support/plain.ts';
import { giveTo, nativeTree, type Session, session } from '../support/session.ts';
import { assertSameTree, type TreeEntry } from '../support/tree.ts';

export interface Work {
  /** Completes "... ends in the same tree as natively". */
  readonly title: string;
  /** Bash text, run in the project with -eu and pipefail. What it prints is compared too. */
  readonly script: string;
  /** Programs it needs beyond coreutils, bash and find. */
  readonly needs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is there before. */
  readonly seed?: (project: string) => void | Promise<void>;
  /** Regular expressions of paths that cannot be the same, e.g. files that hold inode numbers. */
  readonly skip?: readonly string[];
  /** As whom; the user of this process by default. */
  readonly accounts?: readonly Account[];
  /** Milliseconds for each of the two runs. */
  readonly timeout?: number;
}

/** Registers the test of one piece of work. */
export function differential(work: Work): void {
  for (const account of work.accounts ?? [self]) {
    const title = `${work.title} as ${account.title} ends in the same tree as natively`;
    test(title, { timeout: 180_000 * SLOWNESS }, async (t) => {
      if (!has(t, work.needs ?? [])) return;
      const { place, native } = await nativeHalf(account, work);
      const s = await session(t, { account, place });
      await compareInView(s, work, native);
    });
  }
}

interface Outcome {
  readonly said: string;
  readonly tree: TreeEntry[];
}

/** The native run, and the place where the view is to do the same. */
async function nativeHalf(account: Account, work: Work): Promise<{ place: PlainDirectory; native: Outcome }> {
  const place = plainDirectory(account);
  try {
    await seedTwice(place, account, work);
    return { place, native: await runNatively(place, account, work) };
  } catch (error) {
    place.remove();
    throw error;
  }
}

/** Leaves two copies of the start: `project`, and `again` for the view. */
async function seedTwice(place: PlainDirectory, account: Account, work: Work): Promise<void> {
  await work.seed?.(place.project);
  // `yolofs init` would add one: both runs see it.
  writeFileSync(join(place.project, '.yolofs.toml'), '');
  await giveTo(account, place.project);
  // An old date on everything: what has it later has kept it, and tools that compare whole seconds see the same each time.
  const touch = ['touch', '-h', '-d', '@1500000000.123456789', '{}', '+'];
  await succeed(['find', place.project, '-newermt', '1 hour ago', '-exec', ...touch]);
  await succeed(['cp', '-a', place.project, join(place.root, 'again')]);
}

async function runNatively(place: PlainDirectory, account: Account, work: Work): Promise<Outcome> {
  const start = await startOfRun();
  const options = { ...optionsOf(work), account, cwd: place.project };
  const ran = await exec(bash(work), { ...options, env: { ...options.env, HOME: place.home } });
  assert.equal(ran.code, 0, `natively, the work itself fails:\n${ran.stdout.slice(-2000)}${ran.stderr.slice(-4000)}`);
  const tree = timesSince(await nativeTree(place.project, treeOptions(work), account), start);
  renameSync(place.project, join(place.root, 'native'));
  renameSync(join(place.root, 'again'), place.project);
  rmSync(place.home, { recursive: true });
  mkdirSync(place.home);
  if (account.uid !== self.uid) await giveTo(account, place.home);
  return { said: ran.stdout, tree };
}

async function compareInView(s: Session, work: Work, native: Outcome): Promise<void> {
  const untouched = await s.baseTree({ mtime: true, ino: true });
  const start = await startOfRun();
  const ran = await s.cli(['run', '--quiet', '--', ...bash(work)], optionsOf(work));
  assert.equal(ran.code, 0, `in the view, the work fails:\n${ran.stdout.slice(-2000)}${ran.stderr.slice(-4000)}`);
  assert.equal(ran.stdout, native.said, 'the work prints something else in the view');
  const options = treeOptions(work);
  assertSameTree(timesSince(await s.tree(options), start), native.tree, 'the view differs from the native tree');
  assertSameTree(await s.baseTree({ mtime: true, ino: true }), untouched, 'the base has changed before the commit');
  await s.commitForGood();
  assertSameTree(
    timesSince(await s.baseTree(options), start),
    native.tree,
    'the committed base differs from the native tree',
  );
  assert.deepEqual(await s.changeLines(), [], 'something is left after the commit');
}

function bash(work: Work): string[] {
  return ['bash', '-euo', 'pipefail', '-c', work.script];
}

function optionsOf(work: Work): ExecOptions {
  return { env: work.env ?? {}, timeout: work.timeout ?? 60_000 };
}

function treeOptions(work: Work): { mtime: true; skip: readonly string[] } {
  return { mtime: true, skip: work.skip ?? [] };
}

/** The time from which on a timestamp means "during this run"; the kernel's clock for files is a few ms behind. */
async function startOfRun(): Promise<number> {
  await sleep(20);
  const start = Date.now() / 1000 - 0.008;
  await sleep(10);
  return start;
}

/** Times that a tool has set, or that were there before, are kept; times of the run itself become one word. */
function timesSince(tree: readonly TreeEntry[], start: number): TreeEntry[] {
  return tree.map((entry) => {
    const { mtime, ...rest } = entry;
    // The root holds `.yolofs`, which only one of the two has.
    if (entry.path === '' || mtime === undefined) return rest;
    const during = Number(mtime) >= start && Number(mtime) < Date.now() / 1000 + 1;
    return { ...rest, mtime: during ? 'during the run' : mtime };
  });
}
