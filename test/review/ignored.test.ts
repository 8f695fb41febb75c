/** What git ignores, as git itself says it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Facts } from '../../src/history/diff/facts.ts';
import { Ignored } from '../../src/review/git/ignored.ts';
import { isLike, parsePatterns } from '../../src/review/git/patterns.ts';
import { HostTree } from '../../src/staging/host-tree.ts';
import { ObjectStore } from '../../src/staging/object-store.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { CLEAN_ENV, exec } from '../support/exec.ts';
import { has } from '../support/need.ts';

const FILES = [
  ...['a', 'b.o', 'keep.o', 'build/x', 'build/deep/y', 'src/build/z', 'src/a', 'src/b.o', 'src/keep.o', 'src/.env'],
  ...[
    'doc/a/b/c',
    'doc/c',
    'doc/a/c',
    ' spaced ',
    '#hash',
    '!bang',
    '[x]',
    'a\\b',
    'docs/q.txt',
    'node_modules/m/i.js',
  ],
];
/** Each text is one `.gitignore`; those below `src` have the second. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['*.o\n!keep.o\nbuild/\n', ''],
  ['/build\nsrc/*\n!src/a\n', '*.o\n'],
  ['doc/**/c\n', '!b.o\n'],
  ['doc/**\n!doc/c\n', ''],
  ['**/build\n**/a/*\n', '.env\n'],
  ['\\#hash\n\\!bang\n\\[x\\]\na\\\\b\n\\ spaced\\ \n', ''],
  ['# all of it\n*\n!*/\n!*.o\n', 'keep.o  \n'],
  ['[a-c]\n[!a-z]*\n?ocs\n', 'b?o\n'],
  ['doc/*/c\nbuild/deep\nnode_modules\n', '/build/\n/a/\n'],
  ['**\n!doc\n!doc/**\n', '!*\n'],
  ['doc**c\n**c\nb**\n', ''],
  ['/\n\n!\n[\nabc[\nbuild\\\n', '/*\n!/a\n'],
];

test('Ignored is what git check-ignore says, of patterns of all forms', async (t) => {
  if (!has(t, ['git'])) return;
  const top = directory(t);
  const git = (args: readonly string[], input = ''): Promise<{ stdout: string; stderr: string }> =>
    exec(['git', ...args], { cwd: top, input, env: { ...CLEAN_ENV, GIT_CONFIG_GLOBAL: '/dev/null' } });
  await git(['init', '-q', '.']);
  for (const file of FILES) put(top, file, '');
  for (const [own, below] of TEXTS) {
    put(top, '.gitignore', own);
    put(top, 'src/.gitignore', below);
    const { stdout } = await git(['check-ignore', '--no-index', '-z', '--stdin'], FILES.join('\0'));
    const expected = stdout.split('\0').filter(Boolean);
    const ignored = reader(top);
    const found = FILES.filter((file) => ignored.has(`${top}/${file}` as BytePath, false, true));
    assert.deepEqual(found, expected, JSON.stringify([own, below]));
  }
});

test('Ignored is nothing that git knows, and of what was there only what is in an ignored directory', async (t) => {
  if (!has(t, ['git'])) return;
  const top = directory(t);
  const git = (...args: string[]): Promise<unknown> => exec(['git', ...args], { cwd: top, env: CLEAN_ENV });
  await git('init', '-q', '.');
  for (const file of ['build/known', 'build/made', '.env', 'x.o']) put(top, file, '');
  put(top, '.gitignore', 'build/\n.env\n*.o\n');
  await git('add', '-f', 'build/known');
  const isIgnored = (name: string, isNew: boolean): boolean =>
    reader(top).has(`${top}/${name}` as BytePath, false, isNew);
  assert.deepEqual(
    ['build/known', 'build/made', '.env', 'x.o'].map((name) => [isIgnored(name, true), isIgnored(name, false)]),
    [
      [false, false],
      [true, true],
      [true, false],
      [true, false],
    ],
  );
});

test('a pattern that would take a backtracking search for ever takes no time', () => {
  const [stars] = parsePatterns(`${'*a'.repeat(40)}b`);
  const [directories] = parsePatterns(`${'**/a/'.repeat(40)}b`);
  assert.ok(stars !== undefined && directories !== undefined);
  const before = process.cpuUsage();
  assert.equal(isLike(['a'.repeat(4000)], false, stars), false);
  assert.equal(
    isLike(
      Array.from({ length: 2000 }, () => 'a'),
      false,
      directories,
    ),
    false,
  );
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

function directory(t: TestContext): string {
  const top = mkdtempSync('/var/tmp/yolofs-test-ignored-');
  t.after(() => rmSync(top, { recursive: true }));
  return top;
}

function put(top: string, name: string, text: string): void {
  mkdirSync(dirname(join(top, name)), { recursive: true });
  writeFileSync(join(top, name), text);
}

function reader(top: string): Ignored {
  const base = new HostTree({ hidden: [], empty: [] });
  return new Ignored(new Facts(base, new ObjectStore(`${top}/files`)), top as BytePath);
}
