/** What the main thread does for the FUSE thread, with threads of this process in its place. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Progress } from '../../../src/daemon/processor/load.ts';
import { bringBack, SharedPlace } from '../../../src/daemon/processor/shared-place.ts';
import { Watchdog } from '../../../src/daemon/processor/watchdog.ts';
import {
  affinityOf,
  mayLeaveIdle,
  onlyProcessor,
  ownProcessors,
  setAffinity,
  setIdle,
  threadId,
} from '../../../src/sys/kernel/scheduling.ts';
import { eventually } from '../../support/leaks.ts';
import { has, leaveOut } from '../../support/need.ts';
import { scheduledThreads } from './scheduled.ts';

const PATIENCE_MS = 30_000;

test('a Watchdog says where a thread runs, and of one that has ended nothing', async () => {
  const place = new SharedPlace();
  place.left();
  place.went();
  const watchdog = new Watchdog(place);
  const ended = spawn('true');
  await once(ended, 'exit');
  place.ask(ended.pid ?? 0);
  watchdog.watch(threadId());
  assert.equal(await eventually(() => place.takeAnswer() !== undefined, 200), false);
  place.ask(process.pid);
  const heard: (number | undefined)[] = [];
  const hear = (): boolean => {
    // Whatever computes beside this test has the thread brought back, which ends the watch.
    if (place.wasBroughtBack) {
      place.went();
      place.ask(process.pid);
      watchdog.watch(threadId());
    }
    return heard.push(place.takeAnswer()) > 0 && heard.at(-1) !== undefined;
  };
  assert.ok(await eventually(hear, PATIENCE_MS));
  assert.ok(ownProcessors().includes(heard.at(-1) ?? -1), `processor ${heard.at(-1)}`);
  assert.equal(place.caller, undefined, 'it was answered');
  watchdog.stop();
});

test('SharedPlace: who has left by itself is not brought back by the main thread', () => {
  const place = new SharedPlace();
  const other = new SharedPlace(place.words);
  place.went();
  place.left();
  assert.equal(other.recall(), false);
  place.went();
  assert.equal(other.recall(), true);
  assert.ok(place.wasBroughtBack);
  assert.ok(!place.isAtCaller);
});

function isIdle(tid: number): boolean | undefined {
  return scheduledThreads(process.pid).find((thread) => thread.tid === tid)?.isIdle;
}

const COMPUTES = `
  const { parentPort } = require('node:worker_threads');
  parentPort.postMessage(Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)));
  for (;;);
`;

/** A thread of this process that computes until the test ends: its number. */
async function computing(t: TestContext): Promise<number> {
  const worker = new Worker(COMPUTES, { eval: true });
  t.after(() => worker.terminate());
  const [tid] = await once(worker, 'message');
  return tid;
}

test('a thread under SCHED_IDLE on the processor of one that computes is seen to wait, and brought back', async (t) => {
  if (!has(t, ['taskset'])) return;
  if (!mayLeaveIdle()) return leaveOut(t, 'whoever runs the tests may not come back from SCHED_IDLE');
  const [processor = 0] = ownProcessors();
  const hog = spawn('taskset', ['-c', `${processor}`, 'sh', '-c', 'while :; do :; done']);
  t.after(() => hog.kill('SIGKILL'));
  const tid = await computing(t);
  const progress = new Progress(tid);
  t.after(() => progress.close());
  assert.ok(setAffinity(tid, onlyProcessor(processor)) >= 0 && setIdle(tid, true) >= 0);
  const place = new SharedPlace();
  place.went();
  const watchdog = new Watchdog(place);
  t.after(() => watchdog.stop());
  assert.ok(await eventually(() => progress.hasWaited(), PATIENCE_MS), 'it is not seen to wait');
  watchdog.watch(tid);
  assert.ok(await eventually(() => place.wasBroughtBack, PATIENCE_MS), 'it is not brought back');
  assert.ok(!isIdle(tid));
  assert.deepEqual(affinityOf(tid), affinityOf(process.pid));
});

test('bringBack() has a thread run as the main thread does', async (t) => {
  if (!mayLeaveIdle()) return leaveOut(t, 'whoever runs the tests may not come back from SCHED_IDLE');
  const tid = await computing(t);
  const everywhere = affinityOf(process.pid);
  assert.ok(everywhere !== undefined);
  const [processor = 0] = ownProcessors();
  assert.ok(setAffinity(tid, onlyProcessor(processor)) >= 0 && setIdle(tid, true) >= 0);
  assert.deepEqual(affinityOf(tid), onlyProcessor(processor));
  assert.ok(isIdle(tid));
  bringBack(tid);
  assert.ok(!isIdle(tid));
  assert.deepEqual(affinityOf(tid), everywhere);
});
