/** Which directory is a session: what the registry says, whatever lies in the tree. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Layout } from '../../../src/history/layout.ts';
import { allRegistered, renumberEntry } from '../../../src/history/registry/entries.ts';
import { isMade, layoutOfNone, lostFrom, sessionIn } from '../../../src/history/registry/find.ts';
import { ensureSession } from '../../../src/history/registry/make.ts';
import { stateDirectory } from '../../../src/sys/host/state-directory.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { overtake } from '../../sys/overtake.ts';

interface Place {
  readonly root: string;
  readonly project: string;
  readonly session: Layout;
}

/** A project with a session, in a registry of its own. */
function place(t: TestContext): Place {
  const root = fs.mkdtempSync('/var/tmp/yolofs-registry-');
  t.after(() => fs.rmSync(root, { recursive: true }));
  process.env.XDG_STATE_HOME = join(root, 'state');
  const project = join(root, 'project');
  fs.mkdirSync(project);
  return { root, project, session: ensureSession(project) };
}

function refused(project: string): string {
  try {
    sessionIn(project);
  } catch (error) {
    assert.ok(error instanceof UserError);
    assert.equal(error.message.includes('\n'), false);
    assert.ok(error.hint !== undefined, 'it says what to do');
    return error.message;
  }
  return 'believed';
}

test('S1: a session is found again, and what is acted on lies outside of the tree', (t) => {
  const { root, project, session } = place(t);
  assert.deepEqual(sessionIn(project), session);
  assert.deepEqual(ensureSession(project), session);
  const outside = ['rules', 'agents', 'own', 'tmp', 'guestSocket', 'mount', 'fastMount', 'requests'] as const;
  for (const part of outside) assert.ok(session[part].startsWith(join(root, 'state/yolofs/sessions/')), part);
  assert.match(basename(session.store), /^[0-9a-f]{32}$/);
  assert.equal(session.entry.includes(basename(session.store)), false, 'what is mounted does not tell the token');
  for (const dir of [
    session.dir,
    session.store,
    session.entry,
    join(root, 'state/yolofs'),
    join(root, 'state/yolofs/sessions'),
  ])
    assert.equal(fs.statSync(dir).mode & 0o777, 0o700, dir);
});

test('an entry that is taken away while all are read is left out', (t) => {
  const { session } = place(t);
  overtake(t, 'openSync', () => fs.rmSync(session.entry, { recursive: true }));
  assert.deepEqual(allRegistered(), []);
});

test('a session whose device number has changed is renumbered once, by whoever comes first', (t) => {
  const { session } = place(t);
  const [registered] = allRegistered();
  assert.ok(registered !== undefined);
  const now = { device: '12345', inode: registered.inode };
  const moved = renumberEntry(registered, now);
  assert.deepEqual(renumberEntry(registered, now), moved, 'who has found the old one as well');
  assert.deepEqual(allRegistered(), [moved]);
  assert.equal(fs.existsSync(session.entry), false);
});

test('S1: what nobody has registered is not believed, whatever it holds', (t) => {
  const { root, session } = place(t);
  const clone = join(root, 'clone');
  fs.mkdirSync(join(clone, '.yolofs/commits/1'), { recursive: true });
  assert.match(refused(clone), /\.yolofs was not made by yolofs here/);
  fs.writeFileSync(join(clone, '.yolofs/journal'), 'yolofs journal 2\n');
  assert.match(refused(clone), /a session of an earlier version of yolofs, or came along/);
  fs.rmSync(join(clone, '.yolofs'), { recursive: true });
  fs.symlinkSync(session.dir, join(clone, '.yolofs'));
  assert.match(refused(clone), /is a symbolic link, and no session/);
  fs.unlinkSync(join(clone, '.yolofs'));
  fs.writeFileSync(join(clone, '.yolofs'), '');
  assert.match(refused(clone), /is no directory, and no session/);
  fs.unlinkSync(join(clone, '.yolofs'));
  fs.mkdirSync(join(clone, '.yolofs'));
  assert.equal(sessionIn(clone), undefined, 'an empty directory holds nothing to be believed');
  assert.ok(isMade(ensureSession(clone)));
});

test('S1: what lies beside the store is not looked at, and a store that is gone or open to others is told', (t) => {
  const { project, session } = place(t);
  for (const name of ['agents', 'rules.toml', 'journal', 'tmp', 'a'.repeat(32)])
    fs.writeFileSync(join(session.dir, name), 'x');
  assert.deepEqual(sessionIn(project), session);
  fs.chmodSync(session.store, 0o750);
  assert.match(refused(project), /is open to others/);
  fs.chmodSync(session.store, 0o700);
  fs.rmSync(session.store, { recursive: true });
  assert.match(refused(project), /the session in .*project is gone: what was staged there is lost/);
  fs.symlinkSync('/etc', session.store);
  assert.match(refused(project), /is gone/);
});

test('S1: a moved project is followed, a copy is refused, and one that was put back by somebody else, too', (t) => {
  const { root, project, session } = place(t);
  const moved = join(root, 'moved');
  fs.renameSync(project, moved);
  execFileSync('cp', ['-a', moved, project]);
  assert.match(refused(project), /\.yolofs is a copy of a session, and no session itself/);
  const found = sessionIn(moved);
  assert.deepEqual([found?.store, found?.entry], [join(moved, '.yolofs', basename(session.store)), session.entry]);
  assert.match(refused(project), /is a copy of the session in .*moved, and no session itself/);
  fs.rmSync(project, { recursive: true });
  assert.equal(lostFrom([project]), undefined);
});

test('D9: a session that is gone is known by its place, until somebody was told', (t) => {
  const { project, session } = place(t);
  assert.equal(lostFrom([project]), undefined);
  fs.renameSync(session.dir, `${session.dir}-away`);
  assert.equal(lostFrom(['/', project])?.project, project);
  assert.equal(sessionIn(project), undefined);
  fs.renameSync(`${session.dir}-away`, session.dir);
  assert.deepEqual(sessionIn(project), session, 'it is back');
});

test('S1: after a start of the machine a file system may have another device number', (t) => {
  const { project, session } = place(t);
  const [, inode] = basename(session.entry).split('-');
  const before = join(stateDirectory(), 'sessions', `1-${inode}`);
  fs.renameSync(session.entry, before);
  assert.deepEqual(sessionIn(project), session);
  assert.equal(fs.existsSync(before), false);
  // The number that it has now was another's: that one is kept.
  execFileSync('cp', ['-a', session.entry, before]);
  fs.writeFileSync(join(session.entry, 'session'), `yolofs session 1\n${'0'.repeat(32)}\n/elsewhere\n`);
  assert.deepEqual(sessionIn(project), session);
  const names = fs.readdirSync(join(stateDirectory(), 'sessions'));
  assert.equal(names.filter((name) => name.startsWith(`${basename(session.entry)}-`)).length, 1, names.join());
});

test('S1: the registry itself is believed only where nobody else could write', (t) => {
  const { project, session } = place(t);
  fs.chmodSync(session.entry, 0o755);
  assert.match(refused(project), /is no entry of a session that yolofs has written/);
  fs.chmodSync(session.entry, 0o700);
  fs.chmodSync(stateDirectory(), 0o777);
  assert.deepEqual(sessionIn(project), session);
  assert.equal(fs.statSync(stateDirectory()).mode & 0o777, 0o700, 'it is closed again');
  fs.renameSync(stateDirectory(), `${stateDirectory()}-real`);
  fs.symlinkSync(`${stateDirectory()}-real`, stateDirectory());
  assert.match(refused(project), /is no directory/);
});

test('D9: a directory in which no command can run has no session', () => {
  for (const project of ['/dev/shm', '/proc', '/sys/fs'])
    assert.throws(() => ensureSession(project), /the view has a \/(?:dev|proc|sys) of its own/);
});

test('a session that nobody has made yet is found nowhere', (t) => {
  const { root } = place(t);
  const none = layoutOfNone(root);
  assert.equal(isMade(none), false);
  for (const path of [none.store, none.entry]) assert.equal(fs.existsSync(path), false);
});
