/** Documents name only source files that exist: who renames one finds where it is spoken of. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../support/source-files.ts';

const FOLDERS = ['src', 'test', 'bench'];
/** A path or a name; what is part of a longer path, of another system say, is none. */
const NAMED = /(?<![\w/.$~*-])(?:\.\.\/)*([\w-]+(?:\/[\w-]+)*(?:\.[a-z]+)*\.ts)\b/g;
/** Examples in texts for people. */
const NO_FILE = new Set(['a.ts']);

test('documents name only files that exist', () => {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      normalize(`/${folder}/${name}`),
    ),
  );
  const sources = paths.filter((path) => path.endsWith('.ts'));
  const problems = paths
    .filter((path) => path.endsWith('.md') && !path.endsWith('/FORMAT.md'))
    .flatMap((document) => {
      const text = readFileSync(join(REPOSITORY, document), 'utf8');
      const named = new Set([...text.matchAll(NAMED)].map(([, name = '']) => name));
      return [...named]
        .filter((name) => !NO_FILE.has(name) && !sources.some((path) => path.endsWith(`/${name}`)))
        .map((name) => `${document}: ${name}`);
    });
  assert.deepEqual(problems, [], 'say where it is now, or leave it out');
});
