/** kill -9 of the daemon at random moments of snapshot, travel, abort and gc: then the state is that before or after. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../random/random.ts';
import { SEED } from '../random/seed.ts';
import { noProcessNaming } from '../support/leaks.ts';
import { type Session, session } from '../support/session.ts';
import { diffTrees, type TreeEntry } from '../support/tree.ts';

const ROUNDS = 5;
/** Milliseconds from the request on in which the daemon dies. */
const LATEST = 30;

/** Something to change: files of the base and new ones, names of one file, a directory that moves. */
const CHANGE = (n: number): string =>
  [
    `echo ${n} >> hello.txt; echo ${n} > new${n % 3}; mkdir -p d${n % 2}/e; echo ${n} > d${n % 2}/e/f`,
    'if [ -e subdir ]; then mv subdir moved; else mv moved subdir; fi',
    'if [ -e multi.txt ]; then ln -f multi.txt linked; rm multi.txt; else mv linked multi.txt; fi',
  ].join('; ');

interface Order {
  readonly title: string;
  /** As the command line asks the daemon. */
  readonly request: (target: number) => object;
  /** The generation whose state the view shows once it is done; undefined: what it showed before. */
  readonly leadsTo: (target: number) => number | undefined;
}

const ORDERS: readonly Order[] = [
  {
    title: 'snapshot',
    request: () => ({ op: 'snapshot', name: 'by hand', ifChanged: false }),
    leadsTo: () => undefined,
  },
  { title: 'travel', request: (target) => ({ op: 'travel', to: String(target) }), leadsTo: (target) => target },
  { title: 'gc', request: () => ({ op: 'gc', dryRun: false, dropAbandoned: false }), leadsTo: () => undefined },
  { title: 'abort', request: () => ({ op: 'abort' }), leadsTo: () => 0 },
];

for (const { title, request, leadsTo } of ORDERS) {
  test(`kill -9 of the daemon during ${title} leaves the state before or after it`, { timeout: 180_000 }, async (t) => {
    t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
    const random = new Random(SEED);
    const s = await session(t, { noisy: true });
    const base = await s.baseTree({ mtime: true });
    const known = new Map([[0, await s.tree()]]);
    for (let round = 0; round < ROUNDS; round++) {
      await s.sh(CHANGE(round));
      const before = await s.tree();
      const generation = await generationOf(s);
      known.set(generation, before);
      const target = random.pick([...known.keys()]);
      await killDuring(s, request(target), random.below(LATEST));
      const found = await s.tree();
      const goal = known.get(leadsTo(target) ?? generation) ?? before;
      const isAfter = diffTrees(goal, found).length === 0;
      if (!isAfter) assert.deepEqual(diffTrees(before, found), [], `round ${round}, to ${target}`);
      // An abort leaves no generation of its epoch to go to.
      if (title === 'abort') forgetGenerations(known);
      else await revisit(s, known);
    }
    assert.deepEqual(await s.baseTree({ mtime: true }), base, 'the base has changed');
  });
}

function forgetGenerations(known: Map<number, TreeEntry[]>): void {
  for (const generation of known.keys()) if (generation !== 0) known.delete(generation);
}

async function killDuring(s: Session, request: object, delay: number): Promise<void> {
  const pid = await s.daemonPid();
  // Nobody answers any more, or somebody does: either is fine.
  s.ask(request).catch(() => undefined);
  await sleep(delay);
  process.kill(pid, 'SIGKILL');
  assert.ok(await noProcessNaming(s.root));
}

/** Every generation shows what it showed; then back to where we were. */
async function revisit(s: Session, known: Map<number, TreeEntry[]>): Promise<void> {
  const here = await s.tree();
  await order(s, { op: 'snapshot', name: '', ifChanged: true });
  const back = await generationOf(s);
  for (const generation of [...known.keys()].slice(-2)) {
    await order(s, { op: 'travel', to: String(generation) });
    assert.deepEqual(diffTrees(known.get(generation) ?? [], await s.tree()), [], `generation ${generation}`);
  }
  await order(s, { op: 'travel', to: String(back) });
  assert.deepEqual(diffTrees(here, await s.tree()), [], 'back again');
}

async function generationOf(s: Session): Promise<number> {
  return (await order(s, { op: 'hello' })).generation;
}

/** As the command line gives it, without a start of Node. */
async function order(s: Session, request: object): Promise<{ generation: number }> {
  const reply = (await s.ask(request)) as { ok?: { generation: number } };
  assert.ok(reply.ok !== undefined, JSON.stringify(reply));
  return reply.ok;
}
