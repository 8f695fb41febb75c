/** Rounds of work on a store that is full at random moments: view, commit and restart show the same bytes. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Random } from '../random/random.ts';
import { SEED } from '../random/seed.ts';
import { type Account, ordinary } from '../support/accounts.ts';
import { loopDisk } from '../support/disk.ts';
import { succeed } from '../support/exec.ts';
import { type Session, session } from '../support/session.ts';
import type { TreeEntry } from '../support/tree.ts';

/** What a session lives through before the next one begins on an empty disk. */
const ROUNDS_A_SESSION = 10;
const STEPS = 40;
const MEGABYTES = 64;

/** Makes the store full, or lets it have room again. */
interface Filling {
  readonly account?: Account;
  readonly at?: string;
  readonly config?: string;
  fill(random: Random): Promise<void>;
  empty(): void;
}

interface Rounds {
  readonly count: number;
  /** Another part has other seeds. */
  readonly part: number;
}

/** Rounds on a small disk that somebody outside fills. Root only. */
export async function fillDisk(t: TestContext, work: Rounds): Promise<void> {
  const disk = await loopDisk(MEGABYTES);
  const filler = join(disk.mountPoint, 'filler');
  try {
    await rounds(t, work, () => ({
      at: disk.mountPoint,
      fill: async (random) => {
        const { bavail, bsize } = statfsSync(disk.mountPoint);
        const room = random.below(2 ** 21);
        const size = bavail * bsize - room;
        if (size > 0) await succeed(['fallocate', '-l', String(size), filler]);
      },
      empty: () => rmSync(filler, { force: true }),
    }));
  } finally {
    t.after(() => disk.remove());
  }
}

/** The same with a quota, for an ordinary user. */
export async function fillQuota(t: TestContext, work: Rounds): Promise<void> {
  await rounds(t, work, () => ({
    account: ordinary(),
    config: '[session]\nquota = "1 MiB"\n',
    fill: () => Promise.resolve(),
    empty: () => undefined,
  }));
}

async function rounds(t: TestContext, { count, part }: Rounds, filling: () => Filling): Promise<void> {
  let refused = 0;
  for (let done = 0; done < count; ) {
    const store = filling();
    const s = await session(t, { ...store, noisy: true, seed: seedFiles });
    for (let i = 0; i < ROUNDS_A_SESSION && done < count; i++) {
      const seed = SEED * 1_000_000 + part * 10_000 + done++;
      refused += await round(s, store, seed).catch((error: Error) => {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
      });
    }
    await s.stop();
    rmSync(s.root, { recursive: true });
  }
  t.diagnostic(`${refused} files had a refused write`);
  assert.ok(refused > count / 2, `only ${refused} files: the store was hardly ever full`);
}

/** Files of the base for each other name. */
function seedFiles(project: string): void {
  mkdirSync(join(project, 'd'));
  for (let i = 0; i < 12; i += 2) writeFileSync(join(project, 'd', `f${i}`), new Random(i).bytes(5_000 * i));
}

/** Returns of how many files a write was refused. */
async function round(s: Session, store: Filling, seed: number): Promise<number> {
  const random = new Random(seed);
  // On a disk without any room no session can begin.
  await s.sh('true');
  await store.fill(random);
  const known = JSON.parse(
    await s.program('full-disk/writer-main.js', [join(s.project, 'd'), String(seed), String(STEPS)]),
  ) as Record<string, string>;
  const shown = await shownIn(s);
  const certain = Object.entries(known).filter(([, content]) => content !== 'unknown');
  const found = certain.map(([name]) => [name, shown.get(name) ?? 'absent']);
  assert.deepEqual(found, certain, 'a program that heard of no error has written something else');
  await s.stop();
  assert.deepEqual(await shownIn(s), shown, 'after a restart');
  store.empty();
  assert.deepEqual(await shownIn(s), shown, 'with room again');
  await s.commitForGood();
  assert.deepEqual(contents(await s.baseTree({}, join(s.project, 'd'))), shown, 'after the commit');
  await s.succeed(['gc', '--keep-last', '1', '--drop-abandoned', '--yes']);
  return Object.keys(known).length - certain.length;
}

async function shownIn(s: Session): Promise<Map<string, string>> {
  return contents(await s.tree({}, join(s.project, 'd')));
}

function contents(tree: readonly TreeEntry[]): Map<string, string> {
  return new Map(tree.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[path, sha256]])));
}
