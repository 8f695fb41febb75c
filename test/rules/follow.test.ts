/** Where rules lead by symlinks of the host: the same as each path resolved by itself. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { closedBelow, followed, MOST_NAMES, realOf } from '../../src/rules/follow.ts';
import { exactPattern } from '../../src/rules/pattern/pattern.ts';
import { Rules } from '../../src/rules/rules.ts';
import type { State } from '../../src/rules/states.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { type Layer, rulesOf } from './naive.ts';

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
        followed(rules, root as BytePath).map(({ pattern }) => pattern.path),
        expected,
      );
    }
    assert.equal(realOf(join(root, 'link/up/y')), join(root, 'real/deep/y'));
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('S7: followed() has rules for what globs lead to, also of links further down', () => {
  const root = mkdtempSync('/var/tmp/yolofs-follow-');
  try {
    const at = (name: string): BytePath => join(root, name) as BytePath;
    for (const dir of ['p/shared', 'p/deep', 'p/real', 'dir']) mkdirSync(at(dir), { recursive: true });
    for (const file of ['p/shared/prod', 'p/real/k.key', 'p/shared/deep', 'p/shared/open']) writeFileSync(at(file), '');
    symlinkSync('shared/prod', at('p/.env'));
    symlinkSync('shared/prod', at('p/.env.sample'));
    symlinkSync('../dir', at('p/.env.d'));
    symlinkSync('../shared/deep', at('p/deep/.env'));
    symlinkSync('../shared/open', at('p/deep/.env.sample'));
    symlinkSync('../shared/open', at('p/deep/asked.pem'));
    symlinkSync('real', at('p/conf'));
    symlinkSync('shared/none', at('p/later.pem'));
    symlinkSync('..', at('p/up.pem'));
    const places = { home: '/h', project: at('p') };
    const rules = [
      ...rulesOf('**/.env', { state: 'deny', layer: 'default' }, places),
      ...rulesOf('**/.env.d', { state: 'deny', layer: 'default' }, places),
      ...rulesOf('**/.env.sample', { state: 'allow', layer: 'default' }, places),
      ...rulesOf('*.pem', { state: 'ask', layer: 'user' }, places),
      ...rulesOf('conf/**', { state: 'read-only', layer: 'project' }, places),
      ...rulesOf('conf/*.key', { state: 'deny', layer: 'project' }, places),
    ];
    const states = new Rules(followed(rules, at('p')));
    const expected: Record<string, State> = {
      'p/shared/prod': 'deny',
      'p/shared/none': 'allow',
      'p/real/k.key': 'deny',
      'p/real/other': 'read-only',
      'p/shared/deep': 'deny',
      'p/shared/open': 'allow',
      p: 'allow',
      dir: 'allow',
    };
    for (const [name, state] of Object.entries(expected)) assert.equal(states.stateOf(at(name)), state, name);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('S7: closedBelow() says when a project has more names than it looks at', () => {
  const root = mkdtempSync('/var/tmp/yolofs-follow-');
  try {
    const at = (name: string): BytePath => join(root, name) as BytePath;
    for (const dir of ['many', 'node_modules/a', 'x/y/z']) mkdirSync(at(dir), { recursive: true });
    for (const dir of ['node_modules/a', 'x/y/z']) symlinkSync('/etc/hostname', at(`${dir}/.env`));
    const rules = rulesOf('**/.env', { state: 'deny', layer: 'user' });
    const found = closedBelow(rules, root as BytePath);
    assert.deepEqual([found.isAll, found.links.map(({ dir }) => dir)], [true, [at('x/y/z'), at('node_modules/a')]]);
    assert.deepEqual(found.files, []);
    for (let i = 0; i < MOST_NAMES; i++) writeFileSync(at(`many/${i}`), '');
    assert.deepEqual(closedBelow(rules, root as BytePath), { links: [], files: [], isAll: false });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('S7: closedBelow() says which files globs close, also below a directory', () => {
  const root = mkdtempSync('/var/tmp/yolofs-follow-');
  try {
    const at = (name: string): BytePath => join(root, name) as BytePath;
    for (const dir of ['vault/deep', 'plain']) mkdirSync(at(dir), { recursive: true });
    for (const file of ['vault/deep/x', 'vault/open', 'plain/.env', 'plain/x']) writeFileSync(at(file), '');
    symlinkSync('plain/x', at('vault/link'));
    const rules = [
      ...rulesOf('**/.env', { state: 'hidden', layer: 'default' }),
      ...rulesOf('**/vault', { state: 'deny', layer: 'user' }),
      ...rulesOf('**/vault/open', { state: 'allow', layer: 'user' }),
    ];
    const found = closedBelow(rules, root as BytePath);
    assert.deepEqual([...found.files].sort(), [at('plain/.env'), at('vault/deep/x')]);
    assert.deepEqual(found.links, []);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('followed() opens nothing that is closed where a link leads, and for a session or a project nothing at all', () => {
  const root = mkdtempSync('/var/tmp/yolofs-follow-');
  try {
    const at = (name: string): BytePath => join(root, name) as BytePath;
    for (const dir of ['secret', 'asked', 'p']) mkdirSync(at(dir));
    for (const name of ['secret', 'asked']) symlinkSync(at(name), at(`p/${name}`));
    const base = [
      ...rulesOf(at('secret'), { state: 'deny', layer: 'default' }),
      ...rulesOf(at('asked'), { state: 'ask', layer: 'default' }),
    ];
    const withAllow = (layer: Layer): State[] => {
      const more = ['secret', 'asked'].flatMap((name) => rulesOf(at(`p/${name}`), { state: 'allow', layer }));
      const states = new Rules(followed([...base, ...more], at('p')));
      return [states.stateOf(at('secret')), states.stateOf(at('asked'))];
    };
    assert.deepEqual(withAllow('session'), ['deny', 'ask']);
    assert.deepEqual(withAllow('project'), ['deny', 'ask']);
    assert.deepEqual(withAllow('user'), ['deny', 'allow'], 'a person may keep what is allowed elsewhere');
  } finally {
    rmSync(root, { recursive: true });
  }
});
