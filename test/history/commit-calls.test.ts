/** What a commit of changed files and its undo ask of the file system for each file: calls are counted, as times say little. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { BytePath } from '../../src/sys/bytes.ts';
import { boundCalls } from '../../src/sys/libc.ts';
import { ALL } from '../crash/commit-session.ts';
import type { CrashWorld } from '../crash/crash-world.ts';
import { openWorld } from '../crash/orders.ts';
import { keepContents } from '../model/history/session/garbage.ts';
import { ViewDriver } from '../staging/view-driver.ts';

type Counts = Readonly<Record<string, number>>;

const COUNTED = ['openat', 'openat2', 'statx', 'renameat2', 'listxattrat', 'utimensat', 'fsync', 'write'] as const;
const [FEW, MANY] = [100, 200];

/** The calls that something takes. */
async function counted(act: () => Promise<unknown>): Promise<Counts> {
  const calls = boundCalls as unknown as Record<string, (...args: unknown[]) => unknown>;
  const real = { ...calls };
  const counts: Record<string, number> = {};
  for (const name of COUNTED) {
    const call = calls[name] as (...args: unknown[]) => unknown;
    calls[name] = (...args) => {
      counts[name] = (counts[name] ?? 0) + 1;
      return call(...args);
    };
  }
  try {
    await act();
  } finally {
    Object.assign(calls, real);
  }
  return counts;
}

function changedFiles(count: number): Promise<CrashWorld> {
  const names = Array.from({ length: count }, (_, i) => `f${i}`);
  return openWorld(
    ({ place }) => {
      for (const name of names) fs.writeFileSync(`${place.base}/${name}`, 'old');
    },
    ({ live, place }) => {
      const driver = new ViewDriver(live.overlay);
      for (const name of names) assert.equal(driver.write(`${place.base}/${name}` as BytePath, 3, 'more'), 0);
    },
  );
}

/** Of the commit of so many changed files, and of its undo before and after the store has copies of them. */
async function costs(count: number): Promise<readonly Counts[]> {
  const world = await changedFiles(count);
  const { base } = world.place;
  const contents = (): Set<string> =>
    new Set(fs.readdirSync(base).map((name) => fs.readFileSync(`${base}/${name}`, 'utf8')));
  const commit = () => world.live.orders.commit(ALL, () => undefined);
  const undo = () => world.live.orders.undo(() => undefined);
  try {
    const first = await counted(commit);
    assert.deepEqual([...contents()], ['oldmore']);
    const atOnce = await counted(undo);
    assert.deepEqual([...contents()], ['old']);
    await commit();
    await keepContents(world.place);
    const later = await counted(undo);
    assert.deepEqual([...contents()], ['old']);
    return [first, atOnce, later];
  } finally {
    await world.close();
  }
}

test('a commit looks at a changed file three times and renames it twice, its undo looks six times', async () => {
  const [few, many] = [await costs(FEW), await costs(MANY)];
  const perFile = many.map((counts, i) =>
    Object.fromEntries(
      COUNTED.map((name) => [name, ((counts[name] ?? 0) - (few[i]?.[name] ?? 0)) / (MANY - FEW)] as const).filter(
        ([, more]) => more >= 0.1,
      ),
    ),
  );
  assert.deepEqual(perFile, [
    // Base entry and object for the plan, and what was in the place; into its place, and what was there to the backups.
    { statx: 3, renameat2: 2, listxattrat: 1 },
    // For the record, for the check twice, before it is taken out, for a copy in the store, and for what is staged again.
    { statx: 6, renameat2: 2, listxattrat: 1 },
    // Nothing is put over the copy, which would have to be freed.
    { statx: 6, renameat2: 1, listxattrat: 1 },
  ]);
});
