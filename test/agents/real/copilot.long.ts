/** The real Copilot CLI with what `yolofs install copilot` writes, and a scripted model as its provider. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { guardedHook } from '../../../src/agents/install/shapes.ts';
import { exec, type Result } from '../../support/exec.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { chatModel, outputOf } from '../model-servers/chat-completions.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { BREAKING } from './breaking-hook.ts';
import { clientEnvironment, installClient } from './clients.ts';
import { assertOnlyStaged, bash, work } from './staged-work.ts';

async function run(s: Session, model: ScriptedModel, through: readonly string[] = []): Promise<Result> {
  const provider = { COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`, COPILOT_PROVIDER_API_KEY: 'none' };
  const offline = { COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false', COPILOT_MODEL: 'scripted' };
  // Without it Copilot asks about the path of our program, and without a person that is a no.
  const mayStart = ['--add-dir', dirname(MAIN)];
  const client = await installClient('copilot');
  const argv = [...(through.length > 0 ? through : [client]), '-p', 'go on', '--allow-all-tools', ...mayStart];
  const path = `${dirname(client)}:${clientEnvironment(s.home).PATH}`;
  const env = { ...clientEnvironment(s.home), PATH: path, ...provider, ...offline };
  return exec(argv, { cwd: s.project, timeout: 120_000, env });
}

test('Copilot CLI with our hooks: commands are staged, the model is told, its file tools are denied', async (t) => {
  const s = await session(t);
  const model = await chatModel(t);
  await s.succeed(['install', 'copilot', '--yes'], { env: { HOME: s.home } });
  const path = join(s.project, 'written.txt');
  model.say(
    ...work(
      { id: 'create', tool: 'create', input: { path, file_text: 'x' } },
      { id: 'edit', tool: 'edit', input: { path: join(s.project, 'hello.txt'), old_str: 'base', new_str: 'x' } },
    ),
  );
  const { stdout, stderr } = await run(s, model);
  assert.match(stdout, /Done\./, stderr);
  const [, one, pair, files] = model.turns;
  const told = outputOf(one, 'one') ?? '';
  // Copilot reads stdout and stderr as they come, in any order.
  for (const part of [/^said$/m, /^not$/m, /^yolofs: 1 deleted, 1 modified$/m, /exit code 3/]) assert.match(told, part);
  for (const side of ['left', 'right']) assert.match(outputOf(pair, side) ?? '', new RegExp(`added +${side}\\.txt`));
  for (const id of ['create', 'edit']) assert.match(outputOf(files, id) ?? '', /Denied by preToolUse hook: yolofs: /);
  await assertOnlyStaged(s);
});

test('Copilot CLI with a hook that breaks makes no call', async (t) => {
  const s = await session(t);
  const model = await chatModel(t);
  const broken = join(s.root, 'broken-yolofs');
  writeFileSync(broken, BREAKING);
  chmodSync(broken, 0o755);
  await s.succeed(['install', 'copilot', '--yes'], { env: { HOME: s.home } });
  const before = guardedHook([broken], 'copilot').replace('timeout 25', 'timeout 1');
  const hooks = { preToolUse: [{ type: 'command', matcher: 'bash', bash: before, timeoutSec: 30 }] };
  writeFileSync(join(s.home, '.copilot/hooks/yolofs.json'), JSON.stringify({ version: 1, hooks }));
  const ways = ['EXIT-1', 'EXIT-2', 'KILLED', 'SILENT', 'NO-JSON', 'HANGING', 'MISSING'];
  model.say({ calls: [...ways, 'WORKING'].map((way) => bash(way, `echo ${way} > ${way}`)) }, { text: 'Done.' });
  assert.match((await run(s, model)).stdout, /Done\./);
  for (const way of ways) {
    assert.match(outputOf(model.turns[1], way) ?? '', /^Denied by preToolUse hook/, way);
    assert.equal(existsSync(join(s.project, way)), false, way);
  }
  assert.equal(readFileSync(join(s.project, 'WORKING'), 'utf8'), 'WORKING\n');
});

test('Copilot CLI, wrapped: its file tools are staged as well, and the model is told after each call', async (t) => {
  const s = await session(t);
  const model = await chatModel(t);
  const path = join(s.project, 'written.txt');
  model.say(
    { calls: [bash('one', 'rm multi.txt; echo said')] },
    ...[
      { id: 'create', tool: 'create', input: { path, file_text: 'x' } },
      { id: 'edit', tool: 'edit', input: { path: join(s.project, 'hello.txt'), old_str: 'base', new_str: 'x' } },
    ].map((call) => ({ calls: [call] })),
    { text: 'Done.' },
  );
  const { stdout, stderr } = await run(s, model, [process.execPath, MAIN, 'wrap', 'copilot']);
  assert.match(stdout, /Done\./, stderr);
  assert.match(outputOf(model.turns[1], 'one') ?? '', /^said\n[\s\S]*yolofs: [\s\S]*deleted +multi\.txt/);
  for (const [id, line] of [
    ['create', /added +written\.txt/],
    ['edit', /modified hello\.txt/],
  ] as const) {
    assert.match(outputOf(model.turns.at(-1), id) ?? '', line);
  }
  const inProject = (await s.changeLines()).filter((line) => !line.includes(s.home));
  assert.deepEqual(inProject.sort(), ['added written.txt', 'deleted multi.txt', 'modified hello.txt']);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  assert.equal(existsSync(path), false);
});
