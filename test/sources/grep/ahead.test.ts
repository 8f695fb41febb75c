/** In which order a search has contents brought, and looks at them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOf } from '../../../src/sources/grep/content.ts';
import type { FileAccess } from '../../../src/sources/grep/file-access.ts';
import { runGrep } from '../../../src/sources/grep/grep.ts';
import { ENOENT } from '../../../src/sys/errno.ts';

const NAMES = Array.from({ length: 600 }, (_, at) => `f${at}`);
const TEXT = Buffer.from('a wombat\n');

/** A directory of 600 files, all of which match; `events` hears of what is brought and of what is opened. */
function filesTelling(events: string[]): FileAccess {
  return {
    find: (path) => (path === 'dir' ? { kind: 'directory', identity: path } : ENOENT),
    list: () => NAMES.map((name) => ({ name, kind: 'file' })),
    open: async (paths) => {
      events.push(`bring ${paths.length}`);
      await Promise.resolve();
      return paths.map((path) => () => {
        events.push(`look at ${path}`);
        return contentOf(TEXT);
      });
    },
    input: contentOf(Buffer.alloc(0)),
  };
}

async function searched(...words: string[]): Promise<{ events: string[]; code: number; lines: number }> {
  const events: string[] = [];
  const pieces: Uint8Array[] = [];
  const out = (bytes: Uint8Array): void => void pieces.push(Buffer.from(bytes));
  const sink = { out, err: assert.fail, drained: async () => undefined };
  const code = await runGrep(['-r', ...words, 'dir'], filesTelling(events), sink);
  return { events, code, lines: Buffer.concat(pieces).toString().split('\n').length - 1 };
}

test('runGrep() has the next contents brought before it looks at what was brought, each once', async () => {
  const { events, code, lines } = await searched('wombat');
  assert.equal(code, 0);
  assert.equal(lines, NAMES.length);
  const looks = (from: number, to?: number): string[] => NAMES.slice(from, to).map((name) => `look at dir/${name}`);
  // Of the first batch the directory is one.
  assert.deepEqual(events, ['bring 255', 'bring 345', ...looks(0, 255), ...looks(255)]);
});

test('runGrep() has nothing brought ahead where the first match is enough', async () => {
  const { events, code } = await searched('-q', 'wombat');
  assert.equal(code, 0);
  assert.deepEqual(events, ['bring 255', 'look at dir/f0']);
});
