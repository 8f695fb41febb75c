/** Namespaces, mounts and privileges: nothing inside gives more rights over the host than the account has. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts, isRoot } from '../support/accounts.ts';
import { assertCaged, cage, showsTheHost, through } from './attempts.ts';

const UNSHARE = 'unshare -Urm sh -c';

for (const account of accounts()) {
  test(`a user namespace of one's own is no way out, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const attempts = {
      'bind mount of the root alone': `${UNSHARE} 'mount --bind / /mnt && cat "/mnt$OUT/secret"'`,
      'bind mount of everything': `${UNSHARE} 'mount --rbind / /mnt && cat "/mnt$OUT/secret"'`,
      'a copy of the root mount': `${UNSHARE} '$P open-tree / "\${OUT#/}/secret"'`,
      'the root after an unmount': `${UNSHARE} 'umount -l /; cat "$OUT/secret"'`,
      'what is below /tmp': `${UNSHARE} 'umount -l /tmp && cat "$OUT/secret" && ls /tmp'`,
      'a new root': `${UNSHARE} 'mount -t tmpfs t /mnt && mkdir /mnt/old && pivot_root /mnt /mnt/old && cat "/old$OUT/secret"'`,
      'chroot upward': `${UNSHARE} 'mkdir -p c && chroot c /bin/true; cat ../../../../../..$OUT/secret'`,
      'overlay of the root': `${UNSHARE} 'mkdir -p u w && mount -t overlay o -o lowerdir=/,upperdir=u,workdir=w /mnt && cat "/mnt$OUT/secret"'`,
      open_by_handle_at: '$P handle / "$OUT/secret"',
      'open_by_handle_at from /tmp': '$P handle /tmp "$OUT/secret"',
      'open_by_handle_at in a user namespace': `unshare -Ur $P handle / "$OUT/secret"`,
      'ancestors of /tmp': 'cat "/tmp/../../../../..$OUT/secret"',
      'ancestors of the socket': 'cat "/dev/yolofs/../../..$OUT/secret"',
    };
    assert.deepEqual(await through(made, 'view', { attempts, isThrough: showsTheHost }), []);
    const uncovering = {
      'root remounted': `${UNSHARE} 'mount -o remount,bind,suid,dev,rw /tmp'`,
      'unmount of /proc': `${UNSHARE} 'umount /proc'`,
      'unmount of /proc/sys': `${UNSHARE} 'umount /proc/sys'`,
      'unmount of /dev': `${UNSHARE} 'umount -l /dev'`,
      'unmount of /dev/yolofs': `${UNSHARE} 'umount /dev/yolofs'`,
      'unmount of /tmp': `${UNSHARE} 'umount -l /tmp'`,
      'mount without a namespace': 'mount -t tmpfs t /mnt',
      'bind mount without a namespace': 'mount --bind "$OUT" /mnt',
      'user namespace of the init': '$P namespace /proc/1/ns/user /dev/null',
      'mount namespace of the init': '$P namespace /proc/1/ns/mnt /dev/null',
      'user namespace of the host': 'nsenter --user=/proc/self/ns/user true',
      'host name': 'hostname yolofs-test-inside',
      'host name in a user namespace': 'unshare -Ur hostname yolofs-test-inside',
    };
    assert.deepEqual(await through(made, 'view', { attempts: uncovering }), []);
  });

  test(`setuid programs and file capabilities give nothing, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const other = account.uid === 0 ? 12345 : 0;
    if (!isRoot) return;
    for (const place of ['outside', 'project', 'home']) {
      const copy = join(made.s.root, place, 'setuid');
      copyFileSync(made.probe, copy);
      chownSync(copy, other, 0);
      chmodSync(copy, 0o4755);
    }
    await assertCaged(made, {
      attempts: {
        'a setuid program outside of the project': `"$OUT/setuid" user ${other}`,
        'a setuid program in the project': `./setuid user ${other}`,
        'a setuid program in the home directory': `~/setuid user ${other}`,
      },
    });
  });
}
