/** Who a process is: by descriptor, and by what older kernels have. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { processStat, threadsOf } from '../../src/sys/process/process.ts';
import { originFromStatus, processOrigin } from '../../src/sys/process/process-origin.ts';

test('processOrigin() says what /proc says, of processes and threads, whatever their name', async () => {
  for (const name of ['plain', 'a b', ') S 1 (', 'new\nline', 'back\\slash', '\\n']) {
    const child = spawn('perl', ['-e', '$0 = $ARGV[0]; $| = 1; print "go\n"; sleep 60', name], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const pid = child.pid ?? 0;
      assert.deepEqual(processOrigin(pid), { parent: process.pid, name });
      assert.deepEqual(originFromStatus(readFileSync(`/proc/${pid}/status`, 'latin1')), { parent: process.pid, name });
    } finally {
      child.kill('SIGKILL');
    }
  }
  const threads = threadsOf(process.pid).filter((id) => id !== process.pid);
  assert.ok(threads.length > 0);
  for (const thread of threads) assert.equal(processOrigin(thread)?.parent, processStat(process.pid)?.parent);
});

test('processOrigin() of a process that is gone is undefined', async () => {
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  assert.equal(processOrigin(child.pid ?? 0), undefined);
  assert.equal(originFromStatus(undefined), undefined);
});
