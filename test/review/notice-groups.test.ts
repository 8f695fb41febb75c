import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notice } from '../../src/history/commit/notices/notices.ts';
import { noticedPaths, noticeGroups } from '../../src/review/notice-groups.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { fc } from '../random/fast-check.ts';

const PROJECT = '/home/u/p' as BytePath;

function notice(path: string, more: Partial<Notice> = {}): Notice {
  return { path: path as BytePath, kind: 'executable', sentence: 'executable', ...more };
}

/** As lines: what is named, and why. */
function linesOf(notices: readonly Notice[]): string[] {
  return noticeGroups(notices, PROJECT).map(({ members, why, place }) =>
    place === undefined ? `${members[0].path} ${why}` : `${members.length} ${place.word} ${place.directory} ${why}`,
  );
}

test('up to ten of a kind are named, and more are one line for each directory, or for one above them', () => {
  const files = (count: number, dir: (at: number) => string): Notice[] =>
    Array.from({ length: count }, (_, at) => notice(`${dir(at)}/f${at}`));
  assert.equal(linesOf(files(10, () => '/home/u/p/bin')).length, 10);
  assert.deepEqual(linesOf(files(11, () => '/home/u/p/bin')), ['11 in /home/u/p/bin executable']);
  assert.deepEqual(linesOf(files(12, (at) => `/home/u/p/a/d${at}`)), ['12 below /home/u/p/a executable']);
  const spread = files(12, (at) => (at < 6 ? `/home/u/p/a/d${at}` : `/opt/tools/t${at}`));
  assert.deepEqual(linesOf(spread), ['6 below /home/u/p/a executable', '6 below /opt/tools executable']);
});

test('up to three that lie elsewhere than all others do not hide where these are', () => {
  const below = (dir: string, count: number): Notice[] =>
    Array.from({ length: count }, (_, at) => notice(`/home/u/p/${dir}/d${at}/f${at}`));
  const strays = ['build/lib/c.so', 'c.so', 'dist/m'].map((name) => notice(`/home/u/p/${name}`));
  const named = ['c.so', 'dist/m', 'build/lib/c.so'].map((name) => `/home/u/p/${name} executable`);
  const lines = linesOf([...below('v', 12), ...strays]);
  assert.deepEqual(lines.toSorted(), [...named, '12 below /home/u/p/v executable'].toSorted());
  assert.deepEqual(linesOf([...below('v', 12), ...strays, notice('/home/u/p/e')]), ['16 below /home/u/p executable']);
  const many = ['v', 'w', 'x', 'y'].flatMap((dir) => below(dir, 12));
  assert.deepEqual(linesOf(many), ['48 below /home/u/p executable']);
});

test('places of the project and of elsewhere are counted apart', () => {
  const of = (dir: string): Notice[] => Array.from({ length: 4 }, (_, at) => notice(`${dir}/d${at}/f`));
  const places = ['/home/u/p/a', '/home/u/p/b', '/home/u/.npm/x', '/home/u/.npm/y', '/home/u/.npm/z'];
  assert.deepEqual(
    linesOf(places.flatMap(of)),
    places.map((dir) => `4 below ${dir} executable`),
  );
});

test('a line of several names what only one of them has before what all have, and how many more there are', () => {
  const sentence = 'scripts of it';
  const many = Array.from({ length: 11 }, (_, at) =>
    notice(`/home/u/p/k${at}/package.json`, {
      ...{ kind: 'packages', sentence },
      details: ['a', 'b', 'c', 'd', 'e', ...(at === 7 ? ['rare'] : [])],
    }),
  );
  assert.deepEqual(linesOf(many), [`11 below /home/u/p ${sentence}: rare, a, b, c, d, and 1 more`]);
});

test('in whatever list no path is left out, and none is in two lines', () => {
  const kinds = ['git', 'packages', 'symlink', 'leaves', 'executable'] as const;
  const one = fc
    .tuple(fc.constantFrom('/home/u/p', '/home/u', '/opt'), fc.nat(4), fc.nat(30), fc.constantFrom(...kinds))
    .map(([top, dir, file, kind]) => notice(`${top}/d${dir}/f${file}`, { kind, sentence: `${kind} ${file % 3}` }));
  fc.assert(
    fc.property(fc.array(one, { maxLength: 200 }), (notices) => {
      const told = noticeGroups(notices, PROJECT).flatMap(({ members }) => members.map(({ path }) => path));
      assert.deepEqual(
        told.sort(),
        noticedPaths(notices)
          .map(({ path }) => path)
          .sort(),
      );
      for (const { members, place } of noticeGroups(notices, PROJECT))
        for (const { path } of members)
          assert.ok(place === undefined || path.startsWith(`${place.directory}/`) || place.directory === '/');
    }),
  );
});
