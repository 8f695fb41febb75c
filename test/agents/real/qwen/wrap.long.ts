/** The real Qwen Code as a whole in the view, with a scripted model: what it does is staged, and the model is told. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { exec, type Result } from '../../../support/exec.ts';
import { MAIN, type Session, session } from '../../../support/session.ts';
import { chatModel, outputOf } from '../../model-servers/chat-completions.ts';
import type { ScriptedModel } from '../../model-servers/loopback.ts';
import type { ToolCall } from '../../model-servers/script.ts';
import { clientEnvironment, installClient } from '../clients.ts';

/** Its end alone takes it twenty seconds of processor time. */
const LONGEST = 300_000;

function shell(id: string, command: string): ToolCall {
  return { id, tool: 'run_shell_command', input: { command, description: 'for the test', is_background: false } };
}

async function runQwen({ project, home }: Session, model: ScriptedModel): Promise<Result> {
  const settings = { privacy: { usageStatisticsEnabled: false }, memory: { enableManagedAutoMemory: false } };
  mkdirSync(join(home, '.qwen'), { recursive: true });
  writeFileSync(join(home, '.qwen/settings.json'), JSON.stringify(settings));
  const client = await installClient('qwen');
  const { PATH, ...environment } = clientEnvironment(home);
  // It takes a proxy for loopback, too.
  const direct = Object.fromEntries(
    Object.keys(environment)
      .filter((name) => /proxy$/i.test(name))
      .map((name) => [name, '']),
  );
  const api = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: 'scripted' };
  const words = ['wrap', 'qwen', '--yolo', '--auth-type', 'openai', '-p', 'go on'];
  const env = { ...environment, ...direct, ...api, PATH: `${dirname(client)}:${PATH}` };
  return exec([process.execPath, MAIN, ...words], { cwd: project, timeout: LONGEST, env });
}

test('qwen, wrapped: all is staged, a snapshot and words for each call', async (t) => {
  const s = await session(t, { rules: 'default' });
  const model = await chatModel(t);
  const edit = { file_path: join(s.project, 'hello.txt'), old_string: 'base', new_string: 'edited' };
  model.say(
    { calls: [shell('one', 'rm multi.txt; echo said; exit 3')] },
    {
      calls: [{ id: 'write', tool: 'write_file', input: { file_path: join(s.project, 'written.txt'), content: 'x' } }],
    },
    { calls: [{ id: 'read', tool: 'read_file', input: { file_path: join(s.project, 'hello.txt') } }] },
    { calls: [{ id: 'edit', tool: 'edit', input: edit }] },
    { calls: [shell('look', 'cat hello.txt written.txt')] },
    { text: 'Done.' },
  );
  const { code, stdout, stderr } = await runQwen(s, model);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Done\./);

  const [, one, write, , replaced, look] = model.turns;
  assert.match(outputOf(one, 'one') ?? '', /said[\s\S]*yolofs: 1 deleted[\s\S]*multi\.txt/);
  assert.match(outputOf(write, 'write') ?? '', /yolofs: 1 added\n {2}added {4}written\.txt\n/);
  assert.match(outputOf(replaced, 'edit') ?? '', /yolofs: 1 modified\n {2}modified hello\.txt\n/);
  assert.match(outputOf(look, 'look') ?? '', /edited content\nx/);

  const names = (JSON.parse(await s.succeed(['log', '--json'])) as { name: string }[]).map(({ name }) => name);
  for (const name of ['run_shell_command: rm multi.txt; echo said; exit 3', 'write_file', 'edit'])
    assert.ok(names.includes(name), names.join('\n'));
  const changes = (await s.changeLines()).filter((line) => !line.includes('/.qwen'));
  assert.deepEqual(changes.sort(), ['added written.txt', 'deleted multi.txt', 'modified hello.txt']);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  assert.equal(existsSync(join(s.project, 'written.txt')), false);
  // Its chats are the session's own.
  assert.deepEqual(readdirSync(join(s.home, '.qwen/projects')), []);
});
