/** Random patterns, options and files for grep: what people write, odd syntax, Unicode, borders, binary files. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../random/random.ts';

const WORDS = [
  ...[
    'a',
    'b',
    'ab',
    'abc',
    'aa',
    'ba',
    'x',
    's',
    'k',
    'i',
    'A',
    'B',
    'Foo',
    'foo',
    'bar',
    'foo_bar',
    '1',
    '23',
    '_',
    '-',
  ],
  ...['é', 'É', 'über', 'ſ', 'K', 'ı', 'İ', 'ß', '日本', 'σ', 'ς', 'Σ', 'µ', 'ǆ', 'ᾳ', '💡'],
  ...['.', '*', '[', ']', '(', ')', '{', '}', '\\', '^', '$', '+', '?', '|', ' ', '  ', '\t'],
];
const BRACKETS = [
  ...['[abc]', '[^a]', '[a-c]', '[[:alpha:]]', '[^[:space:]]', '[[:digit:]_]', '[é]', '[^é]', '[]a]', '[a-]', '[^]]'],
  ...['[[:upper:]]', '[[:lower:]]', '[0-9]', '[[.a.]]', '[[=b=]]', '[[:punct:]]', '[ab\\]'],
];
const ESCAPES = ['\\w', '\\W', '\\s', '\\S', '\\b', '\\B', '\\<', '\\>'];
const REPEATS = ['*', '**', '+', '?', '{2}', '{1,2}', '{0,1}', '{,2}', '{2,}', '{0}', '*?'];
const ODDITIES = [
  ...['a', 'b', 'é', '*', '\\', '(', ')', '{', '}', '[', ']', '^', '$', '|', '+', '?', '1', ',', '-', ':', '.'],
  ...['\\(', '\\)', '\\{', '\\}', '\\|', '[[:alpha:]]', '\\1'],
];
/** Options, and how often in a hundred. */
const FLAGS: readonly (readonly [string, number])[] = [
  ...(['-i', '-w', '-o', '-n'] as const).map((flag) => [flag, 25] as const),
  ...(['-x', '-v', '-a'] as const).map((flag) => [flag, 10] as const),
  ...['-c', '-l', '-L', '-b', '-H', '-h', '-s', '-Z', '-T', '-I', '-z', '-q', '-m1', '-m2', '-m0'].map(
    (f) => [f, 5] as const,
  ),
  ...['-A1', '-B1', '-C1', '-2', '-A0', '--include=*.txt', '--exclude=*.c', '--exclude-dir=e'].map(
    (f) => [f, 4] as const,
  ),
];
const OPERANDS = [['.'], [], ['a.txt', 'b.md'], ['a.txt'], ['d', 'binary'], ['none', 'a.txt'], ['long'], ['./d/']];
const FILES = ['a.txt', 'b.md', 'd/c.txt', 'd/e/x.c', 'd/empty', 'binary', 'long'];

/** Writes a tree of small files to search. */
export function writeCorpus(dir: string, random: Random): void {
  rmSync(dir, { recursive: true, force: true });
  for (const name of FILES) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), name === 'd/empty' ? '' : contentOf(name, random));
  }
}

function contentOf(name: string, random: Random): Buffer {
  const lines = Array.from({ length: random.below(9) }, () => Buffer.from(textOf(random)));
  const binary = [Buffer.of(0x61, 0, 0x62), Buffer.of(0xff, 0x61), Buffer.of(0x61, 0xc3, 0x20, 0x62)];
  if (name === 'binary') lines.push(random.pick(binary));
  if (name === 'long') lines.push(Buffer.from(textOf(random).repeat(300)));
  const joined = lines.flatMap((line, i) => (i === 0 ? [line] : [Buffer.from('\n'), line]));
  return Buffer.concat(random.below(5) === 0 || lines.length === 0 ? joined : [...joined, Buffer.from('\n')]);
}

function textOf(random: Random): string {
  return Array.from({ length: random.below(6) }, () => random.pick(WORDS) + (random.below(3) === 0 ? ' ' : '')).join(
    '',
  );
}

/** A command line, without `grep`: none of those of which the README says that GNU grep means something else. */
export function randomCase(random: Random): string[] {
  for (;;) {
    const { flags, patterns, words } = randomWords(random);
    if (!patterns.some((pattern) => isKnownToDiffer(pattern, flags))) return words;
  }
}

function randomWords(random: Random): { flags: readonly string[]; patterns: readonly string[]; words: string[] } {
  const dialect = random.pick(['-E', '-E', '-F', '-G', '-G', '-G']);
  const flags = FLAGS.filter(([, often]) => random.below(100) < often).map(([flag]) => flag);
  const patterns = Array.from({ length: random.below(7) === 0 ? 2 : 1 }, () => randomPattern(dialect, random));
  const operands = random.pick(OPERANDS);
  const words = [
    dialect,
    ...flags,
    ...patterns.flatMap((pattern) => ['-e', pattern]),
    ...(random.below(10) === 0 ? [] : ['-r']),
    ...operands,
  ];
  return { flags, patterns, words };
}

function isKnownToDiffer(pattern: string, flags: readonly string[]): boolean {
  const isReferring = /\\[1-9]/.test(pattern);
  const isRepeatedTwice = /[*+?}]\\?[*+?{]|\)\\?[*+?{]/.test(pattern);
  const hasEmpty = /(?:^|[|(])\\?(?:$|[|)])/.test(pattern);
  if (isReferring && (isRepeatedTwice || hasEmpty)) return true;
  if (flags.includes('-z') && /[^[|(\\]\^|\$./.test(pattern)) return true;
  const bare = pattern.replace(/\\./g, '');
  return flags.includes('-w') && bare.split(')').length > bare.split('(').length;
}

function randomPattern(dialect: string, random: Random): string {
  if (dialect === '-F' || random.below(7) === 0) return random.below(12) === 0 ? '' : textOf(random);
  if (random.below(7) === 0) return Array.from({ length: 1 + random.below(7) }, () => random.pick(ODDITIES)).join('');
  return pattern({ extended: dialect === '-E', depth: 2, references: random.below(12) === 0, random });
}

interface Making {
  readonly extended: boolean;
  readonly depth: number;
  readonly references: boolean;
  readonly random: Random;
}

function pattern(making: Making): string {
  const { extended, references, random } = making;
  let text = '';
  for (let i = 0; i <= random.below(3); i++) {
    const one = atom(making);
    text += one;
    // glibc is wrong about anchors that are repeated (see the README), so they are not.
    if (random.below(3) === 0 && !/[\^$`'<>bB]/.test(one)) text += repeat(making);
    if (random.below(10) === 0) text += extended ? '|' : '\\|';
  }
  return references && random.below(3) === 0 ? `${text}\\1` : text;
}

function atom({ depth, ...making }: Making): string {
  const { extended, random } = making;
  const kind = random.below(100);
  if (kind < 50)
    return random
      .pick(WORDS)
      .replace(/[\\[\](){}*+?|.^$]/g, (special) => (random.below(7) === 0 ? special : `\\${special}`));
  if (kind < 58) return '.';
  if (kind < 70) return random.pick(BRACKETS);
  if (kind < 80) return random.pick(ESCAPES);
  if (kind < 84) return random.pick(['^', '$']);
  if (depth === 0) return 'a';
  const inner = pattern({ depth: depth - 1, ...making });
  return extended ? `(${inner})` : `\\(${inner}\\)`;
}

function repeat({ extended, random }: Making): string {
  const text = random.pick(REPEATS);
  return extended ? text : text.replace(/[+?{}]/g, '\\$&');
}
