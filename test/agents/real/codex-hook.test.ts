/** The real Codex outside, its commands inside: what its hooks achieve, and what the model is told. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../../support/session.ts';
import { messages, outputOf, responsesModel } from '../model-servers/openai-responses.ts';
import { runCodex } from './codex.ts';

const PATCH =
  '*** Begin Patch\n*** Add File: patched.txt\n+by a patch\n*** Update File: hello.txt\n@@\n-base content\n+other content\n*** End Patch\n';

function shell(id: string, cmd: string, more: object = {}) {
  return { id, tool: 'exec_command', input: { cmd, ...more } };
}

test('codex, hooked: commands are staged, also two at once and elsewhere; patches go by the shell', async (t) => {
  const s = await session(t);
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
      calls: [shell('q', `git --version >/dev/null; echo base content > hello.txt; apply_patch <<'EOF'\n${PATCH}EOF`)],
    },
  );
  const { code, stderr } = await runCodex(s, model);
  assert.equal(code, 0, stderr);
  assert.equal(model.turns.length, 4, 'one request for each turn');
  const [, second, third, fourth] = model.turns;

  await t.test('both calls ran, with their exit codes', () => {
    assert.match(outputOf(second, 'a') ?? '', /exited with code 0[\s\S]*it's staged\n/);
    assert.match(outputOf(second, 'b') ?? '', /exited with code 3/);
  });
  await t.test('the next request says what they changed', () => {
    const told = [outputOf(second, 'a'), ...messages(second, 'developer')].join('\n');
    assert.match(told, /deleted +hello\.txt/);
    assert.match(told, /added +a\.txt/);
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
  await t.test('the base is as it was', () => {
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    for (const name of ['a.txt', 'patched.txt', '../b.txt'])
      assert.equal(existsSync(join(s.project, name)), false, name);
  });
});
