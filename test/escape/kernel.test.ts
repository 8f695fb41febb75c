/**
 * Device nodes and the kernel's controls. The refusal alone is looked at: nothing is written, and there is no counter-proof
 * without the view, as these are the real ones of the host.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts, isRoot } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';
import { MAIN } from '../support/session.ts';
import { type Attempts, cage, through } from './attempts.ts';

/** Files that steer the host. One that is missing here is refused as well. */
const CONTROLS = [
  '/proc/sys/kernel/core_pattern',
  '/proc/sys/kernel/modprobe',
  '/proc/sys/kernel/hostname',
  '/proc/sys/kernel/panic_on_oops',
  '/proc/sys/kernel/randomize_va_space',
  '/proc/sys/vm/drop_caches',
  '/proc/sys/vm/overcommit_memory',
  '/proc/sys/fs/suid_dumpable',
  '/proc/sys/fs/binfmt_misc/register',
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sysrq-trigger',
  '/proc/kcore',
  '/proc/kmsg',
  '/proc/mtrr',
  '/proc/irq/default_smp_affinity',
  '/sys/kernel/uevent_helper',
  '/sys/kernel/mm/transparent_hugepage/enabled',
  '/sys/power/state',
  '/sys/fs/cgroup/cgroup.procs',
  '/sys/fs/cgroup/cgroup.subtree_control',
  '/sys/fs/cgroup/memory.max',
  '/sys/fs/cgroup/release_agent',
  '/sys/devices/system/cpu/cpu1/online',
  '/dev/mem',
  '/dev/kmem',
  '/dev/port',
  '/dev/kmsg',
  '/dev/fuse',
  '/dev/loop-control',
  '/dev/kvm',
  '/dev/mapper/control',
  '/dev/net/tun',
  '/dev/vda',
  '/dev/sda',
  '/dev/console',
  '/dev/tty1',
];

const DEVICES: Attempts = {
  'a disk in the project': 'mknod disk b 254 0',
  'a disk in /tmp': 'mknod /tmp/disk b 254 0',
  'a disk in /dev/shm': 'mknod /dev/shm/disk b 254 0',
  'a disk in /dev': 'mknod /dev/disk b 254 0',
  'the memory in the project': 'mknod mem c 1 1',
  'the memory in the home directory': 'mknod ~/mem c 1 1',
  'the memory in a user namespace': 'unshare -Ur mknod mem c 1 1',
  'the memory on a file system of its own': "unshare -Urm sh -c 'mount -t tmpfs t /mnt && mknod /mnt/mem c 1 1'",
  'the FUSE device': 'mknod fuse c 10 229',
};

/** To give these the mode they have: of the host's own nodes and socket nothing may be set. */
const NODES: Attempts = {
  'mode of a device': 'chmod --reference=/dev/null /dev/null',
  'mode of a device by a descriptor': 'chmod --reference=/dev/null /proc/self/fd/0',
  'mode of a terminal': 'chmod --reference=/dev/tty /dev/tty',
  'mode of the socket': 'chmod --reference=/dev/yolofs /dev/yolofs',
};

for (const account of accounts()) {
  test(`controls of the kernel cannot be opened for writing, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const entries = CONTROLS.map((path) => [path, `$P open-for-writing ${path}`]);
    // Everybody may open ns_last_pid; it is the view's own, and writing needs a right that nobody has there.
    const found = {
      'an abort of the view': 'set -- /sys/fs/fuse/connections/*/abort; $P open-for-writing "$1"',
      'any control group':
        'for f in /sys/fs/cgroup/*/cgroup.procs /sys/fs/cgroup/*.*; do $P open-for-writing "$f" && exit; done; exit 1',
      'any setting':
        'for f in $(find /proc/sys -type f ! -name ns_last_pid 2>/dev/null); do $P open-for-writing "$f" 2>/dev/null && echo "$f" && exit; done; exit 1',
      'a new control group': 'test -w /sys/fs/cgroup',
    };

    const attempts = { ...Object.fromEntries(entries), ...found };
    assert.deepEqual(await through(made, 'view', { attempts }), []);
    // The probe does open what may be written to.
    assert.deepEqual(await through(made, 'view', { attempts: { null: '$P open-for-writing /dev/null' } }), ['null: ']);
  });

  test(`device nodes cannot be made, and the host's not be changed, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    assert.deepEqual(await through(made, 'view', { attempts: { ...DEVICES, ...NODES } }), []);
    assert.equal(await made.s.sh('ls -A | grep -E "disk|mem|fuse" || echo none'), 'none\n');
  });
}

/** Accounts that lack rights which root usually has; the kernel opens its settings to user 0 for the number alone. */
const LESSER_ROOTS: Readonly<Record<string, readonly string[]>> = {
  'root without CAP_SYS_ADMIN': ['--bounding-set=-sys_admin', '--inh-caps=-sys_admin'],
  // Without that one nobody may map user 0.
  'root with CAP_SETFCAP alone': ['--bounding-set=-all,+setfcap', '--inh-caps=-all'],
  'root in another group': ['--bounding-set=-sys_admin,-setgid', '--inh-caps=-all', '--regid=1000', '--clear-groups'],
};

/** The mounts that cover the settings, taken away. */
const UNCOVER: Attempts = {
  'the cover of the settings': 'umount /proc/sys',
  'the cover, lazily': 'umount -l /proc/sys',
  'the cover, in namespaces of its own': 'unshare -Urm umount /proc/sys',
  'a fresh /proc': 'unshare -Urmpf mount -t proc proc /mnt',
};

for (const [title, words] of Object.entries(LESSER_ROOTS)) {
  test(`S17: ${title} opens no setting of the kernel for writing`, async (t) => {
    if (!isRoot) return leaveOut(t, 'only root can be root with fewer rights');
    const made = await cage(t, {});
    if (made === undefined) return;
    await made.s.stop();
    const all = `for f in $(find /proc/sys -type f ! -name ns_last_pid 2>/dev/null) ${CONTROLS.join(' ')}; do
      $P open-for-writing "$f" 2>/dev/null && echo "$f"
    done`;
    const uncover = Object.values(UNCOVER).map((attempt) => `${attempt} 2>/dev/null && echo '${attempt}'`);
    const script = [`$P open-for-writing /dev/null && echo open`, all, ...uncover, 'exit 0'].join('\n');
    const run = [process.execPath, MAIN, 'run', '--quiet', '-c', script];
    const { stdout, stderr } = await made.s.native(['setpriv', ...words, '--', ...run], { env: made.env });
    assert.equal(stdout, 'open\n', stderr);
  });
}
