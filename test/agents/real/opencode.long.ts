/** The real OpenCode with the plugin that `yolofs install opencode` writes, and a scripted model as its provider. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { opencodePlugin } from '../../../src/agents/install/opencode-plugin.ts';
import { exec, type Result } from '../../support/exec.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { chatModel, outputOf } from '../model-servers/chat-completions.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { BREAKING } from './breaking-hook.ts';
import { clientEnvironment, installClient } from './clients.ts';
import { assertOnlyStaged, bash, work } from './staged-work.ts';

async function run(s: Session, model: ScriptedModel, through: readonly string[] = []): Promise<Result> {
  const settings = join(s.home, '.config/opencode/opencode.json');
  const before = existsSync(settings) ? (JSON.parse(readFileSync(settings, 'utf8')) as object) : {};
  const options = { baseURL: `${model.url}/v1`, apiKey: 'none' };
  const models = { scripted: { name: 'scripted', tool_call: true } };
  const provider = { loop: { npm: '@ai-sdk/openai-compatible', name: 'loop', options, models } };
  const own = { autoupdate: false, share: 'disabled', model: 'loop/scripted', small_model: 'loop/scripted', provider };
  mkdirSync(join(s.home, '.config/opencode'), { recursive: true });
  writeFileSync(settings, JSON.stringify({ ...before, ...own }));
  const client = await installClient('opencode');
  const env = {
    ...clientEnvironment(s.home),
    PATH: `${dirname(client)}:${clientEnvironment(s.home).PATH}`,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    // It wants types for plugins from the registry, and waits for them: a quick no is as good.
    npm_config_registry: `${model.url}/registry`,
    npm_config_fetch_retries: '0',
  };
  const argv = [...(through.length > 0 ? through : [client]), 'run', 'go on'];
  return exec(argv, { cwd: s.project, timeout: 120_000, env });
}

test('OpenCode with our plugin: commands are staged, the model is told, its file tools are denied', async (t) => {
  const s = await session(t);
  const model = await chatModel(t);
  await s.succeed(['install', 'opencode', '--yes'], { env: { HOME: s.home } });
  const filePath = join(s.project, 'written.txt');
  model.say(
    ...work(
      { id: 'write', tool: 'write', input: { filePath, content: 'x' } },
      {
        id: 'edit',
        tool: 'edit',
        input: { filePath: join(s.project, 'hello.txt'), oldString: 'base', newString: 'x' },
      },
    ),
  );
  const { stdout, stderr } = await run(s, model);
  assert.match(stdout, /Done\./, stderr);
  const [, one, pair, files] = model.turns;
  const told = outputOf(one, 'one') ?? '';
  assert.ok(/^said\nnot\n/.test(told) && told.includes('1 deleted, 1 modified'), told);
  for (const side of ['left', 'right']) assert.match(outputOf(pair, side) ?? '', new RegExp(`added +${side}\\.txt`));
  for (const id of ['write', 'edit']) assert.match(outputOf(files, id) ?? '', /yolofs: \S+ \(.*was not carried out/);
  await assertOnlyStaged(s);
});

test('OpenCode with a hook that breaks makes no call', async (t) => {
  const s = await session(t);
  const model = await chatModel(t);
  const broken = join(s.root, 'broken-yolofs');
  writeFileSync(broken, BREAKING);
  chmodSync(broken, 0o755);
  const plugins = join(s.home, '.config/opencode/plugins');
  mkdirSync(plugins, { recursive: true });
  writeFileSync(join(plugins, 'yolofs.ts'), opencodePlugin([broken]).replace('25_000', '2_000'));
  const ways = ['EXIT-1', 'EXIT-2', 'KILLED', 'SILENT', 'NO-JSON', 'HANGING', 'MISSING'];
  model.say({ calls: [...ways, 'WORKING'].map((way) => bash(way, `echo ${way} > ${way}`)) }, { text: 'Done.' });
  const { stdout, stderr } = await run(s, model);
  assert.match(stdout, /Done\./, stderr);
  for (const way of ways) {
    assert.match(outputOf(model.turns[1], way) ?? '', /yolofs: its hook has failed/, way);
    assert.equal(existsSync(join(s.project, way)), false, way);
  }
  assert.equal(readFileSync(join(s.project, 'WORKING'), 'utf8'), 'WORKING\n');
});

test('OpenCode, wrapped: its file tools are staged as well, and the model is told after each call', async (t) => {
  const s = await session(t);
  const model = await chatModel(t);
  const path = join(s.project, 'written.txt');
  model.say(
    { calls: [bash('one', 'rm multi.txt; echo said')] },
    ...[
      { id: 'write', tool: 'write', input: { filePath: path, content: 'x' } },
      { id: 'read', tool: 'read', input: { filePath: join(s.project, 'hello.txt') } },
      {
        id: 'edit',
        tool: 'edit',
        input: { filePath: join(s.project, 'hello.txt'), oldString: 'base', newString: 'x' },
      },
    ].map((call) => ({ calls: [call] })),
    { text: 'Done.' },
  );
  const { stdout, stderr } = await run(s, model, [process.execPath, MAIN, 'wrap', 'opencode']);
  assert.match(stdout, /Done\./, stderr);
  assert.match(outputOf(model.turns[1], 'one') ?? '', /^said\n[\s\S]*yolofs: [\s\S]*deleted +multi\.txt/);
  for (const [id, line] of [
    ['write', /added +written\.txt/],
    ['edit', /modified hello\.txt/],
  ] as const) {
    assert.match(outputOf(model.turns.at(-1), id) ?? '', line);
  }
  assert.doesNotMatch((await s.changeLines()).join('\n'), /opencode\.db/);
  const inProject = (await s.changeLines()).filter((line) => !line.includes(s.home));
  assert.deepEqual(inProject.sort(), ['added written.txt', 'deleted multi.txt', 'modified hello.txt']);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  assert.equal(existsSync(path), false);
});
