/** What a pattern matches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches, mayMatchBelow, parsePattern } from '../../src/rules/pattern/pattern.ts';
import { type BytePath, splitPath, toBytePath } from '../../src/sys/bytes.ts';

const PLACES = { home: '/home/ada', project: '/src/p' };

function patternsOf(text: string) {
  const patterns = parsePattern(text, PLACES);
  if (typeof patterns === 'string') throw new Error(patterns);
  return patterns;
}

function hits(text: string, path: string): boolean {
  const bytes = toBytePath(path);
  const name = splitPath(bytes)?.name ?? ('' as never);
  return patternsOf(text).some((pattern) => matches(pattern, bytes, name));
}

const CASES: readonly [pattern: string, hit: readonly string[], miss: readonly string[]][] = [
  ['/etc/ssl/', ['/etc/ssl'], ['/etc/ssl/x', '/etc', '/etc/ssl2']],
  ['~', ['/home/ada'], ['/home/ada/x']],
  ['./~ada', ['/src/p/~ada'], ['/home/ada']],
  ['~/.ssh', ['/home/ada/.ssh'], ['/home/eve/.ssh']],
  ['secrets', ['/src/p/secrets'], ['/secrets']],
  ['./a//b/.', ['/src/p/a/b'], []],
  ['.', ['/src/p'], []],
  ['**/.env', ['/.env', '/a/.env', '/a/b/.env'], ['/a/x.env', '/a/.env/b']],
  ['**/.env.*', ['/a/.env.local', '/.env.'], ['/a/.env']],
  ['*.pem', ['/src/p/k.pem'], ['/src/p/a/k.pem', '/k.pem']],
  ['/srv/**', ['/srv/a', '/srv/a/b'], ['/srv', '/srvx/a']],
  ['/srv/**/k', ['/srv/k', '/srv/a/k', '/srv/a/b/k'], ['/srv/a/kk']],
  ['/a/?', ['/a/b', '/a/ä', '/a/€'], ['/a/', '/a/bc', '/a/b/c']],
  ['/a/[a-c]x', ['/a/bx'], ['/a/dx']],
  ['/a/[!a-c]x', ['/a/dx'], ['/a/bx', '/a//x']],
  ['/a/{b,c/d}*', ['/a/b1', '/a/c/d'], ['/a/c']],
  ['/a/\\*', ['/a/*'], ['/a/b']],
  ['/a/x.y+(z)|$', ['/a/x.y+(z)|$'], ['/a/xzy']],
  ['/ä/*', ['/ä/b'], ['/a/b']],
];

test('a pattern matches what it should and nothing else', () => {
  for (const [pattern, hit, miss] of CASES) {
    for (const path of hit) assert.ok(hits(pattern, path), `${pattern} matches ${path}`);
    for (const path of miss) assert.ok(!hits(pattern, path), `${pattern} does not match ${path}`);
  }
});

test('parsePattern() goes by the places it is given, whatever it was given before', () => {
  const parsedIn = (home: string, project: string | undefined) => parsePattern('~/x', { home, project });
  const [first, other] = [parsedIn('/home/ada', '/src/p'), parsedIn('/home/eve', '/src/p')];
  assert.deepEqual(
    [first, other].flatMap((one) => (typeof one === 'string' ? one : one.map(({ path }) => path))),
    ['/home/ada/x', '/home/eve/x'],
  );
  assert.equal(typeof parsePattern('x', { home: '/home/ada', project: undefined }), 'string');
  assert.equal(typeof parsePattern('x', { home: '/home/ada', project: '/src/p' }), 'object');
  assert.equal(typeof parsePattern('x', { home: '/home/ada', project: undefined }), 'string');
});

test('parsePattern() says what is wrong', () => {
  const cases: readonly [string, RegExp][] = [
    ['', /empty/],
    ['/a/../b', /'\.\.'/],
    ['/a/[x', /'\[' without/],
    ['~ada/x', /nobody's home directory/],
    ['/a/[]', /without its|cannot be/],
    ['/a/[z-a]', /cannot be/],
    ['/a/{b', /nothing matches/],
    ['/a/b}', /nothing matches/],
    ['/a\\', /ends in a/],
    [`/${'{a,b}'.repeat(8)}`, /more than 64/],
  ];
  for (const [text, wanted] of cases) assert.match(String(parsePattern(text, PLACES)), wanted, text);
  assert.match(String(parsePattern('a/b', { ...PLACES, project: undefined })), /neither absolute/);
});

test('mayMatchBelow() leaves nothing out', () => {
  const below = (pattern: string, dir: string) =>
    patternsOf(pattern).some((one) => mayMatchBelow(one, dir as BytePath));
  assert.ok(below('/a/b', '/a'));
  assert.ok(!below('/a', '/a'));
  assert.ok(!below('/b', '/a'));
  assert.ok(below('**/x', '/a'));
  assert.ok(below('/a/*/x', '/a/b'));
  assert.ok(!below('/b/*', '/a'));
});
