/** By which name a file goes on that has lost the one it was known by. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Inode, viewPath } from '../../../src/staging/inode.ts';
import { giveName, namesOf } from '../../../src/staging/names/hard-links.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Gen, Ino, Name, ObjectId } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';

const TIME = { sec: 1, nsec: 0 };
const FILES = 50_000;
const LINKS = 3000;
/** It takes 0.1 s; with a search of the whole tree for each it took 7 s. */
const MOST_SECONDS = 2;

class Tree {
  readonly tree = new OverrideTree();
  #made = 0;

  make(path: string, type: number): Inode {
    const id = ++this.#made;
    const what = { type, ino: (2 ** 48 + id) as Ino, object: (type === S_IFREG ? id : 0) as ObjectId, gen: 0 as Gen };
    return this.tree.create(this.#at(path), { ...what, mode: 0o755, uid: 0, gid: 0, rdev: 0, target: undefined }, TIME);
  }

  link(inode: Inode, path: string): void {
    this.tree.link(inode, this.#at(path), TIME);
  }

  rename(from: string, to: string): void {
    this.tree.rename(this.#at(from), this.#at(to), { hides: false, time: TIME });
  }

  remove(path: string): void {
    this.tree.remove(this.#at(path), { hides: false }, TIME);
  }

  #at(path: string): ReturnType<OverrideTree['place']> {
    return this.tree.place(path as BytePath);
  }
}

test('remove() of the name that a file is known by leaves it one that it has', () => {
  const t = new Tree();
  for (const dir of ['/d', '/e']) t.make(dir, S_IFDIR);
  const file = t.make('/d/a', S_IFREG);
  const names = (): [string | undefined, number | undefined] => [viewPath(file), file.staged?.nlink];
  t.link(file, '/d/b');
  t.remove('/d/a');
  assert.deepEqual(names(), ['/d/b', 1]);
  // The name that it got last is not there any more: one in a directory that has moved is.
  t.link(file, '/e/c');
  t.link(file, '/d/last');
  t.remove('/d/last');
  t.rename('/e', '/moved');
  t.remove('/d/b');
  assert.deepEqual(names(), ['/moved/c', 1]);
  // Most of them have gone again.
  for (let i = 0; i < 10; i++) t.link(file, `/d/${i}`);
  for (let i = 9; i >= 2; i--) t.remove(`/d/${i}`);
  t.remove('/moved/c');
  assert.ok(['/d/0', '/d/1'].includes(viewPath(file) ?? ''), String(viewPath(file)));
  for (const path of ['/d/0', '/d/1']) t.remove(path);
  assert.deepEqual(names(), [undefined, 0]);
});

test('a file goes on by its former own name when the one that was moved goes, and a name that comes back counts once', () => {
  const t = new Tree();
  for (const dir of ['/d', '/e']) t.make(dir, S_IFDIR);
  const file = t.make('/d/a', S_IFREG);
  t.link(file, '/d/b');
  t.rename('/d/b', '/e/b');
  assert.equal(viewPath(file), '/e/b');
  t.remove('/e/b');
  assert.equal(viewPath(file), '/d/a');
  for (let i = 0; i < 3; i++) {
    t.link(file, '/d/b');
    t.remove('/d/b');
  }
  assert.deepEqual(pathsOf(file), ['/d/a']);
  t.link(file, '/d/b');
  assert.deepEqual(pathsOf(file), ['/d/a', '/d/b']);
});

test('a name in a directory that no way leads to from the root any more is not gone on by', () => {
  const [t, other] = [new Tree(), new Tree()];
  t.make('/d', S_IFDIR);
  const elsewhere = other.make('/d', S_IFDIR);
  const file = t.make('/d/a', S_IFREG);
  t.link(file, '/d/b');
  giveName(file, { dir: elsewhere, name: 'a' as Name });
  t.remove('/d/a');
  assert.equal(viewPath(file), '/d/b');
  t.link(file, '/d/c');
  t.remove('/d/b');
  t.remove('/d/c');
  assert.deepEqual([file.parent, file.staged?.nlink], [undefined, 0]);
});

/** A tree of many files, and the processor time in seconds of what is done in it. */
function large(work: (t: Tree) => void): number {
  const t = new Tree();
  t.make('/objects', S_IFDIR);
  for (let i = 0; i < FILES; i++) {
    if (i % 100 === 0) t.make(`/${i / 100}`, S_IFDIR);
    t.make(`/${Math.floor(i / 100)}/${i}`, S_IFREG);
  }
  const before = process.cpuUsage();
  work(t);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test('remove() of one of two names does not search a large tree, as git links and unlinks each object', () => {
  const seconds = large((t) => {
    for (let i = 0; i < LINKS; i++) {
      const file = t.make('/objects/tmp', S_IFREG);
      t.link(file, `/objects/${i}`);
      t.remove('/objects/tmp');
      assert.equal(viewPath(file), `/objects/${i}`);
    }
  });
  assert.ok(seconds < MOST_SECONDS, `${seconds} s of processor time`);
});

test('nor does it for files that have their other names where nobody has looked, as an environment of uv has in its cache', () => {
  const seconds = large((t) => {
    for (let i = 0; i < LINKS; i++) {
      const [file, path] = [t.make('/objects/one', S_IFREG), `/objects/${i}`];
      t.rename('/objects/one', path);
      if (file.staged !== undefined) file.staged.nlink = 2;
      t.remove(path);
      assert.deepEqual([file.parent, file.staged?.nlink], [undefined, 1]);
    }
  });
  assert.ok(seconds < MOST_SECONDS, `${seconds} s of processor time`);
});

function pathsOf(file: Inode): string[] {
  return namesOf(file).map(({ dir, name }) => `${viewPath(dir)}/${name}`);
}
