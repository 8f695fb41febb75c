/**
 * Everything that can be wrong with a server, at once in one view, a source for each: who asks gets its errno, `audit` its
 * cause; what was read before, the other sources and the view go on, and nothing that is staged is lost.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Session, session } from '../../support/session.ts';
import { chromaFailing } from './chroma.ts';
import type { Failing, Kind } from './failing.ts';
import { searchFailing } from './search.ts';

interface Expected {
  /** What cat says of a file that nobody has read before. */
  readonly says: string;
  readonly cause?: RegExp;
}

/** `fine` and `slow` answer. */
const EXPECTED: Readonly<Record<Kind, Expected>> = {
  fine: { says: 'unread' },
  slow: { says: 'unread' },
  killed: { says: 'Input/output error', cause: /refuses connections|broke the connection/ },
  hung: { says: 'Connection timed out', cause: /no(?: answer|t answered) within 60 s/ },
  busy: { says: 'Resource temporarily unavailable', cause: /429/ },
  failing: { says: 'Input/output error', cause: /500/ },
  malformed: { says: 'Input/output error', cause: /no JSON/ },
  nonsense: { says: 'Input/output error', cause: /not what Chroma says|another form/ },
  otherSchema: { says: 'Input/output error', cause: /has no field|no row.*'page'/ },
  madeAnew: { says: 'made anew' },
};
const KINDS = Object.keys(EXPECTED) as Kind[];
/** Whoever waits for a server waits a minute. */
const PATIENT_MS = 5 * 60_000;
/** Of these, nothing can be written now. */
const BROKEN = KINDS.filter((kind) => EXPECTED[kind].cause !== undefined);

// Both wait for minutes, and do nothing.
describe('servers that fail', { concurrency: true }, () => {
  for (const [name, start] of Object.entries({ chroma: chromaFailing, opensearch: searchFailing })) {
    test(`${name}: every fault of a server has its errno and its cause, and is nobody else's`, (t) =>
      faultsIn(t, start));
  }
});

async function faultsIn(t: TestContext, start: (kind: Kind) => Promise<Failing>): Promise<void> {
  const all = await Promise.all(KINDS.map(async (kind) => [kind, await start(kind)] as const));
  const stopAll = async (): Promise<void> => {
    for (const [, failing] of all) await failing.stop();
  };
  const s = await session(t, { onStopped: stopAll });
  for (const [kind, { settings }] of all) await s.succeed(['source', 'add', kind, ...settings]);
  const each = (command: string): string => `for kind in ${KINDS.join(' ')}; do (cd /sources/$kind; ${command}); done`;
  await s.sh(each('cat read.md; echo mine > mine.md'));
  await Promise.all(all.map(([, failing]) => failing.fail()));
  // Who waits for the hung one is waited for last: all else is done before.
  const others = KINDS.filter((kind) => kind !== 'hung').join(' ');
  const script = [
    `read_unread() { cat /sources/$1/far/unread.md > ~/$1 2> ~/$1.err; }`,
    'read_unread hung & hung=$!',
    `for kind in ${others}; do read_unread $kind; done`,
    each('cat read.md mine.md'),
    'echo in the view > ~/view; cat ~/view; jobs -r | grep -c read_unread',
    'wait $hung',
  ].join('\n');
  const { stdout } = await s.cli(['run', '--quiet', '-c', script], { timeout: PATIENT_MS });
  assert.equal(stdout, `${KINDS.map(() => 'read\nmine\n').join('')}in the view\n1\n`);
  const said = await s.sh(
    `cd; for kind in ${KINDS.join(' ')}; do echo "$(cat $kind $kind.err | sed 's/.*: //')"; done`,
  );
  assert.deepEqual(
    said.slice(0, -1).split('\n'),
    KINDS.map((kind) => EXPECTED[kind].says),
  );
  const audit = await s.succeed(['audit']);
  for (const kind of BROKEN)
    assert.match(lineOf(audit, `/sources/${kind}/far/unread.md`), EXPECTED[kind].cause ?? /$^/);
  const down = await s.succeed(['status']);
  for (const kind of BROKEN) assert.match(down, new RegExp(`${kind}: no answer since`));
  await nothingIsLost(s, all);
}

/** A commit is refused, and done when the servers are well; of the one that is gone all stays staged. */
async function nothingIsLost(s: Session, all: readonly (readonly [Kind, Failing])[]): Promise<void> {
  for (const [kind, failing] of all) if (kind === 'hung') await failing.heal();
  const refused = await s.cli(['commit', '--yes'], { timeout: PATIENT_MS });
  assert.equal(refused.code, 1, refused.stderr);
  const staged = await s.sh('cd /sources; for kind in *; do cat $kind/mine.md; done');
  assert.equal(staged, 'mine\n'.repeat(KINDS.length));
  for (const [kind, failing] of all) if (kind !== 'killed') await failing.heal();
  const healed = KINDS.filter((kind) => kind !== 'killed');
  // What it was asked before it was well hangs, and who asks the same waits for the same.
  await s.cli(['source', 'refresh', 'hung'], { timeout: PATIENT_MS });
  for (const kind of healed) await s.succeed(['source', 'refresh', kind]);
  await s.succeed(['commit', '--yes', ...healed.map((kind) => `/sources/${kind}`)]);
  for (const [kind, failing] of all) if (kind !== 'killed') assert.equal(await failing.read('mine.md'), 'mine\n', kind);
  assert.equal(await s.sh('cat /sources/killed/mine.md'), 'mine\n');
}

function lineOf(text: string, word: string): string {
  return text.split('\n').find((line) => line.includes(word)) ?? '';
}
