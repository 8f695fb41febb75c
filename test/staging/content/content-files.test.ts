/** How many descriptors of contents are kept, which go first, and which do not go for others. */
import assert from 'node:assert/strict';
import { existsSync, openSync, readlinkSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { BaseTree } from '../../../src/staging/base-tree.ts';
import { ContentFiles } from '../../../src/staging/content-files.ts';
import { Inode } from '../../../src/staging/inode.ts';
import type { ObjectStore } from '../../../src/staging/object-store.ts';
import type { Ino } from '../../../src/sys/bytes.ts';
import { S_IFREG } from '../../../src/sys/stat.ts';

const LIMIT = 8;

/** Nothing is opened by them here. */
function contentFiles(t: TestContext): ContentFiles {
  const files = new ContentFiles({} as BaseTree, {} as ObjectStore, LIMIT);
  t.after(() => files.close());
  return files;
}

function kept(files: ContentFiles): { inode: Inode; fd: number } {
  const [inode, fd] = [new Inode(S_IFREG, 1 as Ino, undefined), openSync('/dev/null', 'r')];
  files.keep(inode, fd);
  return { inode, fd };
}

function isOpen(fd: number): boolean {
  return existsSync(`/proc/self/fd/${fd}`) && readlinkSync(`/proc/self/fd/${fd}`) === '/dev/null';
}

test('at most as many descriptors stay open as are allowed, and one that is used is among them', (t) => {
  const files = contentFiles(t);
  const first = kept(files);
  const fds = new Set([first.fd]);
  for (let i = 0; i < 3 * LIMIT; i++) {
    fds.add(kept(files).fd);
    assert.equal(files.of(first.inode), first.fd, 'it was used just before');
  }
  // Numbers are given again.
  const open = [...fds].filter(isOpen).length;
  assert.ok(open <= LIMIT && open > LIMIT / 2, `${open} of ${LIMIT}`);
});

test('a pinned descriptor stays while others go, until it is unpinned by who has it', (t) => {
  const files = contentFiles(t);
  const { inode, fd } = kept(files);
  files.pin(inode);
  for (let i = 0; i < 3 * LIMIT; i++) kept(files);
  assert.deepEqual([files.pinned(inode), isOpen(fd)], [fd, true]);
  files.unpin(inode, fd + 1);
  assert.equal(files.pinned(inode), fd, 'another descriptor was meant');
  files.unpin(inode, fd);
  assert.deepEqual([files.pinned(inode), isOpen(fd)], [undefined, true], 'it stays open for the caller');
});
