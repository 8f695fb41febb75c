/** The real Claude Code outside, its commands inside: what its hooks achieve, and what the model is told. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { outputsOf } from '../../../src/agents/outputs.ts';
import { session } from '../../support/session.ts';
import { contextTexts, messagesModel, resultOf } from '../model-servers/anthropic.ts';
import { HOOKS, runClaude } from './claude.ts';

function bash(id: string, command: string, more: object = {}) {
  return { id, tool: 'Bash', input: { command, description: 'a test', ...more } };
}

test('claude, hooked: commands are staged, also two at once and in the background; file tools are denied', async (t) => {
  const s = await session(t);
  const model = await messagesModel(t);
  const file = join(s.project, 'w.txt');
  mkdirSync(join(s.project, 'real'));
  model.say(
    { text: 'First.', calls: [bash('one', `echo "it's staged" > a.txt; rm hello.txt; cat a.txt`)] },
    {
      calls: [
        bash('two', 'cat > b.txt <<EOF\nheredoc\nEOF\nexit 3'),
        bash('three', 'touch c.txt; sleep 9', { timeout: 1500 }),
      ],
    },
    { calls: [{ id: 'write', tool: 'Write', input: { file_path: file, content: 'x' } }] },
    { calls: [bash('back', 'sleep 1; echo late > late.txt; echo it ended', { run_in_background: true })] },
    { calls: [bash('sub', 'mkdir -p sub && cd sub')] },
    { calls: [bash('cd', 'cd real')] },
    { calls: [bash('where', 'pwd; sleep 2; cat ../late.txt')] },
    { calls: [bash('end', 'true')] },
  );
  const { code, stdout, stderr } = await runClaude(s, model);
  assert.equal(code, 0, stdout + stderr);
  const [first, second, third, fourth] = model.turns;
  const last = model.turns.at(-1);

  await t.test('the model knows from the start what is staged', () => {
    assert.match(textsOf(first), /file changes of shell commands are staged/);
  });
  await t.test('a command runs in the view, and the next request says what it changed', () => {
    assert.match(resultOf(second, 'one') ?? '', /^it's staged\n/);
    assert.match(textsOf(second), /deleted +hello\.txt/);
    assert.match(textsOf(second), /added +a\.txt/);
  });
  await t.test('the head of what it has printed is kept for the timeline', () => {
    assert.match([...outputsOf(s.layout).values()].join('\n'), /^it's staged$/m);
  });
  await t.test('of two at once each has its exit code and its time', () => {
    assert.match(resultOf(third, 'two') ?? '', /Exit code 3/);
    assert.match(textsOf(third), /added +b\.txt/);
    assert.match(resultOf(last, 'three') ?? '', /timed out|background/);
  });
  await t.test('Write is denied, with a reason that says what to do', () => {
    assert.match(resultOf(fourth, 'write') ?? '', /yolofs: Write .* was not carried out.* shell command/);
  });
  await t.test('what runs in the background is staged, and is said to be still running', () => {
    assert.match(resultOf(last, 'back') ?? '', /running in background/);
    assert.match(textsOf(last), /the command still runs; what it changes is staged/);
    assert.match(resultOf(last, 'where') ?? '', /late/);
    assert.match(textsOf(last), /of a command that went on in the background, yolofs: 1 added\s+.*late\.txt/);
  });
  await t.test('a directory lasts if it is there outside', () => {
    assert.match(resultOf(last, 'sub') ?? '', /the next command does not start where this one has ended/);
    assert.match(resultOf(last, 'where') ?? '', new RegExp(`^${s.project}/real\n`));
  });
  await t.test('no call is said to have run outside', () => assert.doesNotMatch(textsOf(last), /yolofs: WARNING/));
  await t.test('the base is as it was, and nothing is left of the calls', async () => {
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'late.txt', 'w.txt', 'sub']) {
      assert.equal(existsSync(join(s.project, name)), false, name);
    }
    assert.equal(await s.sh('cat a.txt b.txt late.txt'), "it's staged\nheredoc\nlate\n");
    const left = readdirSync(join(s.layout.entry, 'calls'));
    assert.deepEqual(
      left.filter((name) => !name.startsWith('c-three.')),
      [],
    );
  });
});

test('claude, hooked: a hook that breaks lets no command pass, and what does pass is loudly told', async (t) => {
  const s = await session(t);
  const model = await messagesModel(t);
  const broken = join(s.root, 'broken-hook');
  // Breaks as the command in its event says: no hook of ours can be made to.
  const ways = `case $(cat) in *one-way*) exit 1;; *two-way*) echo '{nonsense}';; *three-way*) kill -9 $$;; *four-way*) sleep 5;; *six*) echo nonsense;; esac`;
  writeFileSync(broken, `#!/bin/sh\n${ways}\n`, { mode: 0o755 });
  const before = (matcher: string, command: string) => ({
    matcher,
    hooks: [{ type: 'command', command, args: [], timeout: 1, onFailure: 'block' }],
  });
  const nowhere = join(s.root, 'not-installed');
  const settings = { hooks: { ...HOOKS.hooks, PreToolUse: [before('Bash', broken), before('Write', nowhere)] } };
  const file = join(s.project, 'five-way.txt');
  model.say({
    calls: [
      ...['one', 'two', 'three', 'four'].map((way) => bash(way, `touch ${way}-way.txt`)),
      { id: 'five', tool: 'Write', input: { file_path: file, content: 'x' } },
      // The one gap: a hook that ends well and prints what does not even begin like JSON. Ours prints nothing else.
      bash('six', 'echo not stopped > six.txt'),
    ],
  });
  const { code, stdout, stderr } = await runClaude(s, model, { settings });
  assert.equal(code, 0, stdout + stderr);
  const left = readdirSync(s.project).filter((name) => name.endsWith('-way.txt'));
  assert.deepEqual(left, [], 'ran although its hook broke');
  for (const id of ['one', 'two', 'three', 'four', 'five']) {
    const told = resultOf(model.turns[1], id) ?? '';
    t.diagnostic(`${id}: ${told}`);
    assert.match(told, /hook/i, id);
  }
  assert.equal(readFileSync(join(s.project, 'six.txt'), 'utf8'), 'not stopped\n');
  assert.match(
    textsOf(model.turns[1]),
    /yolofs: WARNING: a Bash call \("echo not stopped > six\.txt"\) did not go through/,
  );
});

function textsOf(request: Parameters<typeof contextTexts>[0]): string {
  return contextTexts(request).join('\n');
}
