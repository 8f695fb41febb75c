/** The real Codex outside, its commands inside: what its hooks achieve, and what the model is told. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { guardedHook, shellHook } from '../../../src/agents/install/shapes.ts';
import { outputsOf } from '../../../src/agents/outputs.ts';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { messages, outputOf, responsesModel } from '../model-servers/openai-responses.ts';
import { HOOKS, runCodex, SERVER } from './codex.ts';

const PATCH =
  '*** Begin Patch\n*** Add File: patched.txt\n+by a patch\n*** Update File: hello.txt\n@@\n-base content\n+other content\n*** End Patch\n';

function shell(id: string, cmd: string, more: object = {}) {
  return { id, tool: 'exec_command', input: { cmd, ...more } };
}

test('codex, hooked: commands are staged, also two at once and elsewhere; patches go by the shell', async (t) => {
  const s = await session(t, { account: ordinary() });
  const model = await responsesModel(t);
  model.say(
    {
      text: 'Two at once.',
      calls: [
        shell('a', `echo "it's staged" > a.txt; rm hello.txt; cat a.txt`),
        shell('b', 'cat > b.txt <<EOF\nheredoc\nEOF\nexit 3', { workdir: s.root }),
      ],
    },
    { calls: [{ id: 'p', tool: 'apply_patch', input: PATCH }] },
    {
      calls: [
        shell('q', `echo base content > hello.txt; apply_patch <<'EOF'\n${PATCH}EOF`),
        { id: 'r', tool: 'commit_request', namespace: 'mcp__yolofs', input: { message: 'two files patched' } },
      ],
    },
  );
  const { code, stderr } = await runCodex(s, model, { config: SERVER });
  assert.equal(code, 0, stderr);
  assert.equal(model.turns.length, 4, 'one request for each turn');
  const [first, second, third, fourth] = model.turns;

  await t.test('both calls ran, with their exit codes', () => {
    assert.match(outputOf(second, 'a') ?? '', /exited with code 0[\s\S]*it's staged\n/);
    assert.match(outputOf(second, 'b') ?? '', /exited with code 3/);
  });
  await t.test('the head of what it has printed is kept for the timeline', () => {
    assert.match([...outputsOf(s.layout).values()].join('\n'), /^Success\. Updated the following files:$/m);
  });
  await t.test('the next request says what they changed', () => {
    const told = messages(second, 'developer').join('\n');
    assert.match(told, /deleted +hello\.txt/);
    assert.match(told, /added +a\.txt/);
  });
  await t.test('the first request says how things are', () => {
    assert.match(messages(first, 'developer').join('\n'), /^yolofs: in this session the file changes .* are staged/m);
  });
  await t.test('a patch by the tool is denied, with a reason that says what to do', () => {
    assert.match(
      outputOf(third, 'p') ?? '',
      /^Command blocked by PreToolUse hook: yolofs: .*shell.* apply_patch works there/,
    );
  });
  await t.test('a patch by the shell is staged', async () => {
    assert.match(outputOf(fourth, 'q') ?? '', /Success\. Updated the following files:\nA patched\.txt\nM hello\.txt/);
    assert.equal(await s.sh('cat hello.txt patched.txt a.txt'), "other content\nby a patch\nit's staged\n");
  });
  await t.test('what it asks for over MCP is put to the person', async () => {
    assert.match(outputOf(fourth, 'r') ?? '', /request 1: a person is asked to commit/);
    assert.match(await s.succeed(['status']), /request 1: pending, .*\n +\| two files patched/);
  });
  await t.test('the base is as it was', () => {
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    for (const name of ['a.txt', 'patched.txt', '../b.txt'])
      assert.equal(existsSync(join(s.project, name)), false, name);
  });
});

test('codex, hooked: without trust, and when the hook breaks', async (t) => {
  const s = await session(t, { account: ordinary() });
  const model = await responsesModel(t);
  const touch = (name: string) => model.say({ calls: [shell('c', `touch ${name}`)] });

  await t.test('a hook that breaks denies the call', async () => {
    touch('by-broken');
    const program = ['/nowhere/yolofs'];
    const [before, after] = [guardedHook(program, 'codex'), shellHook(program, 'codex')];
    await runCodex(s, model, { hooks: HOOKS.map((hook, at) => ({ ...hook, command: at === 0 ? before : after })) });
    assert.match(
      outputOf(model.turns[1], 'c') ?? '',
      /^Command blocked by PreToolUse hook: .*yolofs: its hook has failed/s,
    );
    assert.equal(existsSync(join(s.project, 'by-broken')), false);
  });
  await t.test('without the guard it lets the call pass, as Codex does; the hook after it says so loudly', async () => {
    touch('unguarded');
    await runCodex(s, model, { hooks: HOOKS.map((hook, at) => (at === 0 ? { ...hook, command: 'exit 1' } : hook)) });
    assert.equal(existsSync(join(s.project, 'unguarded')), true);
    const told = messages(model.turns[1], 'developer').join('\n');
    assert.match(told, /^yolofs: WARNING: a Bash call \("touch unguarded"\) did not go through yolofs/m);
  });
  await t.test('hooks that nobody has reviewed do not run, and nothing says so: that is how Codex is', async () => {
    touch('untrusted');
    await runCodex(s, model, { trusted: false });
    assert.equal(existsSync(join(s.project, 'untrusted')), true);
  });
  await t.test("in Codex' own sandbox a command cannot reach yolofs, and does not run", async () => {
    touch('sandboxed');
    await runCodex(s, model, { args: ['--sandbox', 'workspace-write'] });
    assert.match(
      outputOf(model.turns[1], 'c') ?? '',
      /exited with code 1[\s\S]*nothing was done: a sandbox around this command/,
    );
    assert.equal(existsSync(join(s.project, 'sandboxed')), false);
  });
});

test('codex, hooked: a command that goes on in the background, at a terminal', async (t) => {
  const s = await session(t, { account: ordinary() });
  const model = await responsesModel(t);
  const command = 'read line; echo "got $line" > late; sleep 0.2; exit 5';
  model.say({ calls: [shell('b', command, { yield_time_ms: 250, tty: true })] }, (body) => {
    const id = Number(/session ID (\d+)/.exec(JSON.stringify(body))?.[1]);
    const input = { session_id: id, chars: 'hello\n', yield_time_ms: 10_000 };
    return { calls: [{ id: 'w', tool: 'write_stdin', input }] };
  });
  await runCodex(s, model);
  assert.match(outputOf(model.turns[1], 'b') ?? '', /Process running with session ID/);
  assert.match(outputOf(model.turns[2], 'w') ?? '', /exited with code 5/);
  assert.match(messages(model.turns[2], 'developer').join('\n'), /^yolofs: 1 added\n +added +late$/m);
  assert.equal(await s.sh('cat late'), 'got hello\n');
  assert.equal(existsSync(join(s.project, 'late')), false);
});
