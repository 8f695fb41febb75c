/** The real Claude Code with `CLAUDE_CODE_SHELL_PREFIX`: its Bash tool in the view, all else outside, its rules as ever. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAIN, PROGRAM, session } from '../../support/session.ts';
import { contextTexts, messagesModel, resultOf } from '../model-servers/anthropic.ts';
import { HOOKS, runClaude } from './claude.ts';

function bash(id: string, command: string) {
  return { id, tool: 'Bash', input: { command, description: 'a test' } };
}

test('claude, with the shell prefix: commands are staged, directories last, rules match, hooks and servers stay outside', async (t) => {
  const s = await session(t);
  const model = await messagesModel(t);
  mkdirSync(join(s.project, 'real'));
  const prefix = join(s.root, 'yolofs-shell');
  symlinkSync(PROGRAM, prefix);
  const outside = { hooks: [{ type: 'command', command: `echo ran > '${s.root}/hook-ran'` }] };
  const settings = {
    env: { CLAUDE_CODE_SHELL_PREFIX: prefix },
    hooks: { ...HOOKS.hooks, UserPromptSubmit: [outside] },
    permissions: { deny: ['Bash(rm:*)'] },
  };
  const servers = { yolofs: { command: process.execPath, args: [MAIN, 'mcp'] } };
  writeFileSync(join(s.home, '.claude.json'), JSON.stringify({ mcpServers: servers }));
  model.say(
    { calls: [bash('one', `echo "it's staged" > a.txt; alias; cat a.txt`)] },
    { calls: [bash('same-1', 'echo same >> same.txt'), bash('same-2', 'echo same >> same.txt')] },
    { calls: [bash('rule', 'rm hello.txt')] },
    { calls: [bash('cd', 'cd real')] },
    { calls: [bash('where', 'pwd; touch here.txt; exit 3')] },
    { calls: [bash('new', 'mkdir new && cd new')] },
    { calls: [bash('still', 'pwd')] },
    {
      calls: [
        { id: 'watch', tool: 'Monitor', input: { command: 'echo m > m.txt', description: 'd', timeout_ms: 5000 } },
      ],
    },
    // What a hook that does not see the variable makes of a command.
    { calls: [bash('twice', `'${PROGRAM}' run -c 'echo t > t.txt; cat t.txt'`)] },
    { calls: [bash('wait', 'for i in $(seq 50); do [ -e m.txt ] && break; sleep 0.1; done; cat m.txt')] },
  );
  const { code, stdout, stderr } = await runClaude(s, model, { settings, allowed: 'Bash Monitor' });
  assert.equal(code, 0, stdout + stderr);
  const last = model.turns.at(-1);
  const result = (id: string): string => resultOf(last, id) ?? '';
  const texts = contextTexts(last).join('\n');

  await t.test('what commands write is staged, and told', async () => {
    assert.match(result('one'), /^it's staged\n/m);
    assert.match(texts, /added +a\.txt/);
    assert.equal(await s.sh('cat same.txt; ls real'), 'same\nsame\nhere.txt\nm.txt\nnew\nt.txt\n');
    for (const name of ['a.txt', 'same.txt', 'real/here.txt', 'real/new', 'real/m.txt', 'real/t.txt']) {
      assert.equal(existsSync(join(s.project, name)), false, name);
    }
  });
  await t.test('Monitor goes the same way, and what a hook has rewritten is not staged twice', () => {
    assert.match(result('twice'), /^t\n/);
    assert.match(result('wait'), /^m\n?/);
  });
  await t.test('each call is found by its text: none is said to have run outside', () => {
    assert.doesNotMatch(texts, /yolofs: WARNING/);
  });
  await t.test("the user's rules see the command as it is", () => {
    assert.match(result('rule'), /denied/i);
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  });
  await t.test('a directory lasts if it is there outside; exit codes are kept', () => {
    assert.match(result('where'), new RegExp(`^Exit code 3\\n${s.project}/real\n`));
    assert.match(result('new'), /the next command does not start where this one has ended/);
    assert.match(result('still'), new RegExp(`^${s.project}/real`));
  });
  await t.test('hooks and MCP servers run outside', () => {
    assert.equal(readFileSync(join(s.root, 'hook-ran'), 'utf8'), 'ran\n');
    assert.match(JSON.stringify(model.turns.map(({ body }) => body)), /mcp__yolofs__status/);
  });
});

test('claude, with the shell prefix: what passes a hook that answers nonsense is staged all the same, and told', async (t) => {
  const s = await session(t);
  const model = await messagesModel(t);
  symlinkSync(PROGRAM, join(s.root, 'yolofs-shell'));
  const nonsense = { type: 'command', command: 'echo nonsense', onFailure: 'block' };
  const settings = {
    env: { CLAUDE_CODE_SHELL_PREFIX: join(s.root, 'yolofs-shell') },
    hooks: { ...HOOKS.hooks, PreToolUse: [{ matcher: 'Bash', hooks: [nonsense] }] },
  };
  model.say({ calls: [bash('one', 'echo staged > a.txt; cat a.txt')] });
  const { code, stdout, stderr } = await runClaude(s, model, { settings });
  assert.equal(code, 0, stdout + stderr);
  assert.match(resultOf(model.turns[1], 'one') ?? '', /^staged\n/);
  assert.equal(existsSync(join(s.project, 'a.txt')), false);
  const texts = contextTexts(model.turns[1]).join('\n');
  assert.match(texts, /yolofs: 1 added\n +added +a\.txt/);
  assert.doesNotMatch(texts, /WARNING/);
});
