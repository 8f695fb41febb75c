/** The ready files below `hooks/` are what `install` writes, with `yolofs` found by PATH. `YOLOFS_TEST_UPDATE=1` writes them anew. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { claudeHooks, targetsOf } from '../../../src/agents/install/descriptions.ts';
import { renderJson } from '../../../src/agents/install/json-layout.ts';
import { mcpServers } from '../../../src/agents/install/shapes.ts';
import { renderTable } from '../../../src/agents/install/toml-table.ts';
import { REPOSITORY } from '../../support/source-files.ts';
import { AGENTS, USER } from './places.ts';

const PROGRAM = ['yolofs'];
const HOOKS = join(REPOSITORY, 'hooks');
const FOLDERS: Readonly<Record<string, string>> = { claude: 'claude-code' };
const { version, description } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as Record<
  string,
  string
>;

test('the ready files are what install writes, and the plugin has the same hooks and server', () => {
  const expected = new Map([...readyFiles(), ...pluginFiles()].map(([path, text]) => [join(HOOKS, path), text]));
  if (process.env.YOLOFS_TEST_UPDATE !== undefined) for (const [path, text] of expected) write(path, text);
  for (const [path, text] of expected) assert.equal(readFileSync(path, 'utf8'), text, path);
  const there = readdirSync(HOOKS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = there.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith('.md'));
  assert.deepEqual(paths.sort(), [...expected.keys()].sort());
});

function readyFiles(): [string, string][] {
  return AGENTS.flatMap((agent) =>
    targetsOf(agent, USER, PROGRAM).map((target): [string, string] => {
      // Without the dot: a folder that agents read themselves should not lie about here.
      const path = join(FOLDERS[agent] ?? agent, basename(target.path).replace(/^\.claude\.json$/, 'mcp.json'));
      if (target.kind === 'text') return [path, target.text];
      return [path, target.kind === 'toml' ? renderTable(target.table) : json(target.template)];
    }),
  );
}

function pluginFiles(): [string, string][] {
  const plugin = 'claude-code/plugin';
  return [
    [
      `${plugin}/.claude-plugin/plugin.json`,
      json({ name: 'yolofs', version, description, author: { name: 'yolofs' } }),
    ],
    [`${plugin}/hooks/hooks.json`, json({ description: 'Stages what commands write', ...claudeHooks(PROGRAM) })],
    [`${plugin}/.mcp.json`, json(mcpServers(PROGRAM))],
  ];
}

function json(value: Readonly<Record<string, unknown>>): string {
  return `${renderJson(value, '  ')}\n`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
