/** Where rules lead by symlinks of the host: the same as each path resolved by itself. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { followed, realOf } from '../../src/rules/follow.ts';
import { exactPattern } from '../../src/rules/pattern/pattern.ts';
import type { BytePath } from '../../src/sys/bytes.ts';

test('followed() has a rule for where each path leads, in whatever order they come', () => {
  const root = mkdtempSync('/var/tmp/yolofs-follow-');
  try {
    mkdirSync(join(root, 'real/deep'), { recursive: true });
    writeFileSync(join(root, 'real/file'), '');
    symlinkSync('real', join(root, 'link'));
    symlinkSync('../real/deep', join(root, 'real/up'));
    symlinkSync(join(root, 'nowhere'), join(root, 'real/dangling'));
    symlinkSync('circle', join(root, 'circle'));
    const names = ['', 'deep', 'deep/none/x', 'file', 'file/x', 'up', 'up/y', 'dangling', 'dangling/x', 'none/x'];
    const paths = ['real', 'link', 'circle', 'none'].flatMap((dir) => names.map((name) => join(root, dir, name)));
    for (const order of [paths, [...paths].reverse()]) {
      const rules = order.map((path) => ({
        pattern: exactPattern(path as BytePath, path),
        decider: { state: 'deny', pattern: path, layer: 'user' } as const,
      }));
      const expected = order.flatMap((path) => {
        const real = realOf(path);
        return real === path || `${path}/`.startsWith(`${real}/`) ? [path] : [path, real];
      });
      assert.deepEqual(
        followed(rules).map(({ pattern }) => pattern.path),
        expected,
      );
    }
    assert.equal(realOf(join(root, 'link/up/y')), join(root, 'real/deep/y'));
  } finally {
    rmSync(root, { recursive: true });
  }
});
