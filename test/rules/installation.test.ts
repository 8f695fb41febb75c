/** What programs below a home directory may read of themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRules } from '../../src/rules/config/defaults.ts';
import { installationOf } from '../../src/rules/config/installation.ts';
import { Rules } from '../../src/rules/rules.ts';
import { toBytePath } from '../../src/sys/bytes.ts';

const PLACES = { home: '/home/u', project: '/home/u/project' };

test('of what lies below a home directory a program may read what it is made of, and nothing beside it', () => {
  const cases: [string, string[]][] = [
    ['/usr/bin/claude', []],
    ['/opt/claude', []],
    ['/home/u', []],
    ['/home/u2/tools/claude', ['/home/u2/tools/claude']],
    ['/root/.npm-global/lib/node_modules/yolofs', ['/root/.npm-global/lib/node_modules']],
    ['/home/u/claude', ['/home/u/claude']],
    ['/home/u/tools/claude', ['/home/u/tools/claude']],
    ['/home/u/bin/claude', ['/home/u/bin/claude']],
    ['/home/u/.local/bin/claude', ['/home/u/.local/bin/claude', '/home/u/.local/lib']],
    ['/home/u/n/v20/bin/node', ['/home/u/n/v20/bin/node', '/home/u/n/v20/lib']],
    ['/home/u/n/v20/lib/node_modules/@openai/codex/bin/codex.js', ['/home/u/n/v20/lib/node_modules']],
    ['/home/u/p/global/5/node_modules/.pnpm/a@1/node_modules/a', ['/home/u/p/global/5/node_modules']],
    ['/home/u/apps/cursor-agent/versions/7/cursor-agent', ['/home/u/apps/cursor-agent/versions/7']],
    ['/home/u/.opencode/bin/opencode', ['/home/u/.opencode/bin/opencode', '/home/u/.opencode/lib']],
  ];
  for (const [real, readable] of cases) assert.deepEqual(installationOf(real, '/home/u'), readable, real);
});

test('N6: what is installed is read where there would be a question, and takes no other rule away', () => {
  const installed = [
    '/home/u/.npm-global/lib/node_modules',
    '/home/other/tool',
    '/home/u/.ssh/tool',
    '/home/u/.cache/tool',
    '/home/u/project',
    '/home/u/project/node_modules',
  ];
  const rules = new Rules(defaultRules(PLACES, { installed, own: [], files: { secret: [], harmless: [], kept: [] } }));
  const states = [
    ...installed,
    '/home/u/.npm-global/lib/node_modules/a/.env',
    '/home/u/.npm-global/etc',
    '/home/other/x',
  ];
  assert.deepEqual(
    states.map((path) => `${rules.stateOf(toBytePath(path))} ${path}`),
    [
      'ask-write /home/u/.npm-global/lib/node_modules',
      'ask-write /home/other/tool',
      'deny /home/u/.ssh/tool',
      'allow /home/u/.cache/tool',
      'allow /home/u/project',
      'allow /home/u/project/node_modules',
      'deny /home/u/.npm-global/lib/node_modules/a/.env',
      'ask /home/u/.npm-global/etc',
      'ask /home/other/x',
    ],
  );
});
