/** The real Codex as a whole in the view: what it does is staged, whatever it does it with, and the model is told. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { MAIN, session } from '../../support/session.ts';
import type { ReceivedRequest } from '../model-servers/loopback.ts';
import { messages, outputOf, responsesModel } from '../model-servers/openai-responses.ts';
import { runCodex } from './codex.ts';

const PATCH =
  '*** Begin Patch\n*** Add File: patched.txt\n+by a patch\n*** Update File: multi.txt\n@@\n-line1\n+LINE1\n*** End Patch\n';

function shell(id: string, cmd: string) {
  return { id, tool: 'exec_command', input: { cmd } };
}

test('codex, wrapped: commands and patches are staged, the model is told, a snapshot for each call', async (t) => {
  const s = await session(t, { account: ordinary() });
  const model = await responsesModel(t);
  // What only the first start in a home directory makes.
  await runCodex(s, model, { hooks: [] });
  model.say(
    { calls: [shell('a', 'echo one > a.txt; rm hello.txt'), shell('b', 'sleep 0.1; echo two > b.txt; exit 3')] },
    { calls: [{ id: 'p', tool: 'apply_patch', input: PATCH }] },
    {
      calls: [
        shell('c', 'cat patched.txt multi.txt'),
        { id: 'r', tool: 'commit_request', namespace: 'mcp__yolofs', input: { message: 'please' } },
      ],
    },
  );
  const through = [process.execPath, MAIN, 'wrap', 'codex'];
  const { code, stderr } = await runCodex(s, model, { hooks: [], through, args: [] });
  assert.equal(code, 0, stderr);
  assert.equal(model.turns.length, 4, 'one request for each turn');
  const [first, second, third, fourth] = model.turns;

  await t.test('both calls ran, with their exit codes', () => {
    assert.match(outputOf(second, 'a') ?? '', /exited with code 0/);
    assert.match(outputOf(second, 'b') ?? '', /exited with code 3/);
  });
  await t.test('the next request says what they changed', () => {
    assert.equal(told(first), '');
    assert.match(told(second), /deleted +hello\.txt/);
    assert.match(told(second), /added +(a\.txt|a\.txt, b\.txt)\n/);
    assert.match(told(third), /modified multi\.txt\n +added +patched\.txt/);
  });
  await t.test('what it patched is what its commands see', () => {
    assert.match(outputOf(third, 'p') ?? '', /Success\. Updated the following files:\nA patched\.txt\nM multi\.txt/);
    assert.match(outputOf(fourth, 'c') ?? '', /by a patch\nLINE1\nline2\n/);
  });
  await t.test('what it asks for over MCP is put to the person', async () => {
    assert.match(outputOf(fourth, 'r') ?? '', /request 1: a person is asked to commit/);
    assert.match(await s.succeed(['status']), /request 1: pending, .*\n +\| please/);
  });
  await t.test('each call has its snapshot', async () => {
    const log = await s.succeed(['log']);
    // Two at once may share one.
    for (const name of ['Bash: ', 'apply_patch: ']) assert.ok(log.includes(name), log);
  });
  await t.test('its own state is no part of what a person reviews', async () => {
    assert.deepEqual(await s.changeLines(), [
      'added a.txt',
      'added b.txt',
      'deleted hello.txt',
      'modified multi.txt',
      'added patched.txt',
    ]);
    assert.ok(existsSync(join(s.home, '.codex/sessions')));
  });
  await t.test('it can go back by itself, and goes on', async () => {
    model.say({ calls: [shell('d', `'${process.execPath}' '${MAIN}' travel 0; cat hello.txt patched.txt 2>&1`)] });
    const again = await runCodex(s, model, { hooks: [], through, args: [] });
    assert.equal(again.code, 0, again.stderr);
    assert.match(
      outputOf(model.turns[1], 'd') ?? '',
      /traveled to 0[\s\S]*base content\n[\s\S]*patched\.txt: No such file/,
    );
  });
  await t.test('the base is as it was', () => {
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    assert.equal(readFileSync(join(s.project, 'multi.txt'), 'utf8'), 'line1\nline2\n');
    for (const name of ['a.txt', 'b.txt', 'patched.txt']) assert.equal(existsSync(join(s.project, name)), false, name);
  });
});

/** What the request says that our hooks have said. */
function told(request: ReceivedRequest | undefined): string {
  return messages(request, 'developer')
    .filter((text) => text.includes("'yolofs travel"))
    .join('\n');
}
