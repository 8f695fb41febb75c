/** Words of our own that the field has a term for: not in names of files, in code, comments or titles. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sourceFiles } from '../support/source-files.ts';

/** Each with what to say instead; src/README.md has the glossary. */
const BANNED: Readonly<Record<string, string>> = {
  attic: 'backups',
  births: 'creation',
  departed: 'detached',
  departures: 'moves out',
  desk: 'prompt queue; pending copies, fetches; or who decides',
  graft: 'switch tree',
  grafted: 'switch tree',
  heed: 'handle, follow',
  lookout: 'node paths',
  parked: 'pending',
  petition: 'commit request',
  petitioner: 'commit decider',
  restock: 'restore objects',
  retelling: 'replay of steps',
  seat: 'subscriber',
  settler: 'rebase',
  teller: 'reporter',
  turnover: 'switch tree',
  unstocked: 'objects missing',
};

const OWN = 'test/architecture/words-architecture.test.ts';

/** The words of a text, of names in camel case each part, in lower case. */
function wordsOf(text: string): string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());
}

function banned(text: string): string[] {
  return wordsOf(text).filter((word) => Object.hasOwn(BANNED, word) || Object.hasOwn(BANNED, word.replace(/s$/, '')));
}

test('words are told apart in names, and nothing is taken for a word that only contains one', () => {
  assert.deepEqual(banned('makeAttic LOOKOUT src/fuse/parked.ts #tellers'), ['attic', 'lookout', 'parked', 'tellers']);
  assert.deepEqual(banned('TelegramDesktop storyteller baseAt settle desktops lattice seated'), []);
});

test('no word of our own where the field has one', () => {
  const files = ['src', 'test', 'bench'].flatMap((directory) => sourceFiles(directory));
  const found = files
    .filter(({ path }) => path !== OWN)
    .flatMap(({ path, text }) => [
      ...banned(path).map((word) => `${path}: the file's name has '${word}'`),
      ...text.split('\n').flatMap((line, i) => banned(line).map((word) => `${path}:${i + 1}: '${word}'`)),
    ]);
  assert.deepEqual(
    found,
    [],
    'whoever comes here meets words that exist nowhere else: BANNED says what to say instead',
  );
});

test('what belongs together is called by what it is', () => {
  const bags = sourceFiles('src').flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?(?:interface|type) (\w*Parts)\b/gm)].map(([, name]) => `${path}: ${name}`),
  );
  assert.deepEqual(bags, [], 'Parts is no name: say which thing, or whose options, they are');
});
