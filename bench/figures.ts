/**
 * `npm run figures`: how large the house is and how it hangs together, as JSON for `bench/results`. An argument is the
 * log of a run with `--times`, whose time by suite is put in.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type SourceFile, sourceFiles } from '../test/support/source-files.ts';

/** The architecture test allows no longer one: what is longer here is a row of tables that looks like a function. */
const LONGEST_FUNCTION = 40;
const [log] = process.argv.slice(2);
const folders = ['src', 'test', 'bench'].map((folder) => [folder, sizesOf(sourceFiles(folder))]);
const figures = {
  figures: 'size and shape',
  ...Object.fromEntries(folders),
  words: Object.fromEntries(['README.md', 'CONTRIBUTING.md', 'src/README.md', 'test/README.md'].map(wordsOf)),
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
    importsOfAFile: spread(files.map((file) => importsOf(file).size)),
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

/** Other files of ours, types too. */
function importsOf({ path, code }: SourceFile): Set<string> {
  const found = [...code.matchAll(/^(?:import|export)\b[^;]*?from\s*'(\.[^']+)'/gm)];
  return new Set(found.map(([, to = '']) => normalize(join(dirname(path), to))));
}

function wordsOf(path: string): [string, number] {
  return [path, readFileSync(path, 'utf8').split(/\s+/).filter(Boolean).length];
}

function secondsBySuite(path: string): Record<string, number> {
  const rows = readFileSync(path, 'utf8').matchAll(/^# ([\d.]+) s (.+)$/gm);
  return Object.fromEntries([...rows].map(([, seconds, suite = '']) => [suite, Number(seconds)]));
}
