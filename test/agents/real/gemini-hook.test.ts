/** The real Gemini CLI outside of the view, its commands in it: `hooks/gemini` as a person's settings. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { guardedHook, shellHook } from '../../../src/agents/install/shapes.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { geminiModel, outputOf, userTexts } from '../model-servers/gemini.ts';
import type { ToolCall, Turn } from '../model-servers/script.ts';
import { BREAKING } from './breaking-hook.ts';
import { installClient } from './clients.ts';
import { runGemini } from './gemini.ts';

function shell(id: string, command: string, more: object = {}): ToolCall {
  return { id, tool: 'run_shell_command', input: { command, description: 'for the test', ...more } };
}

function hooks(before: string, after: string): object {
  const entry = (command: string): object => ({ type: 'command', name: 'yolofs', command, timeout: 30_000 });
  const matcher = '^(run_shell_command|write_file|replace)$';
  return {
    hooks: {
      BeforeTool: [{ matcher, hooks: [entry(before)] }],
      AfterTool: [{ matcher, hooks: [entry(after)] }],
    },
  };
}

test('Gemini CLI with our hooks: what its commands write is staged, and the model is told', async (t) => {
  const s = await session(t);
  const model = await geminiModel(t);
  const program = [await installClient('gemini')];
  const script: Turn[] = [
    {
      text: 'First.',
      calls: [shell('one', "echo it\\'s >> hello.txt; rm multi.txt; echo said; echo not >&2; exit 3")],
    },
    { calls: [shell('left', 'echo l > left.txt; cat left.txt'), shell('right', 'echo r > right.txt; cat right.txt')] },
    { calls: [shell('sub', 'echo here > in-sub.txt; pwd', { dir_path: 'subdir' })] },
    {
      calls: [
        { id: 'write', tool: 'write_file', input: { file_path: 'written.txt', content: 'x' } },
        {
          id: 'edit',
          tool: 'replace',
          input: { file_path: join(s.project, 'hello.txt'), instruction: 'i', old_string: 'base', new_string: 'x' },
        },
      ],
    },
    { text: 'Done.' },
  ];
  model.say(...script);
  const words = [process.execPath, MAIN];
  const { code, stdout, stderr } = await runGemini({
    session: s,
    model,
    program,
    settings: hooks(guardedHook(words, 'gemini'), shellHook(words, 'gemini')),
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Done\./);

  const [, one, pair, sub, files] = model.turns;
  assert.match(outputOf(one, 'one') ?? '', /^<untrusted_context>\nOutput: said\nnot\n[\s\S]*Exit Code: 3\n/);
  assert.match(outputOf(one, 'one') ?? '', /yolofs: 1 deleted, 1 modified\n[\s\S]*multi\.txt/);
  for (const side of ['left', 'right']) {
    const told = outputOf(pair, side) ?? '';
    assert.ok(told.includes(`Output: ${side[0]}\n`) && told.includes(`added    ${side}.txt\n`), told);
  }
  assert.match(outputOf(sub, 'sub') ?? '', /Output: \S+\/subdir\n/);
  for (const id of ['write', 'edit'])
    assert.match(outputOf(files, id) ?? '', /Tool execution blocked: yolofs: .*shell/);

  await assertStaged(s);
});

async function assertStaged(s: Session): Promise<void> {
  assert.deepEqual((await s.changeLines()).sort(), [
    'added left.txt',
    'added right.txt',
    'added subdir/in-sub.txt',
    'deleted multi.txt',
    'modified hello.txt',
  ]);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  for (const name of ['left.txt', 'right.txt', 'written.txt']) assert.equal(existsSync(join(s.project, name)), false);
  assert.equal(await s.sh('cat hello.txt'), "base content\nit's\n");
}

test('Gemini CLI with a hook that breaks makes no call', async (t) => {
  const s = await session(t);
  const model = await geminiModel(t);
  const program = [await installClient('gemini')];
  const broken = join(s.root, 'broken-yolofs');
  writeFileSync(broken, BREAKING);
  chmodSync(broken, 0o755);
  const ways = ['EXIT-1', 'EXIT-2', 'KILLED', 'SILENT', 'NO-JSON', 'HANGING', 'MISSING'];
  const call = (way: string): ToolCall => shell(way, `echo ${way} > ${way}`);
  model.say({ calls: [...ways, 'WORKING'].map(call) }, { text: 'Done.' });
  const before = guardedHook([broken], 'gemini').replace('timeout 25', 'timeout 1');
  const { stdout } = await runGemini({ session: s, model, program, settings: hooks(before, 'echo "{}"') });
  assert.match(stdout, /Done\./);
  for (const way of ways) {
    assert.match(outputOf(model.turns[1], way) ?? '', /blocked: [\s\S]*yolofs: its hook has failed/, way);
    assert.equal(existsSync(join(s.project, way)), false, way);
  }
  // Where a hook answers, the call is made.
  assert.equal(readFileSync(join(s.project, 'WORKING'), 'utf8'), 'WORKING\n');

  assert.ok(userTexts(model.turns[0]).includes('go on'));
});
