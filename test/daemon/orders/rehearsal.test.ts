/** A rehearsed travel leaves nothing behind but a program that knows its lines. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Rehearsal } from '../../../src/daemon/orders/rehearsal.ts';
import { Markers } from '../../../src/history/timeline/markers.ts';
import { HostTree } from '../../../src/staging/host-tree.ts';
import { ObjectStore } from '../../../src/staging/object-store.ts';
import { HistoryView } from '../../history/history-view.ts';
import { take } from '../../history/view-steps.ts';

const FILES = 900;

test('a rehearsal ends, and changes neither view, session nor base; markers found in parts are those found at once', async (t) => {
  const view = new HistoryView((dir) => {
    for (let i = 0; i < FILES; i++) writeFileSync(`${dir}/f${i}`, 'base');
  });
  const base = new HostTree({ hidden: [], empty: [] });
  const store = new ObjectStore(view.layout.files);
  t.after(async () => {
    store.close();
    base.close();
    await view.close();
  });
  for (let i = 0; i < FILES; i++) {
    await take(view, { kind: 'write', path: `f${i}` });
    if (i % 100 === 99) await take(view, { kind: 'snapshot' });
  }
  const { history } = view;
  const { journal } = history;
  assert.ok(journal.size > 170_000);
  const files = (): unknown[] => [readdirSync(view.dir), readdirSync(view.layout.files, { recursive: true })];
  const before = [view.see(), readFileSync(view.layout.journal), files()];
  const rehearsal = new Rehearsal({ history, markers: new Markers(journal), base, store });
  // One that cannot go on ends at once.
  for (let step = 1; step <= 11; step++) assert.equal(rehearsal.step(), step < 10, `step ${step}`);
  assert.deepEqual([view.see(), readFileSync(view.layout.journal), files()], before);
  assert.deepEqual(view.notes, []);

  const whole = new Markers(journal).timeline();
  assert.equal(whole[0].markers.length, FILES / 100);
  for (const bytes of [1, 150, 5000, 1_000_000]) {
    const markers = new Markers(journal);
    while (!markers.catchUp(bytes));
    assert.deepEqual(markers.timeline(), whole, `${bytes} at a time`);
  }
});
