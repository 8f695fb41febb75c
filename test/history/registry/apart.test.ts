/** Sessions whose store lies in the registry, apart from the project. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Layout } from '../../../src/history/layout.ts';
import { withoutTokens } from '../../../src/history/layout.ts';
import { holdsStore, isApart, makeApart, projectsApart } from '../../../src/history/registry/apart.ts';
import { dropForgotten } from '../../../src/history/registry/entries.ts';
import { isThere, lostFrom, sessionIn } from '../../../src/history/registry/find.ts';
import { ensureSession } from '../../../src/history/registry/make.ts';
import { UserError } from '../../../src/sys/user-error.ts';

interface Place {
  readonly root: string;
  readonly project: string;
}

function place(t: TestContext): Place {
  const root = fs.mkdtempSync('/var/tmp/yolofs-apart-');
  t.after(() => fs.rmSync(root, { recursive: true }));
  process.env.XDG_STATE_HOME = join(root, 'state');
  const project = join(root, 'project');
  fs.mkdirSync(project);
  // The registry, which a first session makes.
  fs.mkdirSync(join(root, 'first'));
  ensureSession(join(root, 'first'));
  return { root, project };
}

function marked({ root, project }: Place): Layout {
  const mark = join(root, 'project', '.yolofs-new');
  fs.mkdirSync(mark, { mode: 0o700 });
  const made = makeApart(project, mark);
  assert.ok(made !== undefined);
  return made;
}

test('a store apart lies in the entry, and the mark in the project says whose it is', (t) => {
  const at = place(t);
  const session = marked(at);
  assert.equal(dirname(session.store), session.entry);
  assert.deepEqual(fs.readdirSync(session.dir), [basename(session.store)]);
  assert.deepEqual(sessionIn(at.project), session);
  assert.deepEqual(ensureSession(at.project), session);
  assert.deepEqual([isApart(session), isThere(session)], [true, true]);
  assert.deepEqual([...projectsApart()], [at.project]);
  assert.equal(withoutTokens(session.journal), `${session.entry}/…/journal`);
  assert.equal(fs.statSync(session.store).mode & 0o777, 0o700);
});

test('another disk in its place is no session of it, and what is staged stays until the first is back', (t) => {
  const at = place(t);
  const session = marked(at);
  fs.renameSync(at.project, join(at.root, 'unmounted'));
  fs.mkdirSync(at.project);
  assert.equal(sessionIn(at.project), undefined);
  assert.equal(isThere(session), false);
  assert.equal(lostFrom([at.project])?.entry, session.entry);
  dropForgotten();

  fs.mkdirSync(join(at.project, '.yolofs/0123456789abcdef0123456789abcdef'), { recursive: true });
  assert.throws(() => sessionIn(at.project), UserError, 'another token says nothing');
  fs.rmSync(at.project, { recursive: true });
  fs.renameSync(join(at.root, 'unmounted'), at.project);
  assert.deepEqual(sessionIn(at.project), session);
});

test('of two who make it at once one makes it, with a mark and without', (t) => {
  const at = place(t);
  const session = marked(at);
  const late = join(at.project, '.yolofs-late');
  fs.mkdirSync(late);
  assert.equal(makeApart(at.project, late), undefined);
  assert.deepEqual(sessionIn(at.project), session);

  const other = join(at.root, 'other');
  fs.mkdirSync(other);
  const unmarked = makeApart(other, undefined);
  assert.equal(makeApart(other, undefined), undefined);
  assert.deepEqual(sessionIn(other), unmarked);
  assert.deepEqual(fs.readdirSync(other), []);
});

test('a directory that is not for this user alone holds no store; bits that directories inherit do not matter', (t) => {
  const { project } = place(t);
  const modes = [0o700, 0o2700, 0o755, 0o777];
  const holds = modes.map((mode) => {
    fs.chmodSync(project, mode);
    return holdsStore(project);
  });
  assert.deepEqual(holds, [true, true, false, false]);
});
