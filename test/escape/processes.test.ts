/** Processes outside of the view: neither what they see nor they themselves can be reached. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { type Attempts, assertCaged, cage, showsTheHost, through } from './attempts.ts';
import { bystander } from './outsiders.ts';

/** Ways to read the host's file through process `pid`. */
function waysThrough(pid: number): Attempts {
  return {
    'root of a process': `cat /proc/${pid}/root$OUT/secret`,
    'working directory of a process': `cat /proc/${pid}/cwd/secret`,
    'descriptor of a process': `cat /proc/${pid}/fd/3`,
    'environment of a process': `tr '\\0' '\\n' </proc/${pid}/environ`,
    'descriptor taken out of a process': `$P descriptor-of ${pid} 3`,
    'mount namespace of a process': `$P namespace /proc/${pid}/ns/mnt "$OUT/secret"`,
    'nsenter of a process': `nsenter -t ${pid} -m cat "$OUT/secret"`,
    'any process that /proc shows': 'for at in /proc/[0-9]*; do cat "$at/root$OUT/secret" "$at/cwd/secret"; done',
    'any thread that /proc shows': 'for at in /proc/[0-9]*/task/*; do cat "$at/root$OUT/secret"; done',
  };
}

/** Ways to do something to process `pid`, or to look into it. */
function waysToReach(pid: number): Attempts {
  return {
    'ptrace of a process': `$P ptrace ${pid}`,
    'signal to a process': `$P signal ${pid}`,
    'memory of a process': `at=$(head -c 12 /proc/${pid}/maps) && $P memory-of ${pid} "$at"`,
    'limits of a process': `prlimit --pid ${pid} --nofile=1024:`,
    'its turn at the processor': `renice -n 19 -p ${pid}`,
    'its place among the victims of a full memory': `echo 500 > /proc/${pid}/oom_score_adj`,
  };
}

for (const account of accounts()) {
  test(`a process outside is no way out, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const child = await bystander(made);
    try {
      await assertCaged(made, {
        attempts: waysThrough(child.pid),
        isThrough: showsTheHost,
        toothless: account.uid === 0 ? [] : ['mount namespace of a process', 'nsenter of a process'],
      });
      await assertCaged(made, { attempts: waysToReach(child.pid) });
    } finally {
      child.kill('SIGKILL');
    }
  });

  test(`the daemon of the view cannot be reached from inside, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const daemon = await made.s.daemonPid();
    const seen = await made.s.sh('cat /proc/[0-9]*/cmdline | tr "\\0" " "');
    assert.doesNotMatch(seen, /daemon/);
    assert.deepEqual(await through(made, 'view', { attempts: waysToReach(daemon) }), []);
    // The init of the view is the account's own, and may be bothered, but not looked into.
    const { 'ptrace of a process': trace, 'memory of a process': memory } = waysToReach(1);
    assert.deepEqual(await through(made, 'view', { attempts: { trace: trace ?? '', memory: memory ?? '' } }), []);
    // The probe works inside: there, a process may be traced.
    assert.equal(
      await made.s.sh('sleep 20 & "$P" ptrace $! && echo traced; kill -9 $!', { env: made.env }),
      'traced\n',
    );
  });
}
