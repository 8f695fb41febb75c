/** The FUSE thread goes to the processor of who asks again and again, if it may come back, and is back when that is over. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mayLeaveIdle } from '../../../src/sys/kernel/scheduling.ts';
import { ordinary, self } from '../../support/accounts.ts';
import { exec } from '../../support/exec.ts';
import { eventually } from '../../support/leaks.ts';
import { has, leaveOut } from '../../support/need.ts';
import { session } from '../../support/session.ts';
import { type Scheduled, scheduledThreads } from './scheduled.ts';

const PATIENCE_MS = 60_000;
const ASKS = 'until (-e "done") { -e "none" . rand() for 1 .. 100 }';

function mayComeBack(t: TestContext): boolean {
  const may = mayLeaveIdle();
  if (!may) leaveOut(t, 'whoever runs the tests may not come back from SCHED_IDLE');
  return may;
}

/** What is seen of the daemon's threads while a program asks, and afterwards. */
async function watched(
  s: Awaited<ReturnType<typeof session>>,
  isSeen: (threads: readonly Scheduled[]) => boolean,
): Promise<{ during: boolean; after: Scheduled[] }> {
  const pid = await s.daemonPid();
  const asking = s.sh(`perl -e '${ASKS}'`);
  const during = await eventually(() => isSeen(scheduledThreads(pid)), PATIENCE_MS);
  writeFileSync(join(s.project, 'done'), '');
  await asking;
  await eventually(() => scheduledThreads(pid).every(({ isIdle }) => !isIdle), PATIENCE_MS);
  return { during, after: scheduledThreads(pid) };
}

test('the FUSE thread of a daemon that may come back is under SCHED_IDLE on one processor while somebody asks, and free afterwards', async (t) => {
  if (!mayComeBack(t)) return;
  const s = await session(t, { account: self });
  await s.sh('true');
  const { during, after } = await watched(s, (threads) =>
    threads.some(({ isIdle, processors }) => isIdle && /^\d+$/.test(processors)),
  );
  assert.ok(during, 'it never went');
  assert.deepEqual(new Set(after.map(({ isIdle }) => isIdle)), new Set([false]));
  assert.equal(new Set(after.map(({ processors }) => processors)).size, 1, 'it may run everywhere again');
});

/** Asks for as many names as bring the next look at where the caller is into what an execve(2) has the kernel write back. */
const MAPS_AND_EXECUTES = `
import mmap, os
f = open('mapped', 'w+b')
f.truncate(1 << 20)
m = mmap.mmap(f.fileno(), 1 << 20)
for i in range(400):
    for j in range(20 + i % 32): os.path.exists('none%d-%d' % (i, j))
    m[:] = bytes([i % 256]) * (1 << 20)
    child = os.fork()
    if child == 0:
        for j in range(20 + i % 32): os.path.exists('gone%d-%d' % (i, j))
        m[0:4096] = b'c' * 4096
        os.execv('/bin/true', ['true'])
    os.waitpid(child, 0)
`;

test('the FUSE thread at its caller does not wait for an execve() that waits for it', async (t) => {
  if (!has(t, ['python3']) || !mayComeBack(t)) return;
  const s = await session(t, { account: self });
  await s.sh('true');
  const pid = await s.daemonPid();
  let isOver = false;
  let went = 0;
  const program = s.sh(`python3 - <<'END'\n${MAPS_AND_EXECUTES}\nEND\ncp mapped copy`).finally(() => {
    isOver = true;
  });
  await eventually(() => {
    if (scheduledThreads(pid).some(({ isIdle }) => isIdle)) went += 1;
    return isOver;
  }, PATIENCE_MS);
  await program;
  assert.ok(went > 0, 'it never went');
  await s.commit();
  const content = readFileSync(join(s.project, 'copy'));
  assert.deepEqual(content, Buffer.concat([Buffer.alloc(4096, 'c'), Buffer.alloc((1 << 20) - 4096, 399 % 256)]));
});

test('what computes on all processors has the FUSE thread brought back from its caller', async (t) => {
  if (!mayComeBack(t)) return;
  const s = await session(t, { account: self });
  await s.sh('true');
  const pid = await s.daemonPid();
  const asking = s.sh(`perl -e '${ASKS}'`);
  assert.ok(await eventually(() => scheduledThreads(pid).some(({ isIdle }) => isIdle), PATIENCE_MS), 'it never went');
  const hogs = exec([
    'sh',
    '-c',
    'for i in $(seq $(($(nproc) * 2))); do timeout 3 sh -c "while :; do :; done" & done; wait',
  ]);
  // Between two looks it may go there anew: for a whole second it does not.
  let since = performance.now();
  const isBack = await eventually(() => {
    if (scheduledThreads(pid).some(({ isIdle }) => isIdle)) since = performance.now();
    return performance.now() - since > 1000;
  }, 3000);
  writeFileSync(join(s.project, 'done'), '');
  await Promise.all([asking, hogs]);
  assert.ok(isBack, 'it stays behind those that compute');
});

test('the daemon of an ordinary user, who could not come back, stays as it is', async (t) => {
  const s = await session(t, { account: ordinary() });
  await s.sh('true');
  const pid = await s.daemonPid();
  const asking = s.sh(`perl -e '${ASKS}'`);
  assert.equal(await eventually(() => scheduledThreads(pid).some(({ isIdle }) => isIdle), 500), false);
  writeFileSync(join(s.project, 'done'), '');
  await asking;
});
