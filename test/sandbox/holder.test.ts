/** The two ways in which the view's mounts are made: as one Perl program, and with the host's tools where there is no Perl. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts, become, isRoot, self } from '../support/accounts.ts';
import { has, leaveOut } from '../support/need.ts';
import { MAIN, session } from '../support/session.ts';

/** What /proc/self/mountinfo says, without the numbers that every mount gets anew. */
function mounts(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split(' ').slice(3).join(' ')).sort();
}

/** Hides Perl from what follows, in a mount namespace of its own. */
const HIDE_PERL = `for file in /usr/bin/perl /usr/local/bin/perl; do
  if [ -e "$file" ]; then mount --bind /dev/null "$file"; fi
done
exec "$@"`;

for (const account of accounts()) {
  test(`the view has the same mounts with and without Perl, as ${account.title}`, async (t) => {
    if (!has(t, ['perl', 'unshare'])) return;
    if (!isRoot) return leaveOut(t, 'only root can hide a program of the host');
    const s = await session(t, { account, rules: 'default_rules = false\n[session]\nincomplete_cage = true\n' });
    const inView = ['run', '--quiet', '--', 'cat', '/proc/self/mountinfo'];
    const withPerl = mounts(await s.succeed(inView));
    assert.match(await s.sh('cat /proc/1/comm'), /^yolofs-init$/m);
    await s.stop();

    const hiding = ['unshare', '--mount', '--', 'sh', '-euc', HIDE_PERL, 'sh', ...become(account)];
    const result = await s.native([...hiding, process.execPath, MAIN, ...inView], { account: self });
    assert.equal(result.code, 0, result.stderr);
    assert.deepEqual(mounts(result.stdout), withPerl);
    assert.ok(withPerl.length > 15, withPerl.join('\n'));
    const init = [...inView.slice(0, 3), 'cat', '/proc/1/comm'];
    assert.equal((await s.native([...hiding, process.execPath, MAIN, ...init], { account: self })).stdout, 'cat\n');
  });
}

/** In mounts of its own, of which the view's are told as they are of the host's. */
const MOUNT_LATER = `mount --make-rshared /
"$@" run --quiet -- true
mount -t tmpfs -o mode=1777 yolofs-later /sys/fs/fuse/connections
exec "$@" run --quiet -- sh -c 'touch /sys/fs/fuse/connections/here; grep -c yolofs-later /proc/self/mountinfo'`;

for (const hide of ['', HIDE_PERL.replace('exec "$@"', '')]) {
  test(`what the host mounts below /sys later does not come into the view, with${hide && 'out'} Perl`, async (t) => {
    if (!isRoot || !has(t, ['unshare', 'perl'])) return leaveOut(t, 'only root can mount for all');
    const s = await session(t, { account: self, rules: 'default_rules = false\n[session]\nincomplete_cage = true\n' });
    const argv = ['unshare', '--mount', '--', 'sh', '-uc', `${hide}${MOUNT_LATER}`, 'sh', process.execPath, MAIN];
    const { stdout, stderr } = await s.native(argv, { account: self });
    assert.equal(stdout, '0\n', stderr);
  });
}
