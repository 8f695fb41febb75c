/** The stamp of a directory that is gone is made of those of all that is in it, however deep that is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TodaysStamps } from '../../../src/history/commit/conflict/todays-stamps.ts';
import type { Facts } from '../../../src/history/diff/facts.ts';
import { type BaseStamp, stampOfDirectory, stampOfFile, stampOfTree } from '../../../src/staging/base-stamps.ts';
import { fingerprintOf } from '../../../src/staging/inode.ts';
import type { BytePath, Name } from '../../../src/sys/bytes.ts';
import { decodeStatx, S_IFDIR, S_IFREG, STATX_SIZE, type Stat } from '../../../src/sys/stat.ts';

const DEPTH = 5_000;
const NO_STAT = decodeStatx(Buffer.alloc(STATX_SIZE));
const [FILE, DIR, SET_ASIDE] = ['f', 'd', 'x'] as Name[] as [Name, Name, Name];

function statOf(path: string, name: Name): Stat {
  const ino = path.length + (name === DIR ? 0 : 100_000);
  return { ...NO_STAT, mode: name === DIR ? S_IFDIR : S_IFREG, ino };
}

test('the stamp of directories in one another is that of the outermost from those within, without what has a stamp of its own', () => {
  const isDeepest = (dir: string): boolean => dir.length === 2 * DEPTH;
  const facts = {
    list: (dir: BytePath) => [FILE, SET_ASIDE, ...(isDeepest(dir) ? [] : [DIR])].map((name) => ({ name })),
    at: (dir: BytePath, name: Name) => statOf(dir, name),
  } as unknown as Facts;
  const stamps = { get: (path: BytePath) => (path.endsWith('/x') ? (1 as BaseStamp) : undefined) };
  let expected: BaseStamp | undefined;
  for (let length = 2 * DEPTH; length > 0; length -= 2) {
    const dir = '/d'.repeat(length / 2);
    const print = fingerprintOf(statOf(dir, FILE));
    const entries: [Name, BaseStamp][] = [[FILE, stampOfFile(S_IFREG, print)]];
    if (expected !== undefined) entries.push([DIR, expected]);
    expected = stampOfTree(stampOfDirectory(statOf(dir.slice(0, -2), DIR).ino), entries);
  }
  const top = '/d' as BytePath;
  assert.equal(new TodaysStamps({ facts, stamps }).of(top, statOf('', DIR), 'deleted'), expected);
});
