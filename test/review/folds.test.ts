import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldOf, isOnTheWay } from '../../src/review/folds.ts';
import type { BytePath } from '../../src/sys/bytes.ts';

const AROUND = { project: '/home/u/p' as BytePath, home: '/home/u' as BytePath };

test('what programs keep for themselves is told by its kind, and nothing else', () => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    git: [
      ...['/home/u/p/.git/index', '/home/u/p/.git/objects/ab', '/home/u/p/.git/logs/HEAD'],
      ...['/home/u/p/.git/hooks/pre-commit.sample', '/home/u/p/.git/description'],
    ],
    agent: ['/home/u/.claude/x', '/home/u/.codex', '/home/u/.claude.json.backup', '/home/u/.config/opencode/a'],
    cache: [
      '/home/u/.npm/_cacache/a',
      '/home/u/.viminfo',
      '/home/u/.config/go/telemetry/local/a',
      '/home/u/.config/.wrangler/logs/wrangler-1.log',
      '/home/u/.pm2/pids',
      '/home/u/p/a/__pycache__/x',
      '/home/u/.cargo/registry/index/github.com-1/.git/HEAD',
    ],
    undefined: [
      ...[
        '/home/u/p/.git/config',
        '/home/u/p/.git/hooks/post-merge',
        '/home/u/p/.git/hooks/x/a.sample',
        '/home/u/p/.git/hooks',
        '/home/u/p/.git/info/exclude',
        '/home/u/p/.git/objects/info/alternates',
      ],
      ...[
        '/home/u/p/.claude/settings.json',
        '/home/v/.claude/x',
        '/home/u/.config/go/env',
        '/home/u/.config/.wrangler/config/default.toml',
        '/home/u/.pm2/dump.pm2',
        '/home/u/.viminfo2',
        '/home/u/.bashrc',
      ],
    ],
  };
  for (const [kind, paths] of Object.entries(kinds)) {
    for (const path of paths) assert.equal(String(foldOf(path as BytePath, AROUND)), kind, path);
  }
});

test('where the home directory is the project, or in it, what programs keep there is told by its kind all the same', () => {
  const home = '/home/u' as BytePath;
  for (const project of ['/home/u', '/home', '/'] as BytePath[]) {
    assert.equal(foldOf('/home/u/.claude/projects/a.jsonl' as BytePath, { project, home }), 'agent', project);
    assert.equal(foldOf('/home/u/.bash_history' as BytePath, { project, home }), 'cache', project);
    assert.equal(foldOf('/home/u/notes.md' as BytePath, { project, home }), undefined, project);
  }
});

test('a directory on the way to what programs keep in the home directory says nothing, and no other does', () => {
  const home = '/home/u' as BytePath;
  const said = (paths: readonly string[], around: Parameters<typeof isOnTheWay>[1]): readonly string[] =>
    paths.filter((path) => isOnTheWay(path as BytePath, around));
  const ways = [
    '.config',
    '.config/go',
    '.local/share',
    '.cargo',
    '.yarn/berry',
    '.local/share/go/pkg/mod/github.com',
    '.local/share/cargo',
    'go/pkg/mod',
    'go/pkg/mod/github.com',
  ];
  const all = ways.map((way) => `/home/u/${way}`);
  assert.deepEqual(said(all, AROUND), all);
  assert.deepEqual(said(all, { project: home, home }), all);
  const others = ['.config/autostart', '.ssh', 'go/src', 'go/pkg/mod/github.com/x', 'p', 'p/go', 'p/.config'];
  assert.deepEqual(said([...others.map((name) => `/home/u/${name}`), '/home/v/.config', '/.config'], AROUND), []);
  assert.deepEqual(said(all, { project: '/home/u/go' as BytePath, home }), all.slice(0, -2));
});
