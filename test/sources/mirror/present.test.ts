/** What a search takes for here is what lies there, however it came. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Mirror } from '../../../src/sources/mirror/mirror.ts';
import { bring } from '../../../src/sources/searching/bringing.ts';
import { narrowed } from '../../../src/sources/searching/searching.ts';
import { Unfilled } from '../../../src/sources/searching/unfilled.ts';
import type { Entry } from '../../../src/sources/source.ts';

const NEEDLE = { kind: 'literal', text: 'needle', fold: false } as const;
const PATHS = ['a/one', 'a/three', 'a/two', 'b/one'];

test('a content that came into a file, and one that took its place, are looked at although the server finds nothing', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-present-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const mirror = new Mirror({ root: join(dir, 'root'), state: join(dir, 'state') });
  const entries = PATHS.map((path): Entry => ({ path, kind: 'file', size: 6, mtime: 0, rev: '1', acl: [] }));
  mirror.show({ version: '1', entries }, new Map());
  const kept = async (): Promise<string[]> => {
    const found = await narrowed({ mirror, unfilled: new Unfilled() }, { formula: NEEDLE, scopes: [''] }, () =>
      Promise.resolve(new Set()),
    );
    assert.deepEqual(found.map(({ dir: one }) => one).sort(), ['', 'a', 'b']);
    return found.flatMap(({ dir: one, kept: names }) => (names === '' ? [] : [`${one}: ${names}`]));
  };
  assert.deepEqual(await kept(), []);
  mirror.present.comes('a/one');
  chmodSync(join(mirror.root, 'a/one'), 0o644);
  writeFileSync(join(mirror.root, 'a/one'), 'needle');
  assert.deepEqual(await kept(), ['a: one']);
  for (const path of ['a/two', 'b/one']) {
    writeFileSync(join(dir, 'new'), 'needle');
    renameSync(join(dir, 'new'), join(mirror.root, path));
    assert.ok((await kept()).join().includes(path.slice(2)), path);
  }
  assert.deepEqual(await kept(), ['a: one/two', 'b: one']);
});

test('a search of some files says nothing of those beside them', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-present-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const mirror = new Mirror({ root: join(dir, 'root'), state: join(dir, 'state') });
  const entries = PATHS.map((path): Entry => ({ path, kind: 'file', size: 6, mtime: 0, rev: '1', acl: [] }));
  mirror.show({ version: '1', entries }, new Map());
  const asked: unknown[] = [];
  const ask = (scope: readonly string[] | undefined): Promise<Set<string>> => {
    asked.push(scope);
    return Promise.resolve(new Set(['b/one']));
  };
  const found = await narrowed(
    { mirror, unfilled: new Unfilled() },
    { formula: NEEDLE, scopes: ['a/one', 'a/two', 'b'] },
    ask,
  );
  assert.deepEqual(asked, [['a/one', 'a/two', 'b/one']]);
  assert.deepEqual(found, [
    { dir: 'a', names: 'one/three/two', kept: 'three' },
    { dir: 'b', names: 'one', kept: 'one' },
  ]);
});

test('a content that was read before is another one for a search as soon as another file takes its place', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-present-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const mirror = new Mirror({ root: join(dir, 'root'), state: join(dir, 'state') });
  const entries = PATHS.map((path): Entry => ({ path, kind: 'file', size: 6, mtime: 0, rev: '1', acl: [] }));
  mirror.show({ version: '1', entries }, new Map());
  const put = (path: string, content: string): void => {
    writeFileSync(join(dir, 'new'), content);
    renameSync(join(dir, 'new'), join(mirror.root, path));
  };
  const search = async (): Promise<string> => {
    const found = await narrowed({ mirror, unfilled: new Unfilled() }, { formula: NEEDLE, scopes: [''] }, () =>
      Promise.resolve(new Set()),
    );
    const brought = await bring({ mirror, unfilled: new Unfilled(), fetch: () => Promise.resolve([]) }, [
      'a/one',
      'b/one',
    ]);
    const contents = brought.map(({ path, content }) => `${path} ${Buffer.from(content)}`);
    return [...found.map(({ dir: one, kept }) => `${one}: ${kept}`).sort(), ...contents].join(', ');
  };
  put('a/one', 'needle');
  put('b/one', 'straws');
  for (let round = 0; round < 3; round += 1) {
    // What changes now shows another ctime than what was looked at.
    while (!['a', 'b'].every((one) => mirror.present.isAsLooked(one))) await search();
    assert.equal(await search(), ': , a: one, b: , a/one needle, b/one straws');
    put('a/one', 'straws');
    put('b/one', 'needle');
    const brought = await bring({ mirror, unfilled: new Unfilled(), fetch: () => Promise.resolve([]) }, [
      'a/one',
      'b/one',
    ]);
    assert.deepEqual(
      brought.map(({ content }) => Buffer.from(content).toString()),
      ['straws', 'needle'],
    );
    assert.equal(await search(), ': , a: , b: one, a/one straws, b/one needle');
    put('a/one', 'needle');
    put('b/one', 'straws');
  }
});
