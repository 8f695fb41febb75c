/** What `yolofs install` writes is taken by the real agents, besides what was in their configuration before. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { exec, type Result, succeed } from '../../support/exec.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { REPOSITORY } from '../../support/source-files.ts';
import { messagesModel, resultOf } from '../model-servers/anthropic.ts';
import { geminiModel } from '../model-servers/gemini.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { responsesModel } from '../model-servers/openai-responses.ts';
import { clientEnvironment, installClient } from './clients.ts';

const LONGEST = 120_000;

test('Codex runs the hook that install has put beside its settings, and lists the MCP server', async (t) => {
  const s = await session(t);
  const model = await responsesModel(t);
  model.say({ calls: [{ id: 'a', tool: 'exec_command', input: { cmd: 'echo "it\'s staged" > a.txt' } }] });
  const config = seed(s, '.codex/config.toml', codexSettings(model));
  await withInstalled(s, 'codex', config, async () => {
    const program = await installClient('codex');
    const args = ['--skip-git-repo-check', '--sandbox', 'danger-full-access', '--dangerously-bypass-hook-trust'];
    await client(s, [program, 'exec', ...args, 'go on']);
    await assertStaged(s, model);
    const { stdout } = await client(s, [program, 'mcp', 'list']);
    assert.match(stdout, /^yolofs +\S+ +.*mcp .*enabled/m);
  });
});

test('Gemini CLI runs the hook that install has put beside its settings', async (t) => {
  const s = await session(t);
  const model = await geminiModel(t);
  model.say({ calls: [{ id: 'a', tool: 'run_shell_command', input: { command: 'echo "it\'s staged" > a.txt' } }] });
  const settings = seed(s, '.gemini/settings.json', GEMINI_SETTINGS);
  await withInstalled(s, 'gemini', settings, async () => {
    const argv = ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', 'go on'];
    await client(s, [await installClient('gemini'), ...argv], {
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: '1',
    });
    await assertStaged(s, model);
  });
});

test('Claude Code takes hooks, shell prefix and MCP server that install has added', async (t) => {
  const s = await session(t);
  const model = await messagesModel(t);
  const settings = seed(
    s,
    '.claude/settings.json',
    '{\n  "permissions": { "allow": ["Bash"], "deny": ["Bash(touch:*)"] }\n}\n',
  );
  const work = async (): Promise<void> => {
    const program = await installClient('claude');
    const { stdout } = await client(s, [program, 'mcp', 'list']);
    assert.match(stdout, /^yolofs: .* mcp - ✔ Connected/m);
    const [allowed, other] = ['echo "it\'s staged" > a.txt', 'touch b.txt'];
    const call = (command: string) => ({ id: command, tool: 'Bash', input: { command, description: 'a test' } });
    model.say({ calls: [call(allowed), call(other)] });
    await client(s, [program, '-p', 'go on'], claudeVariables(model));
    await assertStaged(s, model);
    assert.match(resultOf(model.turns[1], other) ?? '', /denied/, 'its own rules count');
  };
  await withInstalled(s, 'claude', settings, work, linkedIn(s));
});

test('N3: doctor and install start the real Claude Code: with a comment in its settings it stages nothing, and that is said', async (t) => {
  const s = await session(t);
  const settings = seed(s, '.claude/settings.json', '{\n  // mine\n  "permissions": { "allow": [] },\n}\n');
  const before = readFileSync(settings, 'utf8');
  const PATH = `${linkedIn(s)}:${dirname(await installClient('claude'))}:${process.env.PATH}`;
  const yolofs = (...words: string[]): Promise<Result> =>
    exec([process.execPath, MAIN, ...words], { cwd: s.project, env: { HOME: s.home, PATH }, timeout: LONGEST });
  const installed = await yolofs('install', 'claude', '--yes');
  assert.match(installed.stdout, /^# 2 pieces that plain JSON does not have .* will be taken out:$/m);
  assert.match(installed.stderr, /settings\.json: its command was staged\n/);
  const row = async (name: string): Promise<string> =>
    (await yolofs('doctor')).stdout.split('\n').find((line) => line.includes(name)) ?? '';
  assert.match(await row('claude itself'), /^ok .*: its command was staged$/);
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace('{', '{ "disableAllHooks": false, // a comment'));
  assert.match(await row('claude hook'), /^missing .*:1:\d+: a comment: Claude Code takes plain JSON only/);
  writeFileSync(settings, text);
  await yolofs('uninstall', 'claude', '--yes');
  assert.equal(readFileSync(settings, 'utf8'), before);
});

test('Claude Code runs the hooks of the plugin, and finds nothing wrong with it', async (t) => {
  const s = await session(t);
  const model = await messagesModel(t);
  const program = await installClient('claude');
  const plugin = join(REPOSITORY, 'hooks/claude-code/plugin');
  const validated = await client(s, [program, 'plugin', 'validate', '--strict', plugin]);
  assert.match(validated.stdout, /hooks: PreToolUse Bash[\s\S]*mcpServers: yolofs stdio[\s\S]*Validation passed/);
  // The plugin cannot know where the program is.
  const bin = linkedIn(s);
  model.say({
    calls: [{ id: 'a', tool: 'Bash', input: { command: 'echo "it\'s staged" > a.txt', description: 'a test' } }],
  });
  await client(s, [program, '-p', 'go on', '--plugin-dir', plugin], {
    ...claudeVariables(model),
    PATH: `${bin}:${process.env.PATH}`,
  });
  await assertStaged(s, model);
});

/** Comments, and what the run needs. */
function codexSettings(model: ScriptedModel): string {
  return `# mine
model = "gpt-5.5" # the good one
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${model.url}/v1"
wire_api = "responses"

[analytics]
enabled = false`;
}

const GEMINI_SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false } // quiet
}
`;

function seed(s: Session, name: string, text: string): string {
  const path = join(s.home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A directory of programs as npm makes it. */
function linkedIn(s: Session): string {
  const bin = join(s.root, 'bin');
  mkdirSync(bin);
  chmodSync(MAIN, 0o755);
  for (const name of ['yolofs', 'yolofs-shell']) symlinkSync(MAIN, join(bin, name));
  return bin;
}

function claudeVariables(model: ScriptedModel): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none-is-needed',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

/** Installs, works, uninstalls; then `file` is as it was. */
async function withInstalled(
  s: Session,
  agent: string,
  file: string,
  work: () => Promise<void>,
  bin = '/bin',
): Promise<void> {
  const before = readFileSync(file, 'utf8');
  chmodSync(MAIN, 0o755);
  const env = { HOME: s.home, PATH: `${bin}:${process.env.PATH}` };
  const cli = (...words: string[]): Promise<string> =>
    succeed([process.execPath, MAIN, ...words, agent, '--yes'], { cwd: s.project, env });
  await cli('install');
  await work();
  await cli('uninstall');
  assert.equal(readFileSync(file, 'utf8'), before);
}

async function client(s: Session, argv: readonly string[], env: Record<string, string> = {}): Promise<Result> {
  const options = { cwd: s.project, timeout: LONGEST, env: { ...clientEnvironment(s.home), ...env } };
  const result = await exec(argv, options);
  assert.equal(result.code, 0, `${argv.join(' ')}\n${result.stdout}${result.stderr}`);
  return result;
}

/** The command ran in the view and nowhere else, and the model was told. */
async function assertStaged(s: Session, model: ScriptedModel): Promise<void> {
  assert.equal(existsSync(join(s.project, 'a.txt')), false);
  assert.equal(await s.sh('cat a.txt'), "it's staged\n");
  assert.match(JSON.stringify(model.turns[1]?.body), /yolofs: 1 added/);
}
