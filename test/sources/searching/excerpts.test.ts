/** Contents in memory, one behind the other, and the lines of them that a search is told: as a naive look at each line says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Formula, meets } from '../../../src/sources/formula.ts';
import { RecentDirectory } from '../../../src/sources/mirror/recent-directory.ts';
import { Excerpts, type LinesAsked } from '../../../src/sources/searching/excerpts.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';

const literal = (text: string, fold = false): Formula => ({ kind: 'literal', text, fold });

test('of the contents of a directory those may match that do by themselves, whatever lies beside them', () => {
  const random = new Random(SEED);
  let found = 0;
  for (let round = 0; round < 300; round += 1) {
    const contents = new Map(Array.from({ length: random.below(6) }, (_, i) => [`f${i}`, Buffer.from(text(random))]));
    const directory = new RecentDirectory(contents);
    const parts = [literal(letters(random)), literal(letters(random), true)];
    for (const formula of [parts[0] ?? literal(''), { kind: 'and', parts }, { kind: 'or', parts }] as const) {
      const wanted = [...contents].filter(([, content]) => meets(content, formula)).map(([name]) => name);
      assert.deepEqual([...directory.mayMatch(formula)].sort(), wanted);
      found += wanted.length;
    }
    for (const [name, content] of contents) assert.deepEqual(directory.contents.get(name), content);
  }
  assert.ok(found > 100);
});

test('a content that may be UTF-16 may match whatever is looked for', () => {
  const directory = new RecentDirectory(new Map([['wide', Buffer.of(0xff, 0xfe, 0x61, 0)]]));
  assert.deepEqual([...directory.mayMatch(literal('needle'))], ['wide']);
});

test('an excerpt has the lines with the text, with their numbers if these are asked for', () => {
  const random = new Random(SEED);
  for (let round = 0; round < 300; round += 1) {
    const [content, looked] = [text(random), letters(random)];
    const ended = content === '' || content.endsWith('\n');
    const lines = content.split('\n').slice(0, ended ? -1 : undefined);
    const has = (line: string): boolean => line.includes(looked);
    const told = (asked: LinesAsked): string[] => excerpt(content, looked, asked).split('\n');
    const selected = lines.filter(has);
    assert.deepEqual(told('plain').filter(has), selected);
    const isEndTold = !ended && has(lines.at(-1) ?? '');
    assert.equal(told('plain').length, selected.length + (isEndTold ? 0 : 1));
    const numbers = (all: readonly string[]): string[] =>
      all.flatMap((line, i) => (has(line) ? [`${i + 1}:${line}`] : []));
    assert.deepEqual(numbers(told('numbered')), numbers(lines));
    assert.ok(told('numbered').every((line) => line === '' || has(line)));
  }
});

test('no excerpt is told of what grep may take for binary, reads in pieces, or nobody has read', () => {
  const excerpts = new Excerpts('a', 'plain');
  for (const content of [Buffer.from('a\0'), Buffer.alloc(70_000, 'a\n'), undefined]) excerpts.add(content);
  assert.deepEqual(excerpts.take(), {});
  for (const content of ['b', 'a\nb\na', 'a\0']) excerpts.add(Buffer.from(content));
  assert.deepEqual(excerpts.take(), { excerpts: { lengths: [0, 3, -1], bytes: Buffer.from('a\na') } });
});

function excerpt(content: string, looked: string, asked: LinesAsked): string {
  const excerpts = new Excerpts(looked, asked);
  excerpts.add(Buffer.from(content));
  return Buffer.from(excerpts.take().excerpts?.bytes ?? []).toString();
}

function text(random: Random): string {
  return Array.from({ length: random.below(20) }, () => random.pick(['a', 'b', 'A', 'é', '\n', 'ab'])).join('');
}

function letters(random: Random): string {
  return Array.from({ length: 1 + random.below(2) }, () => random.pick(['a', 'b', 'é'])).join('');
}
