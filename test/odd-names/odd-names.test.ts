/**
 * Names with newlines, quotes, invalid UTF-8 and terminal escapes, through every command on a real view: what they
 * name comes through byte for byte, and nothing of them reaches a terminal that a terminal obeys.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { label } from '../../src/sys/bytes.ts';
import { someAccounts } from '../support/accounts.ts';
import { succeed } from '../support/exec.ts';
import { BUILT, type Session, session, PROGRAM as YOLOFS } from '../support/session.ts';
import { assertSameTree } from '../support/tree.ts';
import { isHarmless, ODD_NAMES } from './names.ts';

const PROGRAM = 'odd-names/odd-names-main.js';
const NAME = 'odd \x1b[31m\nname\x9b "\\';
const COUNT = ODD_NAMES.length;

for (const account of someAccounts()) {
  test(`odd names, as ${account.title}, come through every command and are printed harmlessly`, {
    timeout: 120_000,
  }, async (t) => {
    const s = await session(t, {
      account,
      seed: async (project) => {
        await succeed([process.execPath, join(BUILT, 'test', PROGRAM), 'fill'], { cwd: project });
      },
    });
    const before = await s.baseTree({ mtime: true });
    await s.program(PROGRAM, ['change']);
    await prints(s, ['snapshot', NAME]);
    const view = await s.tree({ mtime: true });
    await listings(s);
    await s.killDaemon();
    assertSameTree(await s.tree({ mtime: true }), view, 'after a kill');
    await prints(s, ['commit', '--dry-run']);
    await prints(s, ['commit', '--yes']);
    assertSameTree(await s.baseTree({ mtime: true }), view, 'the committed base');
    assert.deepEqual(await s.changes(), []);
    await prints(s, ['undo']);
    assertSameTree(await s.baseTree({ mtime: true }), before, 'the base after the undo');
    assertSameTree(await s.tree({ mtime: true }), view, 'the view after the undo');
    await prints(s, ['travel', '0']);
    assertSameTree(await s.tree({ mtime: true }), before, 'generation 0');
    await prints(s, ['travel', '1']);
    assertSameTree(await s.tree({ mtime: true }), view, 'generation 1');
    await prints(s, ['audit']);
    await prints(s, ['audit', '--json']);
    await prints(s, ['log']);
    assert.ok(isHarmless(readFileSync(join(s.layout.store, 'journal'), 'utf8').replaceAll('\t', '')), 'the journal');
    assert.ok(before.length > COUNT);
  });
}

test('paths that are not UTF-8 can be named on the command line, and a command is not run with others than it was given', async (t) => {
  const s = await session(t);
  /** `yolofs` by the installed program, with words that a shell makes: no text that Node passes on has these bytes. */
  const shell = (line: string): ReturnType<typeof s.native> =>
    s.native(['bash', '-c', `y() { sh ${YOLOFS} "$@"; }; ${line}`]);
  await s.sh('for i in 376 377; do printf "x\\n" > "$(printf "a\\\\$i")"; done; echo x >> hello.txt');
  const both = await shell("y commit --yes $'a\\xfe' $'a\\xff'");
  assert.match(both.stderr, /^yolofs: commit: a\ufffd stands for several words that are not UTF-8\nhint: .*\n$/);
  const diff = (await shell("y diff -- $'a\\xff'")).stdout;
  assert.match(diff, /^diff --git "a\/a\\377" "b\/a\\377"\n/);
  assert.equal(diff.match(/^diff/gm)?.length, 1, diff);
  assert.match((await shell("y commit --yes $'a\\xff'")).stderr, /^committed 1 change$/m);
  assert.deepEqual(
    readdirSync(s.project, 'latin1').filter((name) => name.startsWith('a')),
    ['a\xff'],
  );
  assert.match((await shell("y abort --yes $'a\\xfe'")).stderr, /^discarded 1 staged change$/m);
  assert.deepEqual(await s.changeLines(), ['modified hello.txt']);
  for (const words of ["-- touch $'b\\xff'", "-c $'touch b\\xff'"]) {
    const { code, stderr } = await shell(`y run ${words} < /dev/null`);
    assert.equal(code, 1);
    assert.match(stderr, /^yolofs: run: not UTF-8, so it cannot be passed on: .*b\ufffd\nhint: .*\n$/);
  }
  assert.deepEqual(await s.changeLines(), ['modified hello.txt']);
  assert.equal((await shell('y run --quiet -- touch c\ufffd < /dev/null')).code, 0);
  assert.deepEqual(await s.changeLines(), ['added c\ufffd', 'modified hello.txt']);
});

/** What lists changes: harmless, and with each name once where names are listed. */
async function listings(s: Session): Promise<void> {
  const status = await prints(s, ['status']);
  const changes = await s.changes();
  // Of `added`, `symlinks`, `dirs` and `away` there is one more each: the directory.
  assert.equal(new Set(changes.map(({ path }) => path)).size, changes.length, 'two changes have the same path');
  const counted = (kind: string): number => changes.filter(({ change }) => change === kind).length;
  assert.deepEqual(['modified', 'deleted', 'renamed', 'metadata', 'added'].map(counted), [
    COUNT,
    COUNT,
    COUNT,
    COUNT,
    4 + 4 * COUNT,
  ]);
  for (const name of ODD_NAMES) assert.ok(status.split('\n').includes(`  edited/${label(name)}`), label(name));
  // What a symlink points to is its content, and content is shown as it is.
  await prints(s, ['diff', '--', 'edited', 'deleted', 'away', 'chmodded', 'added', 'dirs']);
  await prints(s, ['diff', '--stat']);
  assert.match(await prints(s, ['log']), /odd \\x1b\[31m\\x0aname\\u009b "\\/);
  const [entry] = (JSON.parse(await prints(s, ['log', '--json'])) as { name: string }[]).filter(({ name }) => name);
  assert.equal(entry?.name, 'odd \\x1b[31m\\x0aname\\u009b "\\');
}

/** Runs a command that must succeed with nothing harmful on either stream; returns its stdout. */
async function prints(s: Session, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await s.cli(args);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  for (const text of [stdout, stderr]) {
    // git ends a name with a space in a tab.
    const line = text.split('\n').find((l) => !isHarmless(l.replace(/^((?:---|\+\+\+) .*)\t$/, '$1')));
    assert.equal(line, undefined, `${args.join(' ')} prints ${JSON.stringify(line)}`);
  }
  return stdout;
}
