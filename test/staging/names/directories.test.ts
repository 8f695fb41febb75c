import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Inode } from '../../../src/staging/inode.ts';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { ENOTEMPTY } from '../../../src/sys/errno.ts';
import { openView, type TestView } from '../session-parts.ts';
import { ViewDriver } from '../view-driver.ts';

const NAMES = 60;
const AT_ONCE = 7;

test('two directories that are read in turns are sorted once each', () => {
  const view = openView();
  try {
    const driver = new ViewDriver(view.overlay);
    const read = ['a', 'b'].map((dir) => {
      fs.mkdirSync(`${view.dir}/${dir}`, { recursive: true });
      for (let i = 0; i < NAMES; i++) driver.create(`${view.dir}/${dir}/${i}` as BytePath, 0o644);
      const walked = countWalks(inodeAt(view, `${view.dir}/${dir}` as BytePath));
      return {
        node: driver.resolve(`${view.dir}/${dir}` as BytePath) as NodeId,
        walked,
        cookie: 0,
        seen: [] as string[],
      };
    });
    for (let steps = 0; steps < NAMES; steps++) for (const one of read) step(view, one);
    for (const { seen, walked } of read) {
      const expected = ['.', '..', ...Array.from({ length: NAMES }, (_, i) => String(i))];
      assert.deepEqual([...seen].sort(), expected.sort());
      assert.equal(walked(), 1);
    }
  } finally {
    view.close();
  }
});

test('rmdir() is refused where a file is shown whose base entry somebody has removed, as long as it has content of its own', (t) => {
  const view = openView();
  t.after(view.close);
  const driver = new ViewDriver(view.overlay);
  const at = (name: string): BytePath => `${view.dir}/${name}` as BytePath;
  for (const dir of ['written', 'changed']) {
    fs.mkdirSync(at(dir), { recursive: true });
    fs.writeFileSync(at(`${dir}/file`), 'x');
  }
  assert.equal(driver.write(at('written/file'), 0, 'y'), 0);
  assert.equal(driver.chmod(at('changed/file'), 0o600), 0);
  for (const dir of ['written', 'changed']) fs.unlinkSync(at(`${dir}/file`));
  assert.deepEqual([driver.list(at('written')), driver.list(at('changed'))], [['file'], []]);
  assert.deepEqual([driver.rmdir(at('written')), driver.rmdir(at('changed'))], [ENOTEMPTY, 0]);
});

/** One call of the kernel's, which has room for a few names. */
function step(view: TestView, reading: { readonly node: NodeId; cookie: number; readonly seen: string[] }): void {
  let room = AT_ONCE;
  const sink = {
    fits: () => room > 0,
    add(name: Name, _ino: number, _type: number, next: number): void {
      room -= 1;
      reading.seen.push(name);
      reading.cookie = next;
    },
  };
  view.overlay.readdir(reading.node, reading.cookie, sink, false);
}

function inodeAt(view: TestView, path: BytePath): Inode {
  let at: Inode | null | undefined = view.tree.root;
  for (const name of path.slice(1).split('/')) at = at?.children?.get(name as Name);
  assert.ok(at);
  return at;
}

/** Counts from now on how often all names in a directory are gone through. */
function countWalks({ children }: Inode): () => number {
  let count = 0;
  assert.ok(children);
  const walk = children[Symbol.iterator].bind(children);
  Object.assign(children, {
    [Symbol.iterator]: () => {
      count += 1;
      return walk();
    },
  });
  return () => count;
}
