/** The real Gemini CLI as a whole in the view: what it does is staged, whatever it does it with, and the model is told. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { MAIN, session } from '../../support/session.ts';
import { geminiModel, outputOf } from '../model-servers/gemini.ts';
import type { ToolCall } from '../model-servers/script.ts';
import { clientEnvironment, installClient } from './clients.ts';
import { runGemini } from './gemini.ts';

function shell(id: string, command: string): ToolCall {
  return { id, tool: 'run_shell_command', input: { command, description: 'for the test' } };
}

test('gemini, wrapped: all is staged, a snapshot and words for each call, a commit is asked for', async (t) => {
  const s = await session(t, { rules: 'default' });
  const model = await geminiModel(t);
  const client = await installClient('gemini');
  const edit = { file_path: 'hello.txt', instruction: 'i', old_string: 'base', new_string: 'edited' };
  model.say(
    { calls: [shell('one', 'rm multi.txt; echo said; exit 3')] },
    { calls: [shell('left', 'echo l > left.txt'), shell('right', 'echo r > right.txt')] },
    { calls: [{ id: 'write', tool: 'write_file', input: { file_path: 'written.txt', content: 'x' } }] },
    { calls: [{ id: 'edit', tool: 'replace', input: edit }] },
    { calls: [shell('look', 'cat hello.txt written.txt')] },
    { calls: [{ id: 'ask', tool: 'mcp_yolofs_commit_request', input: { message: 'all of it' } }] },
    { text: 'Done.' },
  );
  const { code, stdout, stderr } = await runGemini({
    session: s,
    model,
    program: [process.execPath, MAIN, 'wrap', 'gemini'],
    settings: { mcpServers: { yolofs: { command: process.execPath, args: [MAIN, 'mcp'] } } },
    env: { PATH: `${dirname(client)}:${clientEnvironment(s.home).PATH}` },
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Done\./);

  const [, one, pair, write, replaced, look, asked] = model.turns;
  const told = (request: typeof one, ...ids: string[]): string => ids.map((id) => outputOf(request, id)).join('\n');
  assert.match(told(one, 'one'), /Output: said\nExit Code: 3\n[\s\S]*<hook_context>yolofs: 1 deleted[\s\S]*multi\.txt/);
  // Calls at once may be told of together, after one of them.
  assert.match(told(pair, 'left', 'right'), /<hook_context>yolofs: [\s\S]*left\.txt[\s\S]*right\.txt/);
  assert.match(told(write, 'write'), /<hook_context>yolofs: 1 added\n {2}added {4}written\.txt\n/);
  assert.match(told(replaced, 'edit'), /<hook_context>yolofs: 1 modified\n {2}modified hello\.txt\n/);
  assert.match(told(look, 'look'), /Output: edited content\nx\n/);
  assert.match(told(asked, 'ask'), /request 1: a person is asked to commit \d staged changes/);
  assert.match(await s.succeed(['status']), /request 1: pending, for generation \d[\s\S]*all of it/);

  const names = (JSON.parse(await s.succeed(['log', '--json'])) as { name: string }[]).map(({ name }) => name);
  for (const name of ['run_shell_command: rm multi.txt; echo said; exit 3', 'write_file', 'replace']) {
    assert.ok(names.includes(name), names.join('\n'));
  }
  assert.deepEqual((await s.changeLines()).sort(), [
    'added left.txt',
    'added right.txt',
    'added written.txt',
    'deleted multi.txt',
    'modified hello.txt',
  ]);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  assert.equal(readFileSync(join(s.project, 'multi.txt'), 'utf8'), 'line1\nline2\n');
  assert.equal(existsSync(join(s.project, 'written.txt')), false);
  // What Gemini CLI keeps for itself is no part of the review.
  assert.match(readFileSync(join(s.home, '.gemini/projects.json'), 'utf8'), /"project"/);
});
