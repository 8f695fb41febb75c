/** What is said of a host that refuses a step of making a view: who refuses it, and what mends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Facts, refusalOf } from '../../src/sandbox/refusals.ts';

/** A host that forbids nothing, and what differs. */
function host(differs: Partial<Facts> = {}): Facts {
  const none = { setting: () => undefined, isRoot: false, profile: undefined, restricted: undefined };
  return { ...none, hasSeccompFilter: false, isInContainer: false, ...differs };
}

const SETGROUPS = '/proc/self/setgroups: Permission denied';
const UNSHARE = 'user namespace: Operation not permitted';
const DENIED = 'user namespace: Permission denied';
const PROC = '/proc: Operation not permitted';

test("without Perl a container's covered /proc is named, whatever filter the container has", () => {
  const why = '/proc: mount: /x/mnt/proc: must be superuser to use mount.';
  const { what, hint } = refusalOf(why, host({ hasSeccompFilter: true, isInContainer: true }));
  assert.match(what ?? '', /^parts of \/proc are covered here, as in containers/);
  assert.match(hint ?? '', /^install Perl; .* unmask=ALL/);
});

test("Ubuntu's restriction is named, with the command that mends it and why that is safe", () => {
  for (const why of [SETGROUPS, '/proc/self/uid_map: Operation not permitted', UNSHARE]) {
    const { what, hint } = refusalOf(why, host({ restricted: 'absent' }));
    assert.match(what ?? '', /^this system gives user namespaces to programs with an AppArmor profile only/);
    assert.match(hint ?? '', /^once: 'sudo .*setup'; .* which commands in the view cannot use$/);
  }
});

test('a copy of the holder that cannot be used is said to be there, and why it is not', () => {
  const { what } = refusalOf(SETGROUPS, host({ restricted: "/a/holder is another version's" }));
  assert.match(what ?? '', /, and \/a\/holder is another version's$/);
});

test('in a container the restriction is a matter of its host', () => {
  const { hint } = refusalOf(SETGROUPS, host({ restricted: 'absent', isInContainer: true }));
  assert.match(hint ?? '', /container's host: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0$/);
});

test('an AppArmor profile that confines this process is named, whatever else restricts', () => {
  const facts = host({ profile: 'docker-default', restricted: 'absent', hasSeccompFilter: true, isInContainer: true });
  for (const why of [DENIED, 'mount namespace: Permission denied']) {
    const { what, hint } = refusalOf(why, facts);
    assert.match(what ?? '', /'docker-default'/);
    assert.match(hint ?? '', /--security-opt apparmor=unconfined/);
  }
});

test('a seccomp filter is blamed on the container, or on the unit where there is none', () => {
  const inContainer = host({ hasSeccompFilter: true, isInContainer: true, profile: 'docker-default' });
  assert.match(refusalOf(UNSHARE, inContainer).hint ?? '', /--security-opt seccomp=unconfined/);
  const inUnit = refusalOf(UNSHARE, host({ hasSeccompFilter: true })).hint ?? '';
  assert.match(inUnit, /RestrictNamespaces=/);
  assert.doesNotMatch(inUnit, /container/);
});

test('a descriptor that cannot be taken from the holder is a matter of the filter, or of tracing', () => {
  const filtered = { hasSeccompFilter: true, isInContainer: true };
  assert.match(refusalOf('pidfd_getfd', host(filtered)).hint ?? '', /seccomp=unconfined/);
  const closed = host({ ...filtered, setting: () => '3' });
  assert.match(refusalOf('pidfd_getfd', closed).hint ?? '', /ptrace_scope has to be below 3$/);
  assert.match(refusalOf('pidfd_getfd', host()).hint ?? '', /ptrace_scope/);
});

test('a setting that forbids user namespaces is named with what it has to be', () => {
  const setting = (name: string): string => (name === 'user.max_user_namespaces' ? '0' : '1');
  const { hint } = refusalOf('user namespace: No space left on device', host({ setting, hasSeccompFilter: true }));
  assert.equal(hint, 'as root: sysctl -w user.max_user_namespaces=15000');
});

test('Debian keeps user namespaces from ordinary users only', () => {
  const setting = (name: string): string => (name === 'kernel.unprivileged_userns_clone' ? '0' : '1');
  assert.equal(refusalOf(UNSHARE, host({ setting })).hint, 'as root: sysctl -w kernel.unprivileged_userns_clone=1');
  const ofRoot = refusalOf(UNSHARE, host({ setting, isRoot: true, hasSeccompFilter: true }));
  assert.doesNotMatch(ofRoot.hint ?? '', /sysctl/);
});

test('a /proc that cannot be mounted has a hint, and a step that nothing is known of has none', () => {
  assert.match(refusalOf(PROC, host()).hint ?? '', /container/);
  assert.deepEqual(refusalOf('/dev/pts: No space left on device', host()), { hint: undefined });
});
