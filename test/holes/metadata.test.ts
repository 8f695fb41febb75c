/** Holes 5 to 10 of the reference system (yolofs.md 9.2): metadata and kinds of files. Each fails on what it does. */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as libc from '../../src/sys/libc.ts';
import { someAccounts } from '../support/accounts.ts';
import { session } from '../support/session.ts';
import { assertSameTree, type TreeEntry } from '../support/tree.ts';

for (const account of someAccounts()) {
  test(`hole 5: chmod, touch and xattrs of a base file stay in the view, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const before = await s.baseTree({ mtime: true });
    await s.sh('chmod 600 hello.txt; touch -d 2001-01-01 multi.txt; chmod 700 subdir');
    assertSameTree(await s.baseTree({ mtime: true }), before, 'the base has changed');
    assert.deepEqual(await s.changeLines(), ['metadata hello.txt', 'metadata multi.txt', 'metadata subdir']);
    await s.succeed(['travel', '0']);
    assertSameTree(await s.tree({ mtime: true }), before, 'a travel does not take it back');
    await s.succeed(['travel', '1']);
    await s.abort();
    assertSameTree(await s.tree({ mtime: true }), before, 'an abort does not take it back');
  });
}

test('hole 6: truncate shrinks what the view shows, and is listed', async (t) => {
  const s = await session(t);
  assert.equal(await s.sh('truncate -s 4 hello.txt; cat hello.txt'), 'base');
  assert.deepEqual(await s.changeLines(), ['modified hello.txt']);
  assert.match(await s.succeed(['diff']), /^-base content$/m);
});

test('hole 7: the first write to a base file keeps its inode number, mode, owner, xattrs and holes', async (t) => {
  const s = await session(t, {
    seed: (project) => {
      const sparse = join(project, 'sparse');
      writeFileSync(sparse, 'start', { mode: 0o751 });
      truncateSync(sparse, 64 << 20);
      libc.setxattrAt(libc.AT_FDCWD, sparse, 'user.kept', Buffer.from('yes'));
    },
  });
  const look = async (tree: Promise<TreeEntry[]>): Promise<Partial<TreeEntry>> => {
    const { sha256: _, size: __, ino: ___, ...entry } = (await tree).find(({ path }) => path === 'sparse') ?? {};
    return entry;
  };
  const ino = 'stat -c %i sparse';
  const [before, number] = [await look(s.tree()), await s.sh(ino)];
  const blocks = Number(await s.sh("echo more >> sparse; stat -c '%b' sparse"));
  assert.deepEqual(before.xattrs, { 'user.kept': Buffer.from('yes').toString('hex') });
  assert.deepEqual([await look(s.tree()), await s.sh(ino)], [before, number]);
  assert.ok(blocks < 2000, `${blocks} blocks: the holes were filled`);
  await s.commit();
  assert.deepEqual(await look(s.baseTree()), before, 'after the commit');
});

test('hole 8: names of one base file are one file, before and after a write, a travel and a commit', async (t) => {
  const s = await session(t);
  const names = 'one two';
  await s.sh('ln hello.txt one; ln hello.txt two; echo linked >> two');
  const same = `cat hello.txt | tail -1; stat -c %i hello.txt ${names} | uniq | wc -l; stat -c %h one`;
  assert.equal(await s.sh(same), 'linked\n1\n3\n');
  await s.sh('rm one two');
  await s.succeed(['travel', '1']);
  assert.equal(await s.sh(same), 'linked\n1\n3\n');
  await s.commit();
  assert.equal((await s.native(['sh', '-c', same])).stdout, 'linked\n1\n3\n');
});

test('hole 9: rmdir of a directory with something in it fails, and so does a rename over it', async (t) => {
  const s = await session(t);
  const result = await s.cli(['run', '-c', 'mkdir d; rmdir subdir; mv -T d subdir; ls subdir']);
  assert.match(result.stderr, /rmdir: .*not empty/);
  assert.match(result.stderr, /mv: .*not empty/);
  assert.equal(result.stdout, 'deep.txt\n');
});

test('hole 10: a path of 1,000 bytes is staged, listed, committed and comes back', async (t) => {
  const s = await session(t);
  const path = Array.from({ length: 10 }, (_, i) => String(i).repeat(100)).join('/');
  await s.sh(`mkdir -p ${path}; echo far > ${path}/file; mv ${path}/file ${path}/moved`);
  assert.ok((await s.changeLines()).includes(`added ${path}/moved`));
  await s.commit();
  assert.equal((await s.native(['cat', `${path}/moved`])).stdout, 'far\n');
});
