/** Directories that move away outside: their watches end, and the others are not looked at. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BaseWatch } from '../../src/staging/watch/base-watch.ts';
import { Below } from '../../src/staging/watch/below.ts';
import { type BytePath, isWithin } from '../../src/sys/bytes.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { openView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

for (const does of ['appears', 'changes'] as const) {
  test(`what ${does} right after the base was asked for it is told`, (t) => {
    const view = openView({ watched: true });
    t.after(() => view.close());
    fs.mkdirSync(view.dir, { recursive: true });
    const path = `${view.dir}/late`;
    if (does === 'changes') fs.writeFileSync(path, 'early');
    const stat = view.base.stat.bind(view.base);
    view.base.stat = (dir, name) => {
      const found = stat(dir, name);
      if (name === 'late') fs.writeFileSync(path, 'late, and longer');
      return found;
    };
    new ViewDriver(view.overlay).resolve(path as BytePath);
    const named: string[] = [];
    view.watch.drain({
      changed: (dir, name) => named.push(join(dir, name ?? '')),
      overflow: () => assert.fail('events were lost'),
    });
    assert.ok(named.includes(path), `told of: ${named.join(', ')}`);
  });
}

test('take() gives what lies below a directory, and nothing else, whatever was added and taken before', () => {
  const path = fc
    .array(fc.constantFrom('a', 'aa', 'b'), { maxLength: 4 })
    .map((names) => `/${names.join('/')}` as BytePath);
  const steps = fc.array(fc.record({ takes: fc.boolean(), path }), { maxLength: 40 });
  const property = fc.property(fc.uniqueArray(path), steps, (first, all) => {
    const expected = new Set(first);
    const below = new Below(first);
    for (const { takes, path } of all) {
      if (!takes) {
        below.add(path);
        expected.add(path);
        continue;
      }
      const taken = below.take(path);
      assert.equal(new Set(taken).size, taken.length, 'each once');
      for (const each of taken) assert.ok(isWithin(each, path), each);
      const missing = [...expected].filter((each) => isWithin(each, path) && !taken.includes(each));
      assert.deepEqual(missing, []);
      for (const each of taken) expected.delete(each);
    }
  });
  fc.assert(property, { numRuns: runs(500) });
});

/** How many entries of maps are looked at meanwhile, by key or one after the other. */
function lookedAt(act: () => void): number {
  let count = 0;
  const { get, keys, entries } = Map.prototype;
  const counting = (list: typeof entries | typeof keys) =>
    function* (this: Map<unknown, unknown>): Generator<unknown> {
      for (const each of list.call(this)) {
        count++;
        yield each;
      }
    };
  const replaced = { get, keys, entries, [Symbol.iterator]: Map.prototype[Symbol.iterator] };
  Object.assign(Map.prototype, {
    get(this: Map<unknown, unknown>, key: unknown) {
      count++;
      return get.call(this, key);
    },
    ...{ keys: counting(keys), entries: counting(entries), [Symbol.iterator]: counting(entries) },
  });
  try {
    act();
  } finally {
    Object.assign(Map.prototype, replaced);
  }
  return count;
}

const OTHERS = 2000;
const MOVED = 100;

test('a directory that moves away is told of with all below it, at no cost for the others', (t) => {
  const root = fs.mkdtempSync(join(tmpdir(), 'yolofs-watch-'));
  const watch = new BaseWatch([]);
  t.after(() => {
    watch.close();
    fs.rmSync(root, { recursive: true });
  });
  const add = (path: string): boolean => watch.add(`${root}/${path}` as BytePath);
  for (let i = 0; i < OTHERS; i++) fs.mkdirSync(`${root}/others/${i}`, { recursive: true });
  for (let i = 0; i < MOVED; i++) fs.mkdirSync(`${root}/moved/${i}/sub/deep`, { recursive: true });
  for (let i = 0; i < OTHERS; i++) assert.ok(add(`others/${i}`));
  // What lies between is not watched.
  for (let i = 0; i < MOVED; i++) assert.ok(add(`moved/${i}`) && add(`moved/${i}/sub/deep`));
  const told: string[] = [];
  const events = {
    changed: (dir: string, name: string | undefined) => {
      if (name === undefined) told.push(dir.slice(root.length + 1));
    },
    overflow: () => assert.fail('events were lost'),
  };
  const count = lookedAt(() => {
    for (let i = 0; i < MOVED; i++) {
      fs.renameSync(`${root}/moved/${i}`, `${root}/gone-${i}`);
      watch.drain(events);
    }
  });
  const expected = Array.from({ length: MOVED }, (_, i) => [`moved/${i}`, `moved/${i}/sub/deep`]).flat();
  assert.deepEqual(told, expected);
  assert.ok(count < 4 * OTHERS + 30 * MOVED, `${count} entries were looked at`);
  // Watched anew by the path that it has now, and by the one that it had, if there is something again.
  fs.mkdirSync(`${root}/moved/0`);
  assert.ok(add('moved/0') && add('gone-0/sub/deep'));
  fs.writeFileSync(`${root}/gone-0/sub/deep/f`, '');
  fs.rmdirSync(`${root}/moved/0`);
  const seen: string[] = [];
  watch.drain({ ...events, changed: (dir, name) => seen.push(`${dir.slice(root.length + 1)} ${name ?? ''}`) });
  assert.ok(seen.includes('gone-0/sub/deep f'), seen.join());
  assert.ok(seen.includes('moved/0 '), seen.join());
});

test('of a directory that other machines may change events are told, but what is known of it holds for no longer than without', (t) => {
  const root = fs.mkdtempSync(join(tmpdir(), 'yolofs-watch-')) as BytePath;
  const watch = new BaseWatch([], (dir) => dir.endsWith('shared'));
  t.after(() => {
    watch.close();
    fs.rmSync(root, { recursive: true });
  });
  const shared = join(root, 'shared') as BytePath;
  fs.mkdirSync(shared);
  assert.deepEqual([watch.add(root), watch.add(shared), watch.add(shared)], [true, false, false]);
  fs.writeFileSync(`${shared}/f`, '');
  const told: string[] = [];
  watch.drain({
    changed: (dir, name, what) => told.push(`${dir.slice(root.length)} ${name} ${what}`),
    overflow: () => assert.fail('events were lost'),
  });
  assert.ok(told.includes('/shared f born'), told.join());
  assert.equal(watch.isShort, false);
});
