/** Tools that have two homes: what the rules, the notices and the review know of the one they know of the other. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { cacheDirectoryOf } from '../../src/history/diff/noise.ts';
import { tokenFiles } from '../../src/rules/secrets/token-files.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { atEveryHome } from '../../src/sys/host/tool-homes.ts';

test('atEveryHome() names the other place behind the first, of a tool that has two, and of nothing else', () => {
  assert.deepEqual(
    atEveryHome(['~/.cargo/{registry,git}', '.gradle', 'go/pkg', '~/.cargohold/x', '/go/pkg', 'gopher']),
    [
      '~/.cargo/{registry,git}',
      '~/.local/share/cargo/{registry,git}',
      '.gradle',
      '.local/share/gradle',
      'go/pkg',
      '.local/share/go/pkg',
      '~/.cargohold/x',
      '/go/pkg',
      'gopher',
    ],
  );
});

test('caches, and settings that may hold a token, are known at both places', () => {
  const caches = ['cargo/registry', 'cargo/.package-cache', 'gradle/daemon', 'bun/install/cache'];
  for (const home of ['/home/u/.', '/home/u/.local/share/']) {
    for (const cache of caches)
      assert.equal(cacheDirectoryOf(`${home}${cache}/x` as BytePath, '/p' as BytePath), `${home}${cache}`);
    const looked = tokenFiles({ home: '/home/u', project: '/p' });
    for (const file of ['cargo/config.toml', 'gradle/gradle.properties'])
      assert.ok(looked.includes(`${home}${file}`), `${home}${file}`);
  }
});
