/** Hosts that lack what a session needs: one clear line, exit 1, nothing changed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Account, accounts, become, isRoot, ordinary, self } from '../support/accounts.ts';
import type { Result } from '../support/exec.ts';
import { leaveOut } from '../support/need.ts';
import { assertRefused } from '../support/refusal.ts';
import { MAIN, type Session, session, writeUserConfig } from '../support/session.ts';
import { assertSameTree } from '../support/tree.ts';

const RUN = [process.execPath, MAIN, 'run', '--', 'sh', '-c', 'echo ran > hello.txt'];

/** Runs a shell script, which follows, in a mount namespace of its own. */
const namespace = ['unshare', ...(isRoot ? ['--mount'] : ['-Urm']), '--propagation', 'private', '--', 'sh', '-euc'];

/** A mount namespace with a /dev of its own: the devices programs need, and whatever `fuse` makes. */
function withOwnDev(fuse: string): string[] {
  const script = `d=$(mktemp -d); mount -t tmpfs dev "$d"
    for n in null zero full random urandom tty; do touch "$d/$n"; mount --bind "/dev/$n" "$d/$n"; done
    cd "$d"; ${fuse}; cd /; mount --move "$d" /dev; rmdir "$d"; exec "$@"`;
  return [
    'unshare',
    ...(isRoot ? ['--mount'] : ['-Urm']),
    '--propagation',
    'private',
    '--',
    'sh',
    '-euc',
    script,
    'sh',
  ];
}

/** Runs `argv` as the session's account below `wrapper`, which root (or a namespace's root) runs. */
function wrapped(s: Session, wrapper: readonly string[], argv: readonly string[]): Promise<Result> {
  return s.native([...wrapper, 'sh', '-c', 'cd "$0" && exec "$@"', s.project, ...become(s.account), ...argv], {
    account: accounts()[0] as Account,
  });
}

for (const account of accounts()) {
  test(`run says that /dev/fuse is missing, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const before = await s.baseTree({ mtime: true, ino: true });
    assertRefused(await wrapped(s, withOwnDev(':'), RUN), /\/dev\/fuse/);
    assertSameTree(await s.baseTree({ mtime: true, ino: true }), before, 'something has changed');
  });
}

test('run says that /dev/fuse is closed to this user', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may make a device');
  const s = await session(t, { account: ordinary() });
  const result = await wrapped(s, withOwnDev('mknod -m 600 fuse c 10 229'), RUN);
  assertRefused(result, /\/dev\/fuse/);
  assert.match(result.stderr, /hint: /);
});

test('run says that user namespaces are not to be had', async (t) => {
  const s = await session(t, { account: ordinary() });
  const before = await s.baseTree({ mtime: true, ino: true });
  // The kernel makes no user namespaces for who is in a chroot: EPERM, as where an administrator has closed them.
  const script = 'mount --rbind / /mnt; exec chroot /mnt "$@"';
  const closed = [...namespace, script, 'sh'];
  assertRefused(await wrapped(s, closed, RUN), /user namespace/);
  assertSameTree(await s.baseTree({ mtime: true, ino: true }), before, 'something has changed');
  assert.equal(await s.sh('cat hello.txt'), 'base content\n', 'the session works once they are there');
});

/** What Perl can do itself is left to util-linux then. */
const HIDE_PERL = 'mount --bind /dev/null "$(realpath "$(command -v perl)")";';
/** The person's own file, where that is accepted. */
const WITHOUT_PERL = 'default_rules = false\n[session]\nincomplete_cage = true\n';

for (const tool of ['nsenter', 'setpriv', 'unshare', 'mount']) {
  test(`run says, without Perl, that ${tool} of util-linux cannot be used`, async (t) => {
    const s = await session(t);
    writeUserConfig(s.home, WITHOUT_PERL, self);
    const wrapper = [...namespace, `${HIDE_PERL} mount --bind /dev/null "$(command -v ${tool})"; exec "$@"`, 'sh'];
    assertRefused(await wrapped(s, wrapper, RUN), new RegExp(tool));
  });
}

test('run finds its own tools with any PATH', async (t) => {
  const s = await session(t);
  const result = await s.cli(['run', '--quiet', '--', '/bin/cat', 'hello.txt'], { env: { PATH: '/nonexistent' } });
  assert.equal(result.stdout, 'base content\n', result.stderr);
});

test('S17: without Perl run refuses, unless the person accepts less of a cage, and what it cannot keep then', async (t) => {
  const s = await session(t);
  const hidden = [...namespace, `${HIDE_PERL} exec "$@"`, 'sh'];
  const refused = await wrapped(s, hidden, RUN);
  assertRefused(refused, /Perl/);
  assert.match(refused.stderr, /hint: .*config\.toml: \[session\] incomplete_cage = true\n$/);
  // Not for a project to say.
  writeFileSync(join(s.project, '.yolofs.toml'), '[session]\nincomplete_cage = true\n');
  assertRefused(await wrapped(s, hidden, RUN), /incomplete_cage/);
  writeFileSync(join(s.project, '.yolofs.toml'), '');
  writeUserConfig(s.home, WITHOUT_PERL, self);
  const script = 'grep Seccomp: /proc/self/status; grep NoNewPrivs /proc/self/status; echo $PERL_BADLANG';
  const run = [process.execPath, MAIN, 'run', '--quiet', '--', 'sh', '-c', script];
  const { stdout, stderr } = await wrapped(s, hidden, run);
  assert.equal(stdout, 'Seccomp:\t0\nNoNewPrivs:\t1\n\n', stderr);
  await s.stop();
  writeFileSync(join(s.project, '.yolofs.toml'), '[limits]\nopen_files = 100\n');
  assertRefused(await wrapped(s, hidden, run), /Perl/);
});
