import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Journal } from '../../src/history/log/journal.ts';
import { JournalDamaged } from '../../src/history/log/lines.ts';
import type { JournalRecord } from '../../src/history/log/record.ts';
import { FIRST_INO } from '../../src/history/log/session-state.ts';
import { loadSession } from '../../src/history/timeline/load.ts';
import { SessionHistory } from '../../src/history/timeline/session-history.ts';
import type { Mutation } from '../../src/staging/recorder.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { EFBIG, ENOSPC, OK } from '../../src/sys/errno.ts';
import { has } from '../support/need.ts';
import { HistoryView } from './history-view.ts';
import { newFile } from './samples.ts';

const TIME = { sec: 5, nsec: 6 };

function openedView(t: TestContext): HistoryView {
  const view = new HistoryView(() => {});
  t.after(() => view.close());
  return view;
}

const at = (view: HistoryView, name: string): BytePath => `${view.dir}/${name}` as BytePath;
const records = (view: HistoryView): JournalRecord[] => [...view.history.journal.scan()].map((each) => each.record);
const mutation = (path: string, n: number): Mutation => newFile(path, n) as Mutation;

test('record() writes the generation, the time and who it was', (t) => {
  const { history } = openedView(t);
  assert.equal(history.record(mutation('/a', 1), TIME, { pid: 42 }), OK);
  assert.equal(history.record(mutation('/b', 2), TIME, { pid: 0 }), OK);
  const [first, second] = [...history.journal.scan()].map((each) => each.record);
  assert.deepEqual(first, {
    generation: 0,
    time: TIME,
    who: { run: 1, pid: 42, process: 'test' },
    body: mutation('/a', 1),
  });
  assert.deepEqual(second?.who, { run: 0, pid: 0, process: 'test' });
});

test('record() notes the command line of a run before its first mutation, once', async (t) => {
  const view = openedView(t);
  await view.history.close();
  const commands: Record<number, string> = { 7: 'make \xff\n', 8: 'true' };
  const whoIs = (pid: number): { run: number; name: string } => ({ run: pid, name: 'sh' });
  const { history } = SessionHistory.open(view.layout, { whoIs, commandOf: (run) => commands[run] });
  for (const pid of [0, 7, 7, 9, 8, 7]) history.record(mutation('/a', pid + 1), TIME, { pid });
  const told = [...history.journal.scan()].map(({ record: { who, body } }) => [who.run, body.tag]);
  const notes = [...history.journal.scan()].flatMap(({ record: { body } }) => (body.tag === 'N' ? [body.fields] : []));
  await history.close();
  await view.restart();
  assert.deepEqual(told, [
    [0, 'S'],
    [7, 'N'],
    [7, 'S'],
    [7, 'S'],
    [9, 'S'],
    [8, 'N'],
    [8, 'S'],
    [7, 'S'],
  ]);
  assert.deepEqual(notes, [
    ['run', 'make \xff\n'],
    ['run', 'true'],
  ]);
});

test('nextObject() and nextIno() never give what was given or recorded before, over restarts and resets', async (t) => {
  const view = openedView(t);
  const { history } = view;
  assert.deepEqual([history.nextObject(), history.nextObject(), history.nextIno()], [1, 2, FIRST_INO]);
  history.record(mutation('/a', 50), TIME, { pid: 1 });
  assert.equal(history.nextObject(), 51);
  assert.equal(history.reset('A', 1, view.tree), OK);
  await view.restart();
  assert.ok(view.history.nextObject() >= 51);
  assert.equal(view.history.nextIno(), FIRST_INO + 51);
});

test('snapshot() is one record and one step, whatever the tree; with ifChanged only after a change', (t) => {
  const { history } = openedView(t);
  assert.deepEqual(history.snapshot('empty', { ifChanged: true }), { taken: false, generation: 0 });
  assert.equal(history.changedSinceMarker, false);
  history.record(mutation('/a', 1), TIME, { pid: 1 });
  assert.equal(history.changedSinceMarker, true);
  const offset = history.journal.size;
  assert.deepEqual(history.snapshot('first', { ifChanged: true, run: 9, command: 'make all' }), {
    taken: true,
    generation: 1,
  });
  assert.deepEqual([history.generation, history.changedSinceMarker, history.lastMarkerOffset], [1, false, offset]);
  assert.deepEqual(history.snapshot('second'), { taken: true, generation: 2 });
  const [, first, second] = [...history.journal.scan()].map((each) => each.record);
  assert.deepEqual(first?.body, { tag: 'P', name: 'first', command: 'make all' });
  assert.deepEqual([first?.generation, first?.who.run, second?.generation], [1, 9, 2]);
});

test('a restart goes on in the same generation, with what changed since its marker', async (t) => {
  const view = openedView(t);
  view.driver.create(at(view, 'a'), 0o644);
  view.history.snapshot('one');
  view.driver.create(at(view, 'b'), 0o644);
  const { generation, lastMarkerOffset } = view.history;
  for (const flush of [false, true]) {
    if (flush) view.history.flush(view.tree);
    await view.restart();
    assert.deepEqual([view.history.generation, view.history.lastMarkerOffset], [generation, lastMarkerOffset]);
    assert.equal(view.history.changedSinceMarker, true);
    assert.deepEqual(view.driver.list(view.dir), ['a', 'b']);
  }
});

test('a record that cannot be written changes nothing, and the session goes on when there is room', (t) => {
  if (!has(t, ['prlimit'])) return;
  const view = openedView(t);
  view.driver.create(at(view, 'a'), 0o644);
  const { size } = view.history.journal;
  const limit = (bytes: number | string): void => {
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  };
  limit(size + 20);
  try {
    const refused = view.history.record(mutation('/x', 99), TIME, { pid: 1 });
    assert.ok(refused === EFBIG || refused === ENOSPC);
    assert.ok(typeof view.history.snapshot('refused') === 'number');
    assert.ok(view.history.recordReset('A', 1) !== OK);
    assert.notEqual(view.driver.chmod(at(view, 'a'), 0o600), OK);
  } finally {
    limit('unlimited');
  }
  assert.equal(view.history.generation, 0);
  assert.equal(statSync(view.layout.journal).size, size);
  assert.deepEqual(view.history.snapshot('later'), { taken: true, generation: 1 });
  assert.equal(records(view).length, 2);
});

for (const tag of ['K', 'A'] as const) {
  test(`reset(${tag}) empties tree and store, and generations go on`, async (t) => {
    const view = openedView(t);
    view.driver.create(at(view, 'a'), 0o644);
    view.history.snapshot('one');
    view.history.flush(view.tree);
    assert.equal(view.history.reset(tag, 1, view.tree), OK);
    assert.equal(view.history.changedSinceMarker, false);
    for (const store of [true, false]) assert.deepEqual((await view.seeFromDisk({ store })).image, new Map());
    await view.restart();
    assert.deepEqual(view.driver.list(view.dir), []);
    assert.deepEqual(view.history.snapshot('two'), { taken: true, generation: 2 });
    assert.deepEqual(view.notes, []);
  });
}

test('flush() writes once, and a reader then needs no replay', (t) => {
  const view = openedView(t);
  view.driver.create(at(view, 'a'), 0o644);
  assert.equal(view.history.flush(view.tree), true);
  const { mtimeMs } = statSync(view.layout.tree);
  assert.equal(view.history.flush(view.tree), true);
  assert.equal(statSync(view.layout.tree).mtimeMs, mtimeMs);
  view.history.snapshot('one');
  view.history.flush(view.tree);
  const session = loadSession(view.layout, { readOnly: true });
  assert.equal(session?.store.load()?.meta.journalOffset, view.history.journal.size);
  assert.equal(session?.state.generation, 1);
  return session?.close();
});

test('loadSession() gives a reader one journal, whatever is appended or half appended meanwhile', (t) => {
  const view = openedView(t);
  view.driver.create(at(view, 'a'), 0o644);
  view.history.flush(view.tree);
  const whole = view.history.journal.size;
  appendFileSync(view.layout.journal, '0badbeef\tS\t0\t1.0\t0\t0\tsh\tne');
  const session = loadSession(view.layout, { readOnly: true });
  assert.ok(session !== undefined);
  truncateSync(view.layout.journal, whole);
  view.driver.create(at(view, 'b'), 0o644);
  view.history.snapshot('later');
  assert.equal(session.journal.size, whole);
  assert.equal([...session.journal.scan()].length, 1);
  return session.close();
});

test('loadSession() for a reader makes nothing where nothing was ever staged', (t) => {
  const view = openedView(t);
  const layout = { ...view.layout, journal: `${view.root}/none`, tree: `${view.root}/none.mdb` };
  assert.equal(loadSession(layout, { readOnly: true }), undefined);
  assert.deepEqual([existsSync(layout.journal), existsSync(layout.tree)], [false, false]);
});

test('loadSession() finds a damaged line also where the store covers it', async (t) => {
  const view = openedView(t);
  for (const name of ['a', 'b', 'c']) view.driver.create(at(view, name), 0o644);
  view.history.flush(view.tree);
  const [, second] = [...view.history.journal.scan()];
  await view.history.close();
  const bytes = readFileSync(view.layout.journal);
  const spot = (second?.offset ?? 0) + 12;
  bytes[spot] = (bytes[spot] ?? 0) ^ 4;
  writeFileSync(view.layout.journal, bytes);
  for (const readOnly of [true, false]) {
    assert.throws(
      () => loadSession(view.layout, { readOnly }),
      (error) => error instanceof JournalDamaged && error.line === 3,
    );
  }
  assert.deepEqual(readFileSync(view.layout.journal), bytes, 'and leaves it as it is');
});

test('loadSession() does not believe a store that belongs to another journal', async (t) => {
  const view = openedView(t);
  for (const name of ['a', 'b', 'c']) view.driver.create(at(view, name), 0o644);
  view.history.flush(view.tree);
  const [first] = records(view);
  await view.history.close();
  writeFileSync(view.layout.journal, '');
  const journal = Journal.open(view.layout.journal);
  assert.ok(first !== undefined && journal.append(first) === OK);
  journal.close();
  for (const store of [true, false]) {
    assert.deepEqual([...((await view.seeFromDisk({ store })).image as Map<string, unknown>).keys()], ['a']);
  }
  await view.restart();
  assert.deepEqual(view.driver.list(view.dir), ['a']);
});
