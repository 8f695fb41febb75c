/** A selection among very many names: while it is made the view stands still. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { type TestContext, test } from 'node:test';
import { selectForAbort } from '../../../src/history/commit/select/selection.ts';
import { type ChangesOptions, countChanges } from '../../../src/history/diff/changes.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { HostTree } from '../../../src/staging/host-tree.ts';
import { type Inode, viewPath } from '../../../src/staging/inode.ts';
import { ObjectStore } from '../../../src/staging/object-store.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';

const FILES = 40_000;
/** It takes 0.2 s; with lists that were copied for each name that was added it took 13 s. */
const MOST_SECONDS = 4;

const TIME = { sec: 1, nsec: 0 };

interface Empty {
  readonly tree: OverrideTree;
  readonly options: Required<Pick<ChangesOptions, 'base' | 'store' | 'facts'>>;
  readonly top: string;
}

/** An empty tree over this host. */
function emptyTree(t: TestContext): Empty {
  const top = fs.mkdtempSync('/var/tmp/yolofs-test-many-');
  const [base, store] = [new HostTree({ hidden: [], empty: [] }), new ObjectStore(`${top}/files`)];
  t.after(() => {
    store.close();
    base.close();
    fs.rmSync(top, { recursive: true });
  });
  return { tree: new OverrideTree(), options: { base, store, facts: new Facts(base, store) }, top };
}

function make(tree: OverrideTree, path: string, type: number, id: number): Inode {
  const what = { type, ino: (2 ** 48 + id) as Ino, object: (type === S_IFREG ? id : 0) as ObjectId, gen: 0 as Gen };
  const owner = { mode: 0o755, uid: 0, gid: 0, rdev: 0, target: undefined };
  return tree.create(tree.place(path as BytePath), { ...what, ...owner }, TIME);
}

/** Fails where `act` takes more processor time than it may. */
function soon<T>(act: () => T): T {
  const before = process.cpuUsage();
  const result = act();
  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1e6 < MOST_SECONDS, `${(user + system) / 1e6} s of processor time`);
  return result;
}

test('a file with 40,000 names is listed, taken as one, and loses its names without a walk for each', (t) => {
  const { tree, options, top } = emptyTree(t);
  make(tree, `${top}/new`, S_IFDIR, 0);
  const file = make(tree, `${top}/new/0`, S_IFREG, 1);
  for (let i = 1; i < FILES; i++) tree.link(file, tree.place(`${top}/new/${i}` as BytePath), TIME);
  assert.equal(
    soon(() => countChanges({ ...options, tree })),
    FILES + 1,
  );
  const selection = soon(() => selectForAbort({ tree, facts: options.facts, paths: [`${top}/new/7` as BytePath] }));
  assert.equal(selection.along.length, FILES - 1);
  assert.equal(countChanges({ ...options, tree: selection.tree }), 1);
  soon(() => {
    for (let i = 0; i < FILES; i++) {
      const name = i === 0 ? undefined : viewPath(file);
      assert.ok(i === 0 || name !== undefined, `without a name after ${i}`);
      tree.remove(tree.place(`${top}/new/${i}` as BytePath), { hides: true, stamp: undefined }, TIME);
    }
  });
  assert.equal(viewPath(file), undefined);
});

test('selectForAbort() of one file among 40,000 in a new directory, or of many, is not quadratic', (t) => {
  const { tree, options, top } = emptyTree(t);
  const { facts } = options;
  make(tree, `${top}/new`, S_IFDIR, 0);
  for (let i = 1; i <= FILES; i++) make(tree, `${top}/new/${i}`, S_IFREG, i);
  const selection = soon(() => selectForAbort({ tree, facts, paths: [`${top}/new/7` as BytePath] }));
  const left = selection.tree.place(`${top}/new/7` as BytePath).dir.children;
  assert.deepEqual([selection.along, left?.size, left?.has('7' as never)], [[], FILES - 1, false]);
  const some = Array.from({ length: 4000 }, (_, i) => `${top}/new/${i + 1}` as BytePath);
  let reads = 0;
  const paths = new Proxy(some, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  assert.deepEqual(selectForAbort({ tree, facts, paths }).along, []);
  assert.ok(reads <= 4 * some.length, `${some.length} paths were read ${reads} times`);
});
