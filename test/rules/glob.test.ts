/** Globs against a matcher that tries everything, and what they cost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Elements, literalEnds, MANY, matchesAll, parseName } from '../../src/rules/pattern/glob.ts';
import { matches, parsePattern } from '../../src/rules/pattern/pattern.ts';
import { type BytePath, splitPath, toBytePath } from '../../src/sys/bytes.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { naiveMatch } from './naive.ts';

function hits(text: string, path: BytePath): boolean {
  const patterns = parsePattern(text, { home: '/h', project: '/p' });
  if (typeof patterns === 'string') throw new Error(`${text} ${patterns}`);
  const { name } = splitPath(path) ?? { name: '' as never };
  return patterns.some((pattern) => {
    const found = matches(pattern, path, name);
    assert.equal(found, naiveMatch(pattern, path), `${text} for ${JSON.stringify(path)}`);
    return found;
  });
}

const piece = fc.constantFrom('a', 'b', 'ä', '€', '*', '?', '[ab]', '[!a]', '[a-c]', '[!b-z]', '\\*', '.');
const part = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.constant('**') },
);
const glob = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
// Single bytes of characters as well: a name is bytes.
const letter = fc.constantFrom('a', 'b', 'c', '*', '.', '\xc3\xa4', '\xe2\x82\xac', '\xc3', '\xa4', '\xff');
const name = fc
  .array(letter, { minLength: 1, maxLength: 5 })
  .map((letters) => letters.join(''))
  .filter((one) => one !== '.' && one !== '..');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}` as BytePath);

test('S12: a glob matches what a matcher says that tries everything', () => {
  const usable = glob.filter((one) => !one.split('/').includes('..'));
  fc.assert(
    fc.property(usable, path, (text, one) => void hits(text, one)),
    { numRuns: runs(20_000) },
  );
});

test('literalEnds() are what a glob says of the start and the end of a name, and all of it', () => {
  const endsOf = (text: string): string => {
    const parsed = parseName(text);
    if ('problem' in parsed) throw new Error(`${text} ${parsed.problem}`);
    const { start, end } = literalEnds(parsed);
    return `${start}|${end}`;
  };
  const texts = ['ab*cd', '*cd', 'ab*', 'a?b[cd]ef', 'ab', '*'];
  assert.deepEqual(texts.map(endsOf), ['ab|cd', '|cd', 'ab|', 'a|ef', 'ab|ab', '|']);
});

test('S12: a glob that a matcher with backtracking would never be done with is told at once', () => {
  const start = performance.now();
  const many = `${'a'.repeat(200)}b`;
  for (let i = 0; i < 100; i++) {
    const path = toBytePath(`/p/${many}`);
    const [pattern] = parsePattern('**/*a*a*a*a*a*a*a*a*a*c*b', { home: '/h', project: '/p' });
    assert.ok(typeof pattern === 'object' && !matches(pattern, path, many as never));
  }
  const [deep] = parsePattern(`${'**/a*/'.repeat(30)}b`, { home: '/h', project: '/p' });
  assert.ok(typeof deep === 'object' && !matches(deep, `${'/aa'.repeat(1_000)}/c` as BytePath, 'b' as never));
  assert.ok(performance.now() - start < 2_000);
});

test('S12: each element is held against each token once at most', () => {
  const tokens = fc.array(fc.constantFrom('a', 'b', MANY), { maxLength: 30 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 });
  const counted = (glob: readonly (string | null)[], word: string): number => {
    let steps = 0;
    const letters: Elements<string> = {
      gap: 0,
      endOf: (_, at) => at + 1,
      fits: (token, element) => {
        steps += 1;
        return token === element;
      },
    };
    matchesAll(glob, word, letters);
    return steps;
  };
  fc.assert(
    fc.property(tokens, text, (glob, word) => assert.ok(counted(glob, word) <= glob.length * word.length)),
    { numRuns: runs(5_000) },
  );
  const worst = [...Array.from({ length: 10 }, () => [MANY, 'a']).flat(), 'b'];
  assert.ok(counted(worst, 'a'.repeat(200)) <= worst.length * 200);
});
