/** Which directories may be mounted into the view as they are, of trees with one thing each that stands against it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BOUNDS, survey } from '../../../../src/daemon/view/base-mounts/survey.ts';
import type { State } from '../../../../src/rules/states.ts';
import { toBytePath } from '../../../../src/sys/bytes.ts';
import { rulesOf } from '../../../rules/naive.ts';

/** Nobody's: what this process owns is somebody else's to that one. */
const STRANGER = 4711;

interface Tree {
  readonly root: string;
  found(lines?: readonly { text: string; state: State }[], kept?: readonly string[], names?: number): string[];
}

/** `usr` with `bin`, `lib/a`, `lib/b`, two files in each. */
function tree(t: TestContext): Tree {
  const top = mkdtempSync('/var/tmp/yolofs-survey-');
  t.after(() => rmSync(top, { recursive: true }));
  chmodSync(top, 0o755);
  const root = join(top, 'usr');
  for (const dir of ['bin', 'lib/a', 'lib/b']) {
    mkdirSync(join(root, dir), { recursive: true });
    for (const name of ['one', 'two']) writeFileSync(join(root, dir, name), name, { mode: 0o644 });
  }
  for (const dir of ['', 'bin', 'lib', 'lib/a', 'lib/b']) chmodSync(join(root, dir), 0o755);
  const user = { uid: STRANGER, groups: [STRANGER] };
  return {
    root,
    found: (lines = [], kept = [], names = BOUNDS.names) =>
      survey(
        {
          roots: [toBytePath(root)],
          rules: lines.flatMap(({ text, state }) => rulesOf(text, { state, layer: 'user' })),
          user,
          kept: kept.map(toBytePath),
        },
        { ...BOUNDS, names, least: 1 },
      )
        .map(({ path }) => path.slice(top.length + 1))
        .sort(),
  };
}

const WITHOUT_A = ['usr/bin', 'usr/lib/b'];

test('a tree in which everything may be read and nothing changed is mounted as one', (t) => {
  const { root, found } = tree(t);
  symlinkSync('/nowhere', join(root, 'lib/link'));
  assert.deepEqual(found(), ['usr']);
  assert.deepEqual(found([{ text: root, state: 'ask-write' }]), ['usr'], 'who writes is refused anyway');
});

test('what rules deny, hide or ask about keeps its directory out, by path, by glob and by inheritance', (t) => {
  const { root, found } = tree(t);
  for (const state of ['deny', 'hidden', 'ask', 'ask-read'] as const) {
    assert.deepEqual(found([{ text: `${root}/lib/a/one`, state }]), WITHOUT_A, state);
    assert.deepEqual(found([{ text: `${root}/lib/a`, state }]), WITHOUT_A, state);
    assert.deepEqual(found([{ text: root, state }]), [], state);
  }
  writeFileSync(join(root, 'lib/a/.netrc'), '');
  assert.deepEqual(found([{ text: '**/.netrc', state: 'deny' }]), WITHOUT_A);
});

test('what the user may change keeps its directory out, and below a directory of theirs there is no mount', (t) => {
  const { root, found } = tree(t);
  chmodSync(join(root, 'lib/a/one'), 0o666);
  assert.deepEqual(found(), WITHOUT_A);
  chmodSync(join(root, 'lib/a/one'), 0o644);
  chmodSync(join(root, 'lib'), 0o777);
  assert.deepEqual(found(), ['usr/bin'], 'a mount point in it could not be removed');
  chmodSync(join(root, 'lib'), 0o755);
  chmodSync(root, 0o777);
  assert.deepEqual(found(), []);
});

test('sockets, pipes and devices keep their directory out', (t) => {
  const { root, found } = tree(t);
  execFileSync('mkfifo', [join(root, 'lib/a/pipe')]);
  assert.deepEqual(found(), WITHOUT_A);
});

test('places of the session and mount points keep their directory out', (t) => {
  const { root, found } = tree(t);
  assert.deepEqual(found([], [join(root, 'lib/a')]), WITHOUT_A);
  assert.deepEqual(found([], [root]), []);
  assert.deepEqual(found([], [join(root, '..')]), []);
});

test('a file whose other name may not be read keeps all its directories out; of other names elsewhere is told', (t) => {
  const { root, found } = tree(t);
  linkSync(join(root, 'lib/a/one'), join(root, 'bin/linked'));
  assert.deepEqual(found([{ text: `${root}/lib/a/one`, state: 'deny' }]), ['usr/lib/b']);
  const outside = join(root, '../outside');
  linkSync(join(root, 'lib/b/one'), outside);
  const [all] = survey(
    { roots: [toBytePath(root)], rules: [], user: { uid: STRANGER, groups: [] }, kept: [] },
    { ...BOUNDS, least: 1 },
  );
  assert.deepEqual(
    all?.linked.map(({ ino }) => ino),
    [statSync(outside).ino],
  );
});

test('what is beyond the bound of names is left to the view', (t) => {
  const { found } = tree(t);
  assert.deepEqual(found([], [], 10), ['usr']);
  assert.ok(!found([], [], 9).includes('usr'));
});
