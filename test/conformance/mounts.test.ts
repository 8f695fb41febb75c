/** Projects that span several file systems of the host: the view is one. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isRoot } from '../support/accounts.ts';
import { succeed } from '../support/exec.ts';
import { leaveOut } from '../support/need.ts';
import { type Session, session } from '../support/session.ts';

/** A tmpfs on a directory of the host. */
async function mountAt(dir: string): Promise<void> {
  await succeed(['mount', '-t', 'tmpfs', 'yolofs-test', dir]);
}

/** A session in whose project `one` and `two` are file systems of their own, each with a file `f`. */
function spanning(t: TestContext): Promise<Session> {
  const mounted: string[] = [];
  return session(t, {
    seed: async (project) => {
      for (const name of ['one', 'two']) {
        const dir = join(project, name);
        mkdirSync(dir);
        await mountAt(dir);
        mounted.push(dir);
        writeFileSync(join(dir, 'f'), `${name}\n`);
      }
      writeFileSync(join(project, 'here'), 'here\n');
    },
    onStopped: async () => {
      for (const dir of mounted) await succeed(['umount', '-l', dir]);
    },
  });
}

test('files of several file systems are distinct in the view and move between them', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount');
  const s = await spanning(t);
  // Both are inode 2 of their file system: cp would refuse to copy a file to itself.
  assert.equal(
    await s.sh('cat one/f two/f; cp one/f two/f; cat two/f; test one/f -ef two/f || echo distinct'),
    'one\ntwo\none\ndistinct\n',
  );
  await s.sh('mv one/f two/moved; mv here one/; mkdir two/dir; mv two/dir one/; echo new > one/dir/new');
  assert.equal(await s.sh('cat two/moved one/here one/dir/new'), 'one\nhere\nnew\n');
  assert.equal((await s.native(['cat', 'one/f', 'two/f', 'here'])).stdout, 'one\ntwo\nhere\n', 'the base has changed');
  const view = await s.tree();
  await s.commit();
  assert.deepEqual(await s.baseTree(), view);
  assert.deepEqual(await s.changeLines(), []);
});

test('a link between two file systems of the host is a copy after the commit', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount');
  const s = await spanning(t);
  await s.sh('ln one/f two/linked; ln here one/here; echo more >> one/f; test one/f -ef two/linked');
  await s.commit();
  assert.equal((await s.native(['cat', 'one/f', 'two/linked', 'one/here'])).stdout, 'one\nmore\none\nmore\nhere\n');
  assert.deepEqual(await s.changeLines(), []);
});

test('a file system that is mounted on the host later shows in the view', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount');
  const mounted: string[] = [];
  const s = await session(t, {
    onStopped: async () => {
      for (const dir of mounted) await succeed(['umount', '-l', dir]);
    },
  });
  assert.equal(await s.sh('ls subdir'), 'deep.txt\n');
  const dir = join(s.project, 'subdir');
  await mountAt(dir);
  mounted.push(dir);
  writeFileSync(join(dir, 'later'), 'later\n');
  assert.equal(await s.sh('sleep 1.2; cat subdir/later; echo x > subdir/staged; ls subdir'), 'later\nlater\nstaged\n');
});
