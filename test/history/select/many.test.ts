/** A selection among very many names: while it is made the view stands still. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { selectForAbort } from '../../../src/history/commit/select/selection.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { HostTree } from '../../../src/staging/host-tree.ts';
import { ObjectStore } from '../../../src/staging/object-store.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';

const FILES = 40_000;
/** It takes 0.2 s; with lists that were copied for each name that was added it took 13 s. */
const MOST_SECONDS = 4;

test('selectForAbort() of one file among 40,000 in a new directory, or of many, is not quadratic', (t) => {
  const top = fs.mkdtempSync('/var/tmp/yolofs-test-many-');
  const [base, store] = [new HostTree({ hidden: [], empty: [] }), new ObjectStore(`${top}/files`)];
  t.after(() => {
    store.close();
    base.close();
    fs.rmSync(top, { recursive: true });
  });
  const tree = new OverrideTree();
  const make = (path: string, type: number, id: number): void => {
    const what = { type, ino: (2 ** 48 + id) as Ino, object: (type === S_IFREG ? id : 0) as ObjectId, gen: 0 as Gen };
    const owner = { mode: 0o755, uid: 0, gid: 0, rdev: 0, target: undefined };
    tree.create(tree.place(`${top}/${path}` as BytePath), { ...what, ...owner }, { sec: 1, nsec: 0 });
  };
  make('new', S_IFDIR, 0);
  for (let i = 1; i <= FILES; i++) make(`new/${i}`, S_IFREG, i);
  const before = process.cpuUsage();
  const selection = selectForAbort({ tree, facts: new Facts(base, store), paths: [`${top}/new/7` as BytePath] });
  const { user, system } = process.cpuUsage(before);
  const left = selection.tree.place(`${top}/new/7` as BytePath).dir.children;
  assert.deepEqual([selection.along, left?.size, left?.has('7' as never)], [[], FILES - 1, false]);
  assert.ok((user + system) / 1e6 < MOST_SECONDS, `${(user + system) / 1e6} s of processor time`);
  const some = Array.from({ length: 4000 }, (_, i) => `${top}/new/${i + 1}` as BytePath);
  let reads = 0;
  const paths = new Proxy(some, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  assert.deepEqual(selectForAbort({ tree, facts: new Facts(base, store), paths }).along, []);
  assert.ok(reads <= 4 * some.length, `${some.length} paths were read ${reads} times`);
});
