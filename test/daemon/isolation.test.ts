/** What a command in the view can reach, and what it cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts, isRoot, ordinary } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';
import { type Session, session } from '../support/session.ts';

/** Runs each line with sh; returns those that succeeded. */
async function succeeding(s: Session, lines: readonly string[]): Promise<string[]> {
  const script = lines.map((line, i) => `if (${line}) >/dev/null 2>&1; then echo ${i}; fi`).join('\n');
  const numbers = (await s.sh(script)).split('\n').filter((number) => number !== '');
  return numbers.map((number) => lines[Number(number)] ?? '');
}

for (const account of accounts()) {
  test(`run gives no way to change the host through kernel interfaces, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const attempts = [
      'echo 0 > /proc/sys/kernel/panic_on_oops',
      'echo h > /proc/sysrq-trigger',
      'touch /sys/kernel/new',
      'mkdir /sys/fs/cgroup/new',
      'echo $$ > /sys/fs/cgroup/cgroup.procs',
      'head -c 1 /proc/kcore',
      'mount -t tmpfs none /mnt',
      'mount -o remount,rw /proc/sys',
      'mount -o remount,rw /sys',
      'umount /proc',
      'umount -l /sys',
      'umount /dev',
      'mknod /dev/shm/disk b 8 0',
      'unshare -Urm umount /sys',
      'unshare -Urm mount -o remount,rw,bind /sys',
      'unshare -Urm umount /tmp',
      // A control group hierarchy of its own would be the host's, writable.
      'unshare -UrmC mount -t cgroup2 none /mnt',
      'ls -A /sys/kernel/debug | grep .',
    ];
    assert.deepEqual(await succeeding(s, attempts), []);
  });

  test(`run keeps a command away from the process that holds the view, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const attempts = [
      'readlink /proc/1/root',
      'readlink /proc/1/cwd',
      'readlink /proc/1/exe',
      'readlink /proc/1/fd/0',
      'cat /proc/1/environ | grep .',
      'cat /proc/1/mem',
      'nsenter -t 1 -m true',
      'nsenter -t 1 -U true',
    ];
    assert.deepEqual(await succeeding(s, attempts), []);
    assert.equal(await s.sh('kill -9 1; ps -p 1 -o pid= | tr -d " "'), '1\n', 'the init can be killed');
  });

  test(`run shows its own processes only, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    assert.doesNotMatch(await s.sh('cat /proc/[0-9]*/cmdline'), /daemon\/main/);
    assert.equal(await s.sh(`test -e /proc/${process.pid} && cat /proc/${process.pid}/cmdline || echo none`), 'none\n');
  });

  test(`run lets a command do what it may natively, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const ordinaryWork = [
      'echo x > /dev/null',
      'head -c 4 /dev/urandom',
      'test -w /dev/shm && echo x > /dev/shm/f && test "$(cat /dev/shm/f)" = x',
      'test -w /tmp && echo x > /tmp/f',
      'echo x | cat /dev/stdin',
      'echo x > /dev/stdout',
      'test "$(readlink /proc/self/cwd)" = "$PWD"',
      'test -d /sys/class',
      'unshare -Ur true',
      'script -qec "tty" /dev/null',
      'ulimit -c 0',
      'chown "$(id -u):$(id -g)" hello.txt',
    ];
    assert.deepEqual(await succeeding(s, ordinaryWork), ordinaryWork);
  });

  test(`run survives a command that kills everything, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('echo before > before');
    await s.cli(['run', '--quiet', '--', 'sh', '-c', 'kill -9 -1; exit 3']);
    assert.equal(await s.sh('cat before; echo alive'), 'before\nalive\n');
  });
}

test('run as root has all owners, and rights over files but not over mounts', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root has files of several owners');
  const s = await session(t);
  const script = `echo x > theirs; chown 12:34 theirs; chmod 600 theirs; cat theirs; stat -c %u:%g theirs /
    setpriv --reuid 12 --clear-groups cat theirs`;
  assert.equal(await s.sh(script), 'x\n12:34\n0:0\nx\n');
  assert.deepEqual(await succeeding(s, ['chroot / true', 'setpriv --reuid 5 true', 'mount -t tmpfs n /mnt']), [
    'chroot / true',
    'setpriv --reuid 5 true',
  ]);
});

test('run as an ordinary user leaves room for sandboxes of programs inside', async (t) => {
  const s = await session(t, { account: ordinary() });
  const inner = await s.sh('unshare -Urpf --mount-proc sh -c "echo \\$\\$; ls /proc | grep -c ^1$"');
  assert.equal(inner, '1\n1\n');
});
