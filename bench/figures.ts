/**
 * `npm run figures`: how large the house is and how it hangs together, as JSON for `bench/results`. An argument is the
 * log of a run with `--times`, whose time by suite is put in; `--words FILE` a dictionary, one word a line, against which
 * the nouns of exported names are counted.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { circles, importsOf } from '../test/support/imports.ts';
import { type SourceFile, sourceFiles } from '../test/support/source-files.ts';

/** The architecture test allows no longer one: what is longer here is a row of tables that looks like a function. */
const LONGEST_FUNCTION = 40;
const DICTIONARY = '/usr/share/dict/words';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { words: { type: 'string', default: DICTIONARY } },
});
const [log] = positionals;
const folders = ['src', 'test', 'bench'].map((folder) => [folder, sizesOf(sourceFiles(folder))]);
const figures = {
  figures: 'size and shape',
  ...Object.fromEntries(folders),
  circles: circlesIn(sourceFiles('src')),
  nouns: nounsOf(sourceFiles('src'), values.words),
  words: Object.fromEntries(documents().map(wordsOf)),
  ...(log === undefined ? {} : { seconds: secondsBySuite(log) }),
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);

function sizesOf(files: readonly SourceFile[]): object {
  const lengths = files.map(({ text }) => text.split('\n').length - 1);
  return {
    files: files.length,
    folders: new Set(files.map(({ path }) => dirname(path))).size,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    linesOfAFile: spread(lengths),
    linesOfAFunction: spread(files.flatMap(functionLengths).filter((length) => length <= LONGEST_FUNCTION)),
    importsOfAFile: spread(files.map((file) => importsOf(file).length)),
  };
}

function spread(values: readonly number[]): { median: number; p90: number; max: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p90: at(0.9), max: sorted.at(-1) ?? 0 };
}

/** Functions and methods as the formatter leaves them: the brace that closes one is indented as its first line. */
function functionLengths({ bare }: SourceFile): number[] {
  const starts =
    /^( *)(?:export )?(?:async |static )*(?:function\*? )?(?!(?:if|for|while|switch)\b)[#\w]+\([^\n]*\)[^\n()]*\{\n/gm;
  return [...bare.matchAll(starts)].flatMap(({ 0: head, 1: indent = '', index }) => {
    const end = bare.indexOf(`\n${indent}}`, index + head.length - 1);
    return end < 0 ? [] : [bare.slice(index, end).split('\n').length + 1];
  });
}

/** Circles of files that are loaded, and of those that only take types of each other. */
function circlesIn(files: readonly SourceFile[]): { loaded: number; typesOnly: number } {
  const [loaded = 0, all = 0] = [false, true].map(
    (types) => circles(new Map(files.map((file) => [file.path, importsOf(file, { types })]))).length,
  );
  return { loaded, typesOnly: all - loaded };
}

/** The words that exported names end with, and those of them that no dictionary has; without the kernel's constants. */
function nounsOf(files: readonly SourceFile[], dictionary: string): object {
  const names = files.flatMap(({ bare }) =>
    [...bare.matchAll(/^export (?:async |abstract )*(?:function\*?|class|const|let|interface|type) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const ours = names.filter((name) => /[a-z]/.test(name));
  const last = ours.map(
    (name) =>
      name
        .match(/[A-Z]?[a-z]+|[A-Z]+/g)
        ?.at(-1)
        ?.toLowerCase() ?? '',
  );
  const nouns = new Set(last.filter((noun) => noun.length > 1));
  const known = new Set(read(dictionary)?.toLowerCase().split('\n'));
  const unknown = [...nouns].filter((noun) => !known.has(noun) && !known.has(noun.replace(/s$/, ''))).sort();
  return {
    exported: ours.length,
    nouns: nouns.size,
    ...(known.size === 0 ? {} : { inNoDictionary: unknown.length, which: unknown.join(' ') }),
  };
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function documents(): string[] {
  const below = ['src', 'test', 'bench', 'hooks'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'CONTRIBUTING.md', ...below.filter((path) => path.endsWith('/README.md')).sort()];
}

function wordsOf(path: string): [string, number] {
  return [path, readFileSync(path, 'utf8').split(/\s+/).filter(Boolean).length];
}

function secondsBySuite(path: string): Record<string, number> {
  const rows = readFileSync(path, 'utf8').matchAll(/^# ([\d.]+) s (.+)$/gm);
  return Object.fromEntries([...rows].map(([, seconds, suite = '']) => [suite, Number(seconds)]));
}
