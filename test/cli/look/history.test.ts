/** Looking at history through the command line, on a real view: ranges over travels, log, audit, also from inside. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { assertRefused } from '../../support/refusal.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

interface Logged {
  readonly generation: number;
  readonly kind: string;
  readonly live: boolean;
  readonly target?: number;
}

interface Audited {
  readonly what: string;
  readonly path?: string;
  readonly run: number;
  readonly command?: string;
  readonly process?: string;
  readonly live: boolean;
}

/** Snapshots 1 and 2 ("before-deploy"), 3 abandoned by travel 4, and 5. */
async function storied(t: TestContext): Promise<Session> {
  const s = await session(t);
  await s.sh('echo one > new; mv multi.txt moved.txt');
  await s.succeed(['run', '--quiet', '--no-snapshot', '-c', 'echo two >> hello.txt']);
  await s.succeed(['snapshot', 'before-deploy']);
  await s.sh('rm hello.txt; mkdir dir; echo x > dir/x');
  await s.succeed(['travel', 'before-deploy']);
  await s.sh('echo three > new');
  return s;
}

async function changed(s: Session, range: string): Promise<string[]> {
  const { changes } = JSON.parse(await s.succeed(['status', range, '--json'])) as {
    changes: { change: string; path: string; from?: string }[];
  };
  const short = (path: string): string => path.slice(s.project.length + 1);
  return changes.map(
    ({ change, path, from }) => `${change} ${short(path)}${from === undefined ? '' : ` < ${short(from)}`}`,
  );
}

test('status and diff compare any two generations, also of an abandoned branch, and backwards', async (t) => {
  const s = await storied(t);
  const deployed = ['added dir', 'added dir/x', 'deleted hello.txt'];
  assert.deepEqual(await changed(s, '3'), deployed);
  assert.deepEqual(await changed(s, '2..3'), deployed);
  assert.deepEqual(await changed(s, 'before-deploy..3'), deployed);
  assert.deepEqual(await changed(s, '3..2'), ['deleted dir', 'deleted dir/x', 'added hello.txt']);
  assert.deepEqual(await changed(s, '3..5'), ['deleted dir', 'deleted dir/x', 'added hello.txt', 'modified new']);
  assert.deepEqual(await changed(s, '4'), ['deleted dir', 'deleted dir/x', 'added hello.txt']);
  assert.deepEqual(await changed(s, 'before-deploy..'), ['modified new']);
  assert.deepEqual(await changed(s, '5..0'), ['modified hello.txt', 'renamed multi.txt < moved.txt', 'deleted new']);
  assert.deepEqual(await changed(s, 'all'), ['modified hello.txt', 'renamed moved.txt < multi.txt', 'added new']);
  const diff = await s.succeed(['diff', '3..5', '--', 'hello.txt', 'new']);
  assert.match(diff, /^--- \/dev\/null\n\+\+\+ b\/hello\.txt\n@@ -0,0 \+1,2 @@\n\+base content\n\+two\n/m);
  assert.match(diff, /^--- a\/new\n\+\+\+ b\/new\n@@ -1 \+1 @@\n-one\n\+three\n/m);
  assert.doesNotMatch(diff, /dir/);
  assert.match(await s.succeed(['diff', 'before-deploy..3', '--stat']), /^3 files changed, 1 line added, 2 removed$/m);
});

test('a word before -- is a range, and without it one that is neither a range nor a path is refused', async (t) => {
  const s = await storied(t);
  assert.match(await s.succeed(['diff', 'new']), /\+three/);
  assertRefused(await s.cli(['diff', 'befor-deploy']), /'befor-deploy' is neither a generation nor the name/);
  assertRefused(await s.cli(['diff', 'new', '--', 'new']), /'new' is neither/);
  assertRefused(await s.cli(['diff', '2..9']), /generation 9 does not exist/);
  assertRefused(await s.cli(['status', '7']), /generation 7 does not exist/);
  assertRefused(await s.cli(['audit', '1', '2', '--', 'new']), /only one range/);
  assert.equal(await s.succeed(['diff', 'test.sh']), '', 'a file without changes');
});

test('log lists every generation, and which of them are abandoned', async (t) => {
  const s = await storied(t);
  const log = JSON.parse(await s.succeed(['log', '--json'])) as Logged[];
  const brief = log.map(({ generation, kind, live, target }) => [generation, kind, live, target]);
  assert.deepEqual(brief, [
    [1, 'snapshot', true, undefined],
    [2, 'snapshot', true, undefined],
    [3, 'snapshot', false, undefined],
    [4, 'travel', true, 2],
    [5, 'snapshot', true, undefined],
  ]);
  const graph = (await s.succeed(['log'])).split('\n').map((line) => line.slice(0, 9));
  assert.deepEqual(graph, ['@       5', '●       4', '│ ○     3', '├─╯', '●       2', '●       1', '◆       0', '']);
  const few = (await s.succeed(['log', '-n', '4'])).split('\n').map((line) => line.slice(0, 9));
  assert.deepEqual(few, ['@       5', '●       4', '│ ○     3', '├─╯', '●       2', '']);
  assert.deepEqual(JSON.parse(await s.succeed(['log', '-n', '2', '--json'])), log.slice(3));
  assert.equal((await s.cli(['log', '-n', 'x'])).code, 2);
  await s.succeed(['commit', '--yes']);
  await s.sh('echo four > new');
  const lines = (await s.succeed(['timeline'])).split('\n');
  assert.match(lines[1] ?? '', /^◆ .* commit 1 {2}3 changes$/);
  assert.equal(lines.length, 10);
});

test('audit tells who did what for which command, dead branches and runs without a snapshot too', async (t) => {
  const s = await storied(t);
  const records = JSON.parse(await s.succeed(['audit', '--json'])) as Audited[];
  const of = (name: string): Audited[] => records.filter(({ path }) => path === join(s.project, name));
  const [first] = of('hello.txt');
  assert.equal(first?.command, 'echo two >> hello.txt');
  assert.equal(first?.live, true);
  const deletion = of('hello.txt').find(({ what }) => what === 'deleted');
  assert.equal(deletion?.process, 'rm');
  assert.equal(deletion?.live, false);
  assert.match(deletion?.command ?? '', /rm hello\.txt; mkdir dir/);
  const moved = JSON.parse(await s.succeed(['audit', '--json', '--', 'multi.txt'])) as Audited[];
  assert.deepEqual(
    moved.map(({ what, path, run }) => [what, path, run]),
    [['renamed', join(s.project, 'moved.txt'), 1]],
  );
  const text = await s.succeed(['audit', '3', '--', 'dir']);
  assert.match(text, /^○ .*mkdir\[\d+\] +staged +dir {2}\(sh -euc 'rm hello\.txt/m);
  assert.equal((await s.succeed(['audit', 'all'])).split('\n').length, records.length + 1);
  const journal = readFileSync(join(s.layout.store, 'journal'), 'latin1');
  assert.equal(journal.match(/\tN\t[^\n]*\trun\techo two/g)?.length, 1, 'one note for a run');
});

test('inside the view status, diff, log and audit show the same', async (t) => {
  const s = await storied(t);
  for (const argv of [
    ['status', '3..5'],
    ['diff', 'before-deploy..', '--', 'new'],
    ['log'],
    ['audit', '..2', '--', 'new'],
  ]) {
    const outside = await s.succeed(argv);
    const inside = await s.succeed(['run', '--quiet', '--no-snapshot', '--', process.execPath, MAIN, ...argv]);
    assert.equal(inside, outside, argv.join(' '));
    assert.notEqual(outside, '');
  }
});

test('names of any bytes are told harmlessly, in every listing', async (t) => {
  const s = await session(t);
  await s.sh(`printf x > "$(printf 'a\\033[2J\\nb\\377')"`);
  await s.succeed(['snapshot', 'n\x1b[31m\n']);
  await s.sh(`mv "$(printf 'a\\033[2J\\nb\\377')" "$(printf '\\342\\200\\256')"`);
  for (const argv of [['log'], ['audit'], ['status', '3'], ['status', '..2'], ['log', '--json'], ['audit', '--json']]) {
    const text = await s.succeed(argv);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/, argv.join(' '));
  }
  assert.match(await s.succeed(['audit', '3']), /a\\x1b\[2J\\x0ab\\xff → \\u202e/);
  assert.deepEqual(await changed(s, 'n\\x1b[31m\\x0a..3'), ['renamed \\u202e < a\\x1b[2J\\x0ab\\xff']);
});
