/**
 * A thousand snapshots behind cost nothing: counted, not timed (times are in bench/history). And what a run of very
 * many changes says of itself, which is summed up apart from that of others. What a travel has the kernel ask again.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Session, session } from '../support/session.ts';

const MANY = 1000;
const WINDOW = 50;

test('a snapshot costs one record and as many writes as ever, the 10th and the 1,000th', async (t) => {
  const s = await session(t);
  await s.sh('true');
  await snapshots(s, 10);
  const early = await costs(s, () => snapshots(s, WINDOW));
  await snapshots(s, MANY - WINDOW - 10);
  const late = await costs(s, () => snapshots(s, WINDOW));
  assert.deepEqual([early.records, late.records], [WINDOW, WINDOW]);
  // The generation has two digits more.
  assert.ok(late.bytes - early.bytes <= 2 * WINDOW, `${early.bytes} and ${late.bytes} bytes of journal`);
  // The write-behind comes by the clock, so this is no exact figure.
  assert.ok(late.writes <= 1.5 * early.writes, `${early.writes} and ${late.writes} writes of the daemon`);
});

test('create, stat, read and readdir take as many requests with 1,000 snapshots behind as with none', async (t) => {
  const s = await session(t);
  await s.sh('true');
  const work = (dir: string): Promise<string> =>
    s.succeed(['run', '--quiet', '--no-snapshot', '--', 'sh', '-euc', `mkdir ${dir}; ${WORK}`, dir]);
  await work('warm');
  const none = await requests(s, () => work('none'));
  await snapshots(s, MANY);
  const many = await requests(s, () => work('many'));
  assert.ok(many <= 1.05 * none, `${none} requests without snapshots, ${many} with ${MANY}`);
});

/** Makes, looks at, reads and lists fifty files in the directory that the shell is called. */
const WORK = `i=0; while [ $i -lt 50 ]; do echo new > $0/f$i; i=$((i+1)); done
cat $0/* > /dev/null; ls -l $0 > /dev/null; ls hello.txt multi.txt subdir > /dev/null`;

test('a run of very many changes counts them all', async (t) => {
  const s = await session(t);
  const names = 'i=0; while [ $i -lt 100 ]; do set -- "$@" $(seq -f "%g$0$i" 100); i=$((i+1)); done; touch "$@"';
  const { stderr } = await s.cli(['run', '--', 'sh', '-euc', `rm hello.txt; ${names}`, 'x'.repeat(100)]);
  const journal = readFileSync(join(s.layout.store, 'journal'));
  assert.ok(journal.length > 4 * 2 ** 20, `only ${journal.length} bytes of journal`);
  assert.match(
    stderr,
    /1 deleted, 10000 added\n {2}deleted {2}hello\.txt\n {2}added {4}100x+0, 100x+1, .*: 9701 added\n/s,
  );
});

async function snapshots(s: Session, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const answer = (await s.ask({ op: 'snapshot', name: '', ifChanged: false })) as { ok?: { taken: boolean } };
    assert.equal(answer.ok?.taken, true);
  }
}

test('a travel has the kernel ask again for what differs, and for nothing else', async (t) => {
  const s = await session(t, {
    seed: (dir) => {
      mkdirSync(join(dir, 'many'));
      for (let n = 0; n < 400; n++) writeFileSync(join(dir, `many/f${n}`), 'base\n');
    },
  });
  await s.sh('echo changed > many/f7');
  const counted = async (script: string, opcodes: readonly string[]): Promise<readonly [number, string]> => {
    const before = await served(s, opcodes);
    const shown = await s.sh(script);
    return [(await served(s, opcodes)) - before, shown];
  };
  const names = ['LOOKUP', 'GETATTR'];
  const stat = 'stat -c %s many/* | sort | uniq -c';
  const cat = 'cat many/* | sort | uniq -c';
  for (const script of [cat, stat]) await s.sh(script);
  const [known] = await counted(stat, names);
  await s.succeed(['travel', '0']);
  const [asked, sizes] = await counted(stat, names);
  assert.equal(sizes.replaceAll(/ +/g, ' '), ' 400 5\n');
  assert.ok(asked - known < 40, `${known} requests when all is known, ${asked} after the travel`);
  const [read, content] = await counted(cat, ['READ']);
  assert.equal(content.replaceAll(/ +/g, ' '), ' 400 base\n');
  assert.ok(read < 10, `${read} files are read anew`);
});

async function costs(
  s: Session,
  work: () => Promise<void>,
): Promise<{ bytes: number; records: number; writes: number }> {
  const pid = await s.daemonPid();
  const writes = (): number => Number(/syscw: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  const journal = (): string => readFileSync(join(s.layout.store, 'journal'), 'latin1');
  const [before, written] = [journal(), writes()];
  await work();
  const grown = journal().slice(before.length);
  return { bytes: grown.length, records: grown.split('\n').length - 1, writes: writes() - written };
}

async function requests(s: Session, work: () => Promise<unknown>): Promise<number> {
  const before = await served(s);
  await work();
  return (await served(s)) - before;
}

const LATE = ['FORGET', 'BATCH_FORGET', 'INTERRUPT'];

/** Requests so far, of some kinds, or without those that come when the kernel finds the time. */
async function served(s: Session, only?: readonly string[]): Promise<number> {
  const { ok } = (await s.ask({ op: 'stats' })) as { ok: { opcodes: Record<string, number> } };
  const isCounted = (opcode: string): boolean => only?.includes(opcode) ?? !LATE.includes(opcode);
  return Object.entries(ok.opcodes).reduce((sum, [opcode, n]) => sum + (isCounted(opcode) ? n : 0), 0);
}
