/** kill -9 of the daemon at random moments under load: nothing that was finished before may be lost. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from '../../src/history/log/journal.ts';
import { initialState } from '../../src/history/log/session-state.ts';
import { loadSession } from '../../src/history/timeline/load.ts';
import { replay } from '../../src/history/timeline/replay.ts';
import { OverrideTree } from '../../src/staging/override-tree.ts';
import { dumpTree } from '../history/dump-tree.ts';
import { Random } from '../random/random.ts';
import { SEED } from '../random/seed.ts';
import { noProcessNaming, processesNaming } from '../support/leaks.ts';
import { BUILT, type Session, session } from '../support/session.ts';
import { BASE_FILES } from './load.ts';

const ROUNDS = 50;
/** After so many rounds their contents are looked at, as that costs as much as a round. */
const JUDGED = 5;

test(`kill -9 of the daemon, ${ROUNDS} times under load, loses nothing that was finished`, {
  timeout: 480_000,
}, async (t) => {
  t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
  const random = new Random(SEED);
  const seeds = Array.from({ length: ROUNDS }, (_, i) => SEED * 100 + i);
  const s = await session(t, { seed: (project) => seedAll(project, seeds), noisy: true });
  const base = await s.baseTree({ mtime: true });
  const finished: string[] = [];
  let steps = 0;
  for (const [round, current] of seeds.entries()) {
    const count = await runAndKill(s, current, { delay: random.below(250), snapshots: round % 2 === 1 });
    steps += count;
    finished.push(`${current}:${count}`);
    checkHistory(s);
    // Each round has a directory of its own, so what is lost is still lost a few rounds later.
    if (round % JUDGED !== JUDGED - 1) continue;
    assert.deepEqual(await judged(s, finished.slice(-JUDGED)), [], `one of the ${JUDGED} rounds before ${round + 1}`);
  }
  t.diagnostic(`${steps} finished operations`);
  assert.ok(steps > ROUNDS, 'the load hardly ran');
  assert.deepEqual(await judged(s, finished), [], 'an earlier round was damaged by a later one');
  assert.deepEqual(await s.baseTree({ mtime: true }), base, 'the base has changed');
  assert.ok((await s.changes()).length > 0);
  const view = await s.tree();
  await s.commit();
  assert.deepEqual(await s.baseTree(), view, 'the commit differs from what the view showed');
});

function seedAll(project: string, seeds: readonly number[]): void {
  for (const seed of seeds) {
    mkdirSync(join(project, String(seed)));
    for (const [name, content] of BASE_FILES) writeFileSync(join(project, String(seed), name), content, 'latin1');
  }
}

interface Kill {
  /** Milliseconds after the first finished step. */
  readonly delay: number;
  /** Take snapshots meanwhile, so that files are copied for a new generation. */
  readonly snapshots: boolean;
}

/** Starts the load, kills the daemon in its midst, returns the number of steps that were finished. */
async function runAndKill(s: Session, seed: number, kill: Kill): Promise<number> {
  let count = 0;
  let killed: Promise<void> | undefined;
  const argv = [
    'run',
    '--quiet',
    '--',
    process.execPath,
    join(BUILT, 'test/crash/load-main.js'),
    join(s.project, String(seed)),
    String(seed),
  ];
  const ended = await s.cli(argv, {
    timeout: 20_000,
    onStdout: (piece) => {
      count += piece.length;
      killed ??= killLater(s, kill);
    },
  });
  await killed;
  assert.notEqual(ended.code, 0, 'the load ended by itself');
  assert.match(ended.stderr, /^yolofs: /m, `the run does not say why it ended:\n${ended.stderr}`);
  const gone = await noProcessNaming(s.root);
  assert.ok(gone, `left: ${JSON.stringify(processesNaming(s.root))}`);
  return count;
}

async function killLater(s: Session, kill: Kill): Promise<void> {
  const pid = await s.daemonPid();
  const end = Date.now() + kill.delay;
  while (kill.snapshots && Date.now() < end - 20) {
    await s.ask({ op: 'snapshot', name: 'under load', ifChanged: true });
    await sleep(15);
  }
  await sleep(Math.max(0, end - Date.now()));
  process.kill(pid, 'SIGKILL');
}

/** The journal decodes from the first to the last record, and gives the tree that the store and its tail give. */
function checkHistory(s: Session): void {
  const { layout } = s;
  const loaded = loadSession(layout, { readOnly: true });
  assert.ok(loaded !== undefined, 'there is no session any more');
  const journal = Journal.open(layout.journal, { readOnly: true });
  try {
    const tree = new OverrideTree();
    replay(journal, tree, initialState());
    const [stored, replayed] = [withoutCtime(dumpTree(loaded.tree)), withoutCtime(dumpTree(tree))];
    const differences = stored.filter((line, i) => line !== replayed[i]);
    assert.deepEqual(differences, [], 'tree.mdb has this and the journal does not');
    assert.equal(stored.length, replayed.length);
  } finally {
    journal.close();
    void loaded.close();
  }
}

/** Changes of ctime alone are kept in the tree but not worth a record each. */
function withoutCtime(dump: string): string[] {
  return dump
    .replaceAll(/,ctime=[\d.]+/g, '')
    .replaceAll(/ ctime=[\d.]+ /g, ' - ')
    .split('\n');
}

async function judged(s: Session, claims: readonly string[]): Promise<unknown> {
  const argv = [
    'run',
    '--quiet',
    '--no-snapshot',
    '--',
    process.execPath,
    join(BUILT, 'test/crash/judge-main.js'),
    s.project,
    ...claims,
  ];
  return JSON.parse(await s.succeed(argv));
}
