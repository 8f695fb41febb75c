import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from '../../../src/cli/review/folded-text.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const FROM = { project: '/home/u/p' as BytePath, cwd: '/home/u/p' as BytePath };

function caches(...paths: string[]): string {
  const places = paths.map((path) => ({ path: path as BytePath, isDirectory: true, files: 2 }));
  return foldText({ kind: 'cache', changes: 9, files: 8, deleted: 0, size: 5, places }, FROM);
}

test('a fold names three places, and of more the directories that they are in', () => {
  assert.equal(
    caches('/home/u/p/v/__pycache__', '/home/u/p/v/lib/__pycache__', '/home/u/.npm'),
    'caches and logs: 8 files in v/__pycache__/, v/lib/__pycache__/, /home/u/.npm/ (9 changes, 5 B)',
  );
  assert.equal(
    caches('/home/u/p/v/a/__pycache__', '/home/u/p/v/b/__pycache__', '/home/u/p/v/c/__pycache__', '/home/u/.cache/pip'),
    'caches and logs: 8 files in v/, /home/u/.cache/ (9 changes, 5 B)',
  );
});
