/** Documents stay short enough to be read: words of each README, and characters of a line of prose. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../support/source-files.ts';

const LONGEST_LINE = 120;
const MOST_WORDS = 1500;
/** Documents that have another limit. Those above `MOST_WORDS` only ever fall. */
const OTHER_LIMITS: Readonly<Record<string, number>> = {
  'bench/README.md': 1000,
  'test/README.md': 1000,
  'README.md': 2400,
  'src/README.md': 2400,
  'test/escape/README.md': 2050,
};
/** Tables, and the description of the format. */
const UNLIMITED = /^(?:.*\/)?(?:FORMAT|THREAT-MODEL|FINDINGS|SENTENCES|PROOFS|RESULTS)\.md$/;

interface Document {
  readonly path: string;
  readonly text: string;
}

function documents(): Document[] {
  const below = ['src', 'test', 'bench', 'hooks'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const paths = [...readdirSync(REPOSITORY), ...below].filter((path) => path.endsWith('.md'));
  return paths.map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), 'utf8') }));
}

function wordsOf({ text }: Document): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** Lines of prose: neither rows of tables nor code. */
function proseOf({ text }: Document): readonly string[] {
  const outside = text.split(/^```.*$/m).filter((_, part) => part % 2 === 0);
  return outside
    .flatMap((part) => part.split('\n'))
    .filter((line) => !line.startsWith('|') && !line.startsWith('    '));
}

test('READMEs are short', () => {
  const problems = documents()
    .filter(({ path }) => !UNLIMITED.test(path))
    .map((document) => ({ ...document, words: wordsOf(document), most: OTHER_LIMITS[document.path] ?? MOST_WORDS }))
    .filter(({ words, most }) => words > most)
    .map(({ path, words, most }) => `${path}: ${words} words, at most ${most}`);
  assert.deepEqual(problems, [], 'put what is about one file into its head, figures into bench/results/, tables apart');
});

test('lines of prose have at most 120 characters', () => {
  const problems = documents().flatMap((document) =>
    proseOf(document)
      .filter((line) => [...line].length > LONGEST_LINE)
      .map((line) => `${document.path}: ${line.slice(0, 60)}…`),
  );
  assert.deepEqual(problems, [], 'break the line; rows of tables and code may be longer');
});
