import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { open } from 'lmdb';
import { initialState } from '../../../src/history/log/session-state.ts';
import { renewStamp, stampFile } from '../../../src/history/timeline/store/stamp.ts';
import { type TreeMeta, TreeStore } from '../../../src/history/timeline/store/tree-store.ts';
import type { BaseStamp } from '../../../src/staging/base-stamps.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Ino, Name } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFREG } from '../../../src/sys/stat.ts';
import { dumpTree } from '../dump-tree.ts';
import { scratch } from '../samples.ts';
import { fresh, grow, TIME } from './growing-tree.ts';

const META: TreeMeta = { ...initialState(), journalOffset: 1234, journalSum: '0123abcd', journalStamp: '' };

interface Opened {
  readonly store: TreeStore;
  readonly path: string;
  readonly notes: string[];
}

function opened(t: TestContext, path = join(scratch(t), 'tree.mdb'), readOnly = false): Opened {
  const notes: string[] = [];
  const store = TreeStore.open(path, { readOnly, onNote: (text) => notes.push(text) });
  t.after(() => store.close());
  return { store, path, notes };
}

/** How many entries are in the file. */
async function entries(path: string): Promise<number> {
  const db = open(path, { readOnly: true });
  const { entryCount } = db.getStats() as { entryCount: number };
  await db.close();
  return entryCount;
}

test('load() gives back what save() was given: names of any bytes, every kind of inode, links, tombstones', (t) => {
  const { store, notes } = opened(t);
  const tree = new OverrideTree();
  const dir = tree.create(tree.place('/dir' as BytePath), fresh(S_IFDIR, 1), TIME);
  for (const name of ['a\nb', '\t', '\\', ' ', '\xff\xfe', '\x01', '\xe4'.repeat(255)]) {
    tree.create({ dir, name: name as Name }, fresh(S_IFREG, 2), TIME);
  }
  tree.create(
    { dir, name: 'link' as Name },
    { ...fresh(S_IFLNK, 3), target: '\xff\n' },
    { sec: -1, nsec: 999_999_999 },
  );
  const file = tree.resolve('/base/file' as BytePath, S_IFREG, 77 as Ino);
  const fingerprint = { dev: 2, ino: 77, size: 2 ** 40, mtime: TIME, ctime: TIME, nlink: 3 };
  tree.change(file, { attributes: { mode: 0o4755 }, changed: 1, fingerprint });
  tree.change(file, { attributes: {}, changed: 8, xattr: { name: 'user.big', value: Buffer.alloc(65536, 7) } });
  tree.change(file, { attributes: {}, changed: 8, xattr: { name: 'user.gone', value: null } });
  tree.link(file, { dir, name: 'second' as Name }, TIME);
  tree.remove(tree.place('/base/deleted' as BytePath), { hides: true, stamp: 12345 as BaseStamp }, TIME);
  tree.rename(tree.place('/dir' as BytePath), tree.place('/base/moved' as BytePath), { hides: false, time: TIME });

  assert.equal(store.save(tree, META), true);
  assert.equal(tree.dirtyInodes.size + tree.dirtyDentries.size + tree.deadIds.length, 0);
  const loaded = store.load();
  assert.ok(loaded);
  assert.equal(dumpTree(loaded.tree), dumpTree(tree));
  assert.deepEqual(loaded.meta, META);
  assert.equal(loaded.tree.nextId, tree.nextId);
  assert.deepEqual([...loaded.tree.linked.keys()], ['2:77']);
  assert.deepEqual(notes, []);
});

test('load() of a store that was never saved is undefined', (t) => {
  const { store, path } = opened(t);
  assert.equal(store.load(), undefined);
  const reader = opened(t, path, true);
  assert.equal(reader.store.load(), undefined);
  const absent = opened(t, join(scratch(t), 'none.mdb'), true);
  assert.equal(absent.store.load(), undefined);
  assert.deepEqual([reader.notes, absent.notes], [[], []]);
  assert.equal(existsSync(absent.path), false, 'a reader makes nothing');
});

test('save() leaves nothing behind of what is gone', async (t) => {
  const { store, path } = opened(t);
  const tree = new OverrideTree();
  store.save(tree, META);
  const before = await entries(path);
  grow(tree, 300);
  const shared = tree.resolve('/0/1' as BytePath, S_IFREG, 0 as Ino);
  tree.link(shared, tree.place('/second' as BytePath), TIME);
  store.save(tree, META);
  const full = await entries(path);
  assert.ok(full >= 300 && full < 320, `${full} entries: a file with one name needs one`);
  tree.remove(tree.place('/second' as BytePath), { hides: false }, TIME);
  tree.remove(tree.place('/0/1' as BytePath), { hides: false }, TIME);
  for (let n = 0; n < 300; n++)
    if (n !== 1) tree.remove(tree.place(`/${n >> 7}/${n}` as BytePath), { hides: false }, TIME);
  store.save(tree, META);
  for (let n = 0; n < 3; n++) tree.remove(tree.place(`/${n}` as BytePath), { hides: false }, TIME);
  store.save(tree, META);
  // The root's own record came with its first change.
  assert.equal(await entries(path), before + 1);
  assert.equal(dumpTree(store.load()?.tree ?? tree), dumpTree(tree));
});

test('replace() drops what was there', (t) => {
  const { store } = opened(t);
  const tree = new OverrideTree();
  grow(tree, 300);
  store.save(tree, META);
  tree.clear();
  assert.equal(store.replace(tree, { ...META, generation: 4 as never }), true);
  const loaded = store.load();
  assert.equal(dumpTree(loaded?.tree ?? tree), dumpTree(new OverrideTree()));
  assert.equal(loaded?.meta.generation, 4);
  assert.equal(loaded?.tree.nextId, tree.nextId, 'ids are not used twice');
});

test('save() and load() in one turn, again and again, do not make the file grow', (t) => {
  const { store, path } = opened(t);
  const tree = new OverrideTree();
  grow(tree, 500);
  store.save(tree, META);
  const size = (): number => statSync(path).size;
  for (let n = 0; n < 20; n++) again(store, tree, n);
  const before = size();
  for (let n = 0; n < 200; n++) again(store, tree, n);
  assert.ok(size() <= before + 100_000, `${before} to ${size()} bytes`);
});

function again(store: TreeStore, tree: OverrideTree, n: number): void {
  tree.change(tree.resolve(`/0/${n % 100}` as BytePath, S_IFREG, 0 as Ino), { attributes: { mode: n }, changed: 1 });
  assert.equal(store.save(tree, META), true);
  assert.equal(dumpTree(store.load()?.tree ?? tree), dumpTree(tree));
}

test('load() of a reader sees the last save, while the writer goes on', (t) => {
  const { store, path } = opened(t);
  const tree = new OverrideTree();
  for (let n = 1; n < 20; n++) {
    grow(tree, n);
    store.save(tree, { ...META, journalOffset: n });
    const reader = opened(t, path, true);
    assert.equal(reader.store.load()?.meta.journalOffset, n);
    assert.deepEqual(reader.notes, []);
  }
});

/** Ways to spoil the file at `path`. */
const DAMAGE: Record<string, (path: string) => void> = {
  'cut to half': (path) => truncateSync(path, statSync(path).size / 2),
  empty: (path) => truncateSync(path, 0),
  'another file': (path) => writeFileSync(path, 'hello\n'.repeat(1000)),
  'one flipped bit': (path) => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
  'zeros in the middle': (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, bytes.length / 4, bytes.length / 2));
  },
  'a restored copy': (path) => utimesSync(path, 1, 1),
  'a directory': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'no stamp': (path) => rmSync(stampFile(path)),
  'of another boot': (path) => rewriteStamp(path, /boot \S+/, 'boot 00000000-0000-0000-0000-000000000000'),
  'of another version': (path) => rewriteStamp(path, /tree \d+/, 'tree 999'),
};

function rewriteStamp(path: string, from: RegExp, to: string): void {
  const text = readFileSync(stampFile(path), 'latin1');
  assert.match(text, from);
  writeFileSync(stampFile(path), text.replace(from, to));
}

for (const [what, spoil] of Object.entries(DAMAGE)) {
  test(`open() does without a store that is ${what}, and a writer starts anew`, async (t) => {
    const tree = new OverrideTree();
    grow(tree, 300);
    const first = opened(t);
    const { path } = first;
    first.store.save(tree, META);
    await first.store.close();
    spoil(path);

    const reader = opened(t, path, true);
    assert.equal(reader.store.load(), undefined);
    assert.deepEqual(reader.notes, ['tree store: not as it was left; the journal is read instead']);
    const writer = opened(t, path);
    assert.equal(writer.store.load(), undefined);
    const again = new OverrideTree();
    grow(again, 10);
    assert.equal(writer.store.save(again, META), true);
    const loaded = opened(t, path, true).store.load();
    assert.equal(dumpTree(loaded?.tree ?? tree), dumpTree(again));
  });
}

test('load() notices a value that is not what was saved, even under the right stamp', async (t) => {
  const { store, path } = opened(t);
  const tree = new OverrideTree();
  grow(tree, 300);
  store.save(tree, META);
  await store.close();
  const bytes = readFileSync(path);
  const at = bytes.indexOf('target-of-/1/200');
  assert.ok(at > 0);
  bytes[at] = 0x54;
  writeFileSync(path, bytes);
  renewStamp(path);
  const reader = opened(t, path, true);
  assert.equal(reader.store.load(), undefined);
  assert.deepEqual(reader.notes, ['tree store: a checksum does not match; the journal is read instead']);
});
