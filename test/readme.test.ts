/** The documents at the top name what there is. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { COMMANDS } from '../src/cli/command-table.ts';
import { REPOSITORY } from './support/source-files.ts';

for (const document of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']) {
  describe(document, () => checkNames(document));
}

function checkNames(document: string): void {
  const readme = readFileSync(join(REPOSITORY, document), 'utf8');
  const manifest = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  test('names only commands that exist', () => {
    const commands = new Set(COMMANDS.map(({ name }) => name));
    const named = [...readme.matchAll(/(?:`|^ {4}(?:\$ )?)yolofs ([a-z]+)/gm)].map((match) => match[1] ?? '');
    if (document === 'README.md') assert.ok(named.length >= 8, `only ${named.length} commands found`);
    assert.deepEqual(
      [...new Set(named)].filter((name) => !commands.has(name)),
      [],
    );
  });

  test('names only npm scripts that exist', () => {
    const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)].map((match) => match[1] ?? '');
    const builtIn = ['ci', 'install', 'pack', 'run'];
    assert.deepEqual(
      named.filter((name) => !(name in manifest.scripts) && !builtIn.includes(name)),
      [],
    );
  });

  test('names only files and folders that exist', () => {
    const named = [...readme.matchAll(/`((?:src|test|bench|hooks|\.ci)\/[\w./-]*)`/g)].map((match) => match[1] ?? '');
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(REPOSITORY, path))),
      [],
    );
  });
}
