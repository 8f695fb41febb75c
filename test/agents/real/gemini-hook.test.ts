/** The real Gemini CLI outside of the view, its commands in it: `hooks/gemini` as a person's settings. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { targetsOf } from '../../../src/agents/install/descriptions.ts';
import { guardedHook } from '../../../src/agents/install/shapes.ts';
import { outputsOf } from '../../../src/agents/outputs.ts';
import { PROGRAM, type Session, session } from '../../support/session.ts';
import { geminiModel, outputOf, userTexts } from '../model-servers/gemini.ts';
import type { ToolCall, Turn } from '../model-servers/script.ts';
import { BREAKING } from './breaking-hook.ts';
import { installClient } from './clients.ts';
import { runGemini } from './gemini.ts';

function shell(id: string, command: string, more: object = {}): ToolCall {
  return { id, tool: 'run_shell_command', input: { command, description: 'for the test', ...more } };
}

/** As `install` writes them, but with another line before each call where one is given. */
function hooks(before?: string): object {
  const places = { level: 'user', home: '/home', project: '/project', environment: {} } as const;
  const [target] = targetsOf('gemini', places, [PROGRAM]);
  const { template } = target as unknown as { template: { hooks: Record<string, { hooks: object[] }[]> } };
  const entry = template.hooks.BeforeTool?.[0]?.hooks[0];
  if (before !== undefined && entry !== undefined) Object.assign(entry, { command: before });
  return template;
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
    { calls: [shell('sub', 'echo here > in-sub.txt; echo "in $(pwd)"', { dir_path: 'subdir' })] },
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
    { calls: [{ id: 'ask', tool: 'mcp_yolofs_commit_request', input: { message: 'three files' } }] },
    { text: 'Done.' },
  ];
  model.say(...script);
  const { code, stdout, stderr } = await runGemini({
    session: s,
    model,
    program,
    settings: hooks(),
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Done\./);
  assert.match(
    userTexts(model.turns[0]).join(),
    /yolofs: in this session the file changes of shell commands are staged/,
  );

  const [, one, pair, sub, files, asked] = model.turns;
  assert.match([...outputsOf(s.layout).values()].join('\n'), /said/, 'the head of an output is kept');
  assert.match(
    outputOf(one, 'one') ?? '',
    /^<untrusted_context>\nOutput: (?:said\nnot|not\nsaid)\n[\s\S]*Exit Code: 3\n/,
  );
  assert.match(outputOf(one, 'one') ?? '', /<hook_context>yolofs: 1 deleted, 1 modified\n[\s\S]*multi\.txt/);
  for (const side of ['left', 'right']) {
    const told = outputOf(pair, side) ?? '';
    const summary = told.split('<hook_context>')[1] ?? '';
    assert.ok(told.includes(`Output: ${side[0]}\n`) && summary.includes(`added    ${side}.txt\n`), told);
  }
  assert.match(outputOf(sub, 'sub') ?? '', /Output: in \S+\/subdir\n/);
  for (const id of ['write', 'edit'])
    assert.match(outputOf(files, id) ?? '', /Tool execution blocked: yolofs: .*shell/);
  assert.match(outputOf(asked, 'ask') ?? '', /request 1: a person is asked to commit 5 staged changes/);
  assert.match(await s.succeed(['status']), /request 1: pending, .*\n +\| three files/);

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
  const { stdout } = await runGemini({ session: s, model, program, settings: hooks(before) });
  assert.match(stdout, /Done\./);
  for (const way of ways) {
    assert.match(outputOf(model.turns[1], way) ?? '', /blocked: [\s\S]*yolofs: its hook has failed/, way);
    assert.equal(existsSync(join(s.project, way)), false, way);
  }
  // Where a hook answers, the call is made; that it did not go through us is noticed afterwards.
  assert.equal(readFileSync(join(s.project, 'WORKING'), 'utf8'), 'WORKING\n');

  assert.match(
    outputOf(model.turns[1], 'WORKING') ?? '',
    /<hook_context>yolofs: WARNING: .* it changed the REAL files/,
  );
});
