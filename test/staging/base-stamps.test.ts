/** What is noted of the base when names go, and what that costs. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import {
  type BaseStamp,
  isMoved,
  stampOfDirectory,
  stampOfFile,
  stampOfTree,
  typeOfStamp,
  UNKNOWN,
} from '../../src/staging/base-stamps.ts';
import type { BytePath, Name } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFREG } from '../../src/sys/stat.ts';
import { type StagedProject, withProject } from '../history/projects/staged-project.ts';
import { fc } from '../random/fast-check.ts';

const PRINT = { dev: 65024, ino: 1234567, size: 10, mtime: { sec: 1, nsec: 2 }, ctime: { sec: 3, nsec: 4 } };

test('markOfFile() differs with every field, and with the type', () => {
  const prints = [
    ...[PRINT, { ...PRINT, dev: 1 }, { ...PRINT, ino: 1234568 }, { ...PRINT, ino: PRINT.ino + 2 ** 40 }],
    ...[
      { ...PRINT, size: 11 },
      { ...PRINT, mtime: { sec: 2, nsec: 2 } },
      { ...PRINT, mtime: { sec: 1, nsec: 3 } },
      { ...PRINT, ctime: { sec: 4, nsec: 4 } },
      { ...PRINT, ctime: { sec: 3, nsec: 5 } },
    ],
  ];
  const stamps = [...prints.map((print) => stampOfFile(S_IFREG, print)), stampOfFile(S_IFLNK, PRINT)];
  assert.equal(new Set(stamps).size, stamps.length);
  for (const stamp of stamps) assert.ok(Number.isSafeInteger(stamp) && stamp > 0);
  assert.deepEqual([typeOfStamp(stamps[0] ?? UNKNOWN), typeOfStamp(stamps.at(-1) ?? UNKNOWN)], [S_IFREG, S_IFLNK]);
});

test('markOfFile() of many files next to each other has no collision', () => {
  const stamps = new Set<BaseStamp>();
  for (let n = 0; n < 200_000; n++) stamps.add(stampOfFile(S_IFREG, { ...PRINT, ino: n, size: n % 7 }));
  assert.equal(stamps.size, 200_000);
});

test('markOfTree() does not depend on the order, and on everything else', () => {
  const entry = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd').map((name) => name as Name),
    fc.integer({ min: 1, max: 2 ** 52 }).map((stamp) => stamp as BaseStamp),
  );
  const entries = fc.uniqueArray(entry, { selector: ([name]) => name, minLength: 1 });
  const directory = stampOfDirectory(7);
  fc.assert(
    fc.property(entries, (all) => {
      const stamp = stampOfTree(directory, all);
      assert.equal(stampOfTree(directory, [...all].reverse()), stamp);
      assert.notEqual(stampOfTree(directory, all.slice(1)), stamp);
      assert.notEqual(stampOfTree(stampOfDirectory(8), all), stamp);
      assert.equal(stampOfTree(directory, [...all, ['e' as Name, UNKNOWN]]), UNKNOWN);
      assert.equal(isMoved(stamp), false);
      assert.equal(typeOfStamp(stamp), S_IFDIR);
    }),
  );
});

/** The stamps of a project, by path below it: the type of each. */
function marksOf(p: StagedProject): Record<string, string> {
  const words = [...p.view.tree.stamps.entries()].map(([path, stamp]) => {
    const word = isMoved(stamp) ? 'moved' : typeOfStamp(stamp) === S_IFDIR ? 'tree' : 'file';
    return [path.slice(p.view.dir.length + 1), word];
  });
  return Object.fromEntries(words) as Record<string, string>;
}

const FILES = { f: '1', g: '2', 'd/a': '3', 'd/in/b': '4', 'd/in/c': '5' };

test('a name that goes leaves a stamp, and one that comes back takes it away', () =>
  withProject(FILES, (p) => {
    p.rm('f').mv('g', 'h').write('new', 'x').append('d/a', 'y');
    assert.deepEqual(marksOf(p), { f: 'file', g: 'file' });
    p.mv('h', 'g').write('f', 'again').rm('f').rm('new');
    assert.deepEqual(marksOf(p), { f: 'file' });
  }));

test('a deleted directory has one stamp, but for what was moved out of it', () =>
  withProject(FILES, (p) => {
    p.rm('d/in/b');
    assert.deepEqual(marksOf(p), { 'd/in/b': 'file' });
    p.mv('d/in', 'in').rmTree('d');
    assert.deepEqual(marksOf(p), { d: 'tree', 'd/in': 'moved', 'd/in/b': 'file' });
    p.rmTree('in');
    assert.deepEqual(marksOf(p), { d: 'tree', 'd/in': 'tree' });
  }));

test('a directory that moved and is then deleted has the stamp that one deleted in its place has', () =>
  withProject(FILES, (p) => {
    p.rmTree('d');
    const stamp = p.view.tree.stamps.get(p.at('d'));
    p.view.overlay.treeSwitch.discard();
    p.mv('d', 'e').rmTree('e');
    assert.equal(p.view.tree.stamps.get(p.at('d')), stamp);
  }));

/** How often the base is asked for attributes while `act` runs. */
function asked(p: StagedProject, act: () => void): number {
  const { base } = p.view;
  const stat = base.stat.bind(base);
  let count = 0;
  base.stat = (dir: BytePath, name: Name) => {
    count += 1;
    return stat(dir, name);
  };
  act();
  base.stat = stat;
  return count;
}

test('unlink, rename and rmdir ask the base no more often than before there were stamps', () =>
  withProject(FILES, (p) => {
    const { overlay } = p.view;
    const caller = { uid: 0, gid: 0, pid: 0, ticket: 0 as Ticket };
    const dir = p.driver.resolve(p.at('')) as never;
    const inner = p.driver.resolve(p.at('d/in')) as never;
    for (const path of ['f', 'g', 'd/in/b', 'd/in/c']) p.driver.resolve(p.at(path));
    const asks = (act: () => number): number => asked(p, () => assert.equal(act(), 0));
    const move = (from: string, to: string) => (): number =>
      overlay.rename({ fromParent: dir, from: from as Name, toParent: dir, to: to as Name, flags: 0 }, caller);
    // One each, for a link count above one: the same answer makes the stamp.
    assert.equal(
      asks(() => overlay.unlink(dir, 'f' as Name, caller)),
      1,
    );
    assert.equal(asks(move('g', 'f')), 1);
    assert.equal(
      asks(() => overlay.unlink(inner, 'b' as Name, caller)),
      1,
    );
  }));
