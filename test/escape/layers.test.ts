/**
 * The layers of the cage that stand behind one another: what each refuses is refused with all of them, and gets through
 * without that one, and without those before it that would refuse the same. What is written to is the test's own: files, a
 * network of the session's own, mounts in namespaces that end with the session. Of what is the host's, nothing is but opened.
 */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Protection } from '../../src/sandbox/protections.ts';
import { type Account, accounts, isRoot, ordinary, self } from '../support/accounts.ts';
import { SLOWNESS, succeed } from '../support/exec.ts';
import { leaveOut } from '../support/need.ts';
import { type Attempts, type Cage, cage, hostFile, SECRET, through } from './attempts.ts';
import { serveWithout } from './outsiders.ts';

/** A view without some protections: what gets through there, and what another protection still refuses. */
interface Opened {
  readonly without: readonly Protection[];
  readonly through: Attempts;
  readonly refused?: Attempts;
}

const FORGED = 'mkdir -p own && mount -t tmpfs own own && echo forged > own/file && cat own/file';
const MOUNTS: Attempts = {
  'a mount in the view': FORGED,
  'a mount over what the view shows': 'mount --bind multi.txt hello.txt && grep line1 hello.txt',
  'an unmount of the private /tmp': 'umount -l /tmp && ! mountpoint -q /tmp',
};
/** Of the session's own network, which ends with it. */
const SETTING: Attempts = {
  'a setting of the network': 'echo 4321 > /proc/sys/net/core/somaxconn && grep 4321 /proc/sys/net/core/somaxconn',
};
const OPENED: Attempts = {
  'a setting of the kernel': '$P open-for-writing /proc/sys/kernel/core_pattern',
  ...(existsSync('/proc/timer_list') ? { 'what the kernel waits for': 'head -n 1 /proc/timer_list | grep Timer' } : {}),
};
const SYSTEM: Attempts = {
  'a control of the kernel': '$P open-for-writing "$(find /sys/kernel/mm -type f -perm -u=w | head -n 1)"',
  'what the firmware says': 'test -n "$(ls -A /sys/firmware)"',
};
const DEVICES: Attempts = {
  'the FUSE device': '$P open-for-writing /dev/fuse',
  'sight of a device of the host': 'test -c /dev/fuse',
};
/** The mode that it has. */
const MODE: Attempts = { 'mode of a device': 'chmod --reference=/dev/null /dev/null' };
const SETUID: Attempts = { 'a setuid program': '"$OUT/setuid" user 12345' };
const NODE: Attempts = { 'a device that is there': 'head -c 8 "$OUT/zero" | wc -c | grep 8' };

const AS_ROOT: readonly Opened[] = [
  { without: ['no-new-privileges'], through: {}, refused: SETUID },
  { without: ['nosuid'], through: NODE, refused: SETUID },
  { without: ['no-new-privileges', 'nosuid'], through: SETUID },
  { without: ['user-namespace'], through: {}, refused: MOUNTS },
  { without: ['capabilities'], through: { 'mounts of its own': `unshare -m sh -c '${FORGED}'` }, refused: MOUNTS },
  { without: ['user-namespace', 'capabilities'], through: MOUNTS },
  { without: ['proc'], through: { ...SETTING, ...OPENED }, refused: SYSTEM },
  { without: ['sys'], through: SYSTEM, refused: OPENED },
  { without: ['dev'], through: { ...DEVICES, ...MODE }, refused: NODE },
];

/**
 * The kernel itself refuses an account without rights what the other layers refuse: it gives none for setuid bits of ids that
 * the user namespace does not have, opens no device on its mounts, takes all capabilities when a program is executed, and the
 * files in /proc/sys and /sys are root's.
 */
const AS_USER: readonly Opened[] = [
  {
    without: ['no-new-privileges', 'nosuid', 'capabilities', 'proc', 'sys'],
    through: {},
    refused: { ...SETTING, ...OPENED, ...MOUNTS, ...(isRoot ? { ...SETUID, ...NODE } : {}) },
  },
  { without: ['dev'], through: DEVICES, refused: MODE },
];

async function place(t: TestContext, account: Account): Promise<Cage | undefined> {
  const made = await cage(t, { account, config: '[session]\nnetwork = "none"\n' });
  if (made === undefined || !isRoot) return made;
  const program = join(made.outside, 'setuid');
  copyFileSync(made.probe, program);
  chownSync(program, 12345, 0);
  chmodSync(program, 0o4755);
  await succeed(['mknod', '-m', '666', join(made.outside, 'zero'), 'c', '1', '5']);
  return made;
}

const titled = async (made: Cage, attempts: Attempts): Promise<string[]> =>
  (await through(made, 'view', { attempts })).map((line) => line.split(': ')[0] ?? '');

for (const account of accounts()) {
  test(`each layer of the cage has teeth, as ${account.title}`, { timeout: 300_000 * SLOWNESS }, async (t) => {
    const made = await place(t, account);
    if (made === undefined) return;
    const steps = account.uid === 0 ? AS_ROOT : AS_USER;
    const all: Attempts = Object.assign({}, ...steps.flatMap((step) => [step.through, step.refused ?? {}]));
    assert.deepEqual(await titled(made, all), [], 'with all of them');
    for (const { without, through: open, refused = {} } of steps) {
      await serveWithout(made, without);
      const got = await titled(made, { ...refused, ...open });
      assert.deepEqual(got, Object.keys(open), `without ${without.join(' and ')}`);
    }
    assert.equal(hostFile(made), `${SECRET}\n`);
    assert.equal(readFileSync(join(made.s.project, 'hello.txt'), 'utf8'), 'base content\n');
  });
}

test('the daemon cannot be looked into by its own user outside of the view, and could be if it were dumpable', async (t) => {
  if (isRoot && ordinary().uid === self.uid) return leaveOut(t, 'root may look into everything');
  const made = await cage(t, { account: ordinary() });
  if (made === undefined) return;
  const ways = async (): Promise<string[]> => {
    const pid = await made.s.daemonPid();
    return through(made, 'host', {
      attempts: {
        memory: `at=$(head -c 12 /proc/${pid}/maps) && $P memory-of ${pid} "$at"`,
        'a descriptor': `ls -l /proc/${pid}/fd/0 && $P descriptor-of ${pid} 0`,
        environment: `cat /proc/${pid}/environ`,
        ptrace: `$P ptrace ${pid}`,
      },
    });
  };
  assert.deepEqual(await ways(), []);
  await serveWithout(made, ['undumpable']);
  assert.deepEqual(await ways(), ['memory', 'a descriptor', 'environment', 'ptrace']);
});
