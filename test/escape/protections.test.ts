/**
 * The protections of the cage that can be switched off one by one: with all of them nothing gets through, without the
 * one that is meant the same attempts do, in the same view, against what the test itself has put there.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Protection } from '../../src/sandbox/protections.ts';
import { accounts } from '../support/accounts.ts';
import { SLOWNESS } from '../support/exec.ts';
import { type Attempts, type Cage, cage, showsTheHost, through } from './attempts.ts';
import { bystander, type Outsider, server, serveWithout } from './outsiders.ts';

interface Group {
  readonly without: readonly Protection[];
  readonly attempts: Attempts;
  readonly isThrough?: typeof showsTheHost;
}

/** Whether this kernel lets programs put characters into their terminal at all. */
const HAS_TIOCSTI = readFileSync('/proc/sys/dev/tty/legacy_tiocsti', 'utf8').trim() === '1';

function groups(pid: number, socket: string, memory: string): readonly Group[] {
  return [
    {
      without: ['system-calls'],
      attempts: {
        io_uring: '$P ring hello.txt',
        'io_uring, writing': '$P ring written.txt x',
        ...(HAS_TIOCSTI ? { TIOCSTI: 'script -qec "$P tiocsti x" /dev/null' } : {}),
      },
    },
    {
      without: ['abstract-sockets'],
      attempts: { 'an abstract socket': `$P passed-descriptor ${socket} secret` },
      isThrough: showsTheHost,
    },
    {
      without: ['pid-namespace'],
      attempts: { 'signal to a process': `$P signal ${pid}`, 'sight of a process': `cat /proc/${pid}/cmdline` },
    },
    { without: ['ipc-namespace'], attempts: { 'shared memory': `ipcs -m -i ${memory} | grep -q shmid` } },
    { without: ['environment'], attempts: { 'where an agent listens': 'test -n "$SSH_AUTH_SOCK"' } },
  ];
}

/** Makes the attempts with everything on, then each group's without its protection. */
async function compare(made: Cage, all: readonly Group[]): Promise<void> {
  for (const group of all) assert.deepEqual(await through(made, 'view', group), [], group.without.join());
  for (const group of all) {
    await serveWithout(made, group.without);
    const free = await through(made, 'view', group);
    const titles = free.map((line) => line.split(': ')[0]);
    assert.deepEqual(titles, Object.keys(group.attempts), `without ${group.without.join()}`);
  }
}

for (const account of accounts()) {
  test(`each protection that can be switched off has teeth, as ${account.title}`, {
    timeout: 120_000 * SLOWNESS,
  }, async (t) => {
    const bare = await cage(t, { account });
    if (bare === undefined) return;
    const { s } = bare;
    const made = { ...bare, env: { ...bare.env, SSH_AUTH_SOCK: join(bare.outside, 'agent') } };
    await s.sh('echo first > written.txt');
    const socket = `@${s.root}`;
    const memory = /\d+/.exec((await s.native(['ipcmk', '-M', '4096'])).stdout)?.[0] ?? '';
    const outsiders: Outsider[] = [await bystander(made), await server(made, socket)];
    try {
      await compare(made, groups(outsiders[0]?.pid ?? 0, socket, memory));
    } finally {
      for (const outsider of outsiders) outsider.kill('SIGKILL');
      await s.native(['ipcrm', '-m', memory]);
    }
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    assert.match(await s.sh('cat written.txt'), /^x/);
  });

  test(`io_uring goes through the same rules, as ${account.title}`, async (t) => {
    const made = await cage(t, { account, config: '[rules]\n"hello.txt" = "deny"\n"multi.txt" = "read-only"\n' });
    if (made === undefined) return;
    await serveWithout(made, ['system-calls']);
    const attempts = {
      'reading what is denied': '$P ring hello.txt',
      'writing what is denied': '$P ring hello.txt x',
      'writing what is read-only': '$P ring multi.txt x',
    };
    assert.deepEqual(await through(made, 'view', { attempts }), []);
    assert.deepEqual(await through(made, 'view', { attempts: { 'what is read-only': '$P ring multi.txt' } }), [
      'what is read-only: line1\nline2',
    ]);
  });
}
