/** Paths of the view are at most as long as the kernel takes them whole, however somebody got there. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { BytePath } from '../../src/sys/bytes.ts';
import { EEXIST, ENAMETOOLONG, OK } from '../../src/sys/errno.ts';
import { RENAME_EXCHANGE } from '../../src/sys/libc.ts';
import { openView, type TestView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

const PATH_MAX = 4096;

interface View {
  readonly v: TestView;
  readonly driver: ViewDriver;
  readonly at: (name: string) => BytePath;
}

function view(t: TestContext): View {
  const v = openView();
  t.after(() => v.close());
  mkdirSync(v.dir);
  writeFileSync(`${v.dir}/base`, 'base');
  return { v, driver: new ViewDriver(v.overlay), at: (name) => `${v.dir}/${name}` as BytePath };
}

/** Makes directories, one in the other, until the path of the last has `length` bytes; returns it. */
function nest({ driver }: View, from: BytePath, length: number): BytePath {
  let at = from;
  if (driver.mkdir(at, 0o755) === EEXIST) assert.fail(`${at} is there`);
  while (at.length < length) {
    // Never so that a name of nothing would be left.
    const name = 'd'.repeat(Math.min(200, length - at.length - 1 === 201 ? 100 : length - at.length - 1));
    at = `${at}/${name}` as BytePath;
    assert.equal(driver.mkdir(at, 0o755), OK, `${at.length} bytes`);
  }
  assert.equal(at.length, length);
  return at;
}

test('S14: mkdir, mknod, symlink, link and rename refuse a path that the kernel would not take whole', (t) => {
  const w = view(t);
  const { driver, at } = w;
  const deep = nest(w, at('deep'), PATH_MAX - 2 - 5);
  const fits = `${deep}/12345` as BytePath;
  const over = `${deep}/123456` as BytePath;
  const before = w.v.recorder.records.length;
  assert.deepEqual(
    [driver.mkdir(over, 0o755), driver.create(over, 0o644), driver.symlink('x', over), driver.link(at('base'), over)],
    [ENAMETOOLONG, ENAMETOOLONG, ENAMETOOLONG, ENAMETOOLONG],
  );
  assert.equal(driver.rename(at('base'), over), ENAMETOOLONG);
  assert.equal(w.v.recorder.records.length, before, 'something was recorded');
  assert.equal(driver.rename(at('base'), fits), OK);
  assert.equal(driver.mkdir(`${fits.slice(0, -1)}x` as BytePath, 0o755), OK);
  assert.deepEqual(driver.list(deep), ['1234x', '12345'].sort());
});

test('S14: a directory moves only where all that is staged below it has a path', (t) => {
  const w = view(t);
  const { driver, at } = w;
  nest(w, at('deep'), 3000);
  const end = nest(w, at('other'), 2000);
  const to = `${end}/deep` as BytePath;
  assert.equal(driver.rename(at('deep'), to), ENAMETOOLONG);
  assert.equal(driver.mkdir(to, 0o755), OK);
  assert.equal(driver.rename(at('deep'), to, RENAME_EXCHANGE), ENAMETOOLONG);
  assert.equal(driver.rename(to, at('deep'), RENAME_EXCHANGE), ENAMETOOLONG);
  assert.equal(driver.rename(at('deep'), at('renamed')), OK, 'where it fits it moves');
  assert.equal(driver.rename(at('renamed'), at('r')), OK);
  assert.deepEqual(driver.list(w.v.dir), ['base', 'other', 'r']);
});

test('S14: no number of moves makes a path longer than that', (t) => {
  const w = view(t);
  const { driver, at } = w;
  let longest = 0;
  for (let i = 0; i < 40; i++) {
    const chain = nest(w, at(`chain${i}`), 1500);
    if (i > 0) driver.rename(at(`chain${i - 1}`), `${chain}/chain` as BytePath);
    const top = at(`chain${i}`);
    for (const path of driver.image(top).keys()) longest = Math.max(longest, top.length + 1 + path.length);
  }
  assert.ok(longest > 1500 && longest < PATH_MAX, `${longest}`);
  for (const { mutation } of w.v.recorder.records) {
    const paths = mutation.tag === 'R' ? [mutation.from, mutation.to] : [mutation.path];
    assert.ok(paths.every((path) => path.length < PATH_MAX));
  }
});
