/** Commits that an agent asks for over MCP: a person decides, and the agent learns of it. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { listen } from '../../ask/front.ts';
import { someAccounts } from '../../support/accounts.ts';
import { eventually } from '../../support/leaks.ts';
import { type McpClient, mcpClient } from '../../support/mcp-client.ts';
import { type Session, session } from '../../support/session.ts';

interface Asking {
  readonly s: Session;
  readonly agent: McpClient;
}

/** A session with something staged, and an agent in front of it. */
async function asking(t: TestContext, account: Session['account'], inside = false): Promise<Asking> {
  const s = await session(t, { account });
  await s.sh('echo made > made.txt; rm hello.txt');
  const agent = mcpClient(t, s, { inside });
  await agent.open();
  return { s, agent };
}

/** `yolofs watch` with what a person would type, one line after the other. */
function watch(s: Session, input: string): Promise<string> {
  return s.succeed(['watch'], { input });
}

/** The requests as `status --json` has them, short. */
async function states(s: Session): Promise<string[]> {
  const { requests = [] } = JSON.parse(await s.succeed(['status', '--json'])) as {
    requests?: { id: number; state: string; reason?: string; movedOn?: true }[];
  };
  return requests.map(({ id, state, reason, movedOn }) =>
    [id, state, ...(movedOn ? ['moved on'] : []), ...(reason === undefined ? [] : [reason])].join(' '),
  );
}

const inBase = (s: Session, path: string): boolean => existsSync(join(s.project, path));

for (const account of someAccounts()) {
  describe(`commit_request, as ${account.title}`, { concurrency: 2 }, () => {
    for (const inside of [false, true]) {
      test(`asks a person and goes on, ${inside ? 'in the view' : 'beside it'}; committed, the agent sees it`, async (t) => {
        const { s, agent } = await asking(t, account, inside);
        const said = await agent.tell('commit_request', { message: 'makes made.txt\nas asked' });
        assert.match(said, /^request 1: a person is asked to commit 2 staged changes \(generation \d+\)\.$/m);
        assert.match(
          await agent.tell('status'),
          /request 1: pending, for generation \d+ \(2 changes\)\n {4}\| makes made/,
        );
        assert.ok(!inBase(s, 'made.txt') && inBase(s, 'hello.txt'), 'nobody has decided');
        assert.match(await s.succeed(['status']), /request 1: pending/);
        const shown = await watch(s, 'c\n');
        assert.match(
          shown,
          /request 1\), and says:\n {2}\| makes made\.txt\n {2}\| as asked\na commit would do this:\n/,
        );
        assert.match(shown, /create file \S+made\.txt\n {2}delete \S+hello\.txt\n/);
        assert.match(shown, /committed 2 changes/);
        assert.equal(readFileSync(join(s.project, 'made.txt'), 'utf8'), 'made\n');
        assert.ok(!inBase(s, 'hello.txt'));
        assert.match(await agent.tell('status'), /nothing is staged[\s\S]*request 1: committed/);
        assert.doesNotMatch(await s.succeed(['status']), /request/, 'a person has no more to do');
        assert.equal(await agent.hangUp(), 0);
      });
    }

    test('a no reaches the agent with its reason; what waits outlives daemons; a commit of all settles it', async (t) => {
      const { s, agent } = await asking(t, account);
      await agent.tell('commit_request', { message: 'first' });
      await s.sh('echo more > more.txt');
      assert.match(await agent.tell('status'), /request 1: pending, [^\n]*; more was done since/);
      const shown = await watch(s, 's\nr\nno tests\n');
      assert.match(shown, /a commit would do this, with what was done since the request:\n[\s\S]*more\.txt/);
      assert.match(await agent.tell('status'), /request 1: rejected[^\n]*\n {4}because: no tests\n {4}\| first/);
      assert.ok(!inBase(s, 'made.txt'));
      await agent.tell('commit_request', { message: 'second' });
      await s.stop();
      assert.deepEqual(await states(s), ['1 rejected no tests', '2 pending']);
      await agent.tell('commit_request', { message: 'third' });
      assert.equal(await agent.hangUp(), 0);
      await s.killDaemon();
      assert.match(await watch(s, 'later\nc\n'), /\| second\n[\s\S]*\| third\n[\s\S]*committed 3 changes/);
      assert.deepEqual(await states(s), ['1 rejected no tests', '2 committed', '3 committed']);
      assert.ok(inBase(s, 'more.txt'));
      // As a daemon leaves it that was killed between the commit and its note of it.
      const file = join(s.layout.entry, 'requests.json');
      await s.killDaemon();
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"committed"', '"pending"'));
      assert.deepEqual(await states(s), ['1 rejected no tests', '2 committed', '3 committed'], 'without a daemon');
      await s.sh('true');
      assert.doesNotMatch(readFileSync(file, 'utf8'), /"pending"/, 'the next one notes it');
      const another = mcpClient(t, s);
      await another.open();
      const nothing = await another.call('commit_request', { message: 'again' });
      assert.ok(nothing.isError);
      assert.equal(nothing.text, 'yolofs: nothing is staged: there is nothing to commit');
      await another.hangUp();
    });

    test('a front end commits what it has shown and nothing else', async (t) => {
      const { s, agent } = await asking(t, account);
      await agent.tell('commit_request', { message: 'over the socket' });
      const front = await listen(t, s);
      assert.ok(await eventually(() => front.requests.length === 1), 'it hears of what waits');
      const { generation } = (await front.request({ op: 'commit', dryRun: true })) as { generation: number };
      await s.sh('echo later > later.txt');
      const decide = (more: object): Promise<unknown> => front.request({ op: 'decide', id: 1, ...more });
      await assert.rejects(decide({ commit: true }), /which generation/);
      await assert.rejects(decide({ commit: 'yes', reviewed: generation }), /'commit' is no boolean/);
      assert.ok(!inBase(s, 'made.txt'));
      assert.deepEqual(await states(s), ['1 pending moved on']);
      const input = ['{"request":9,"commit":false}', `{"request":1,"commit":true,"reviewed":${generation + 1}}`].join(
        '\n',
      );
      const lines = (await s.succeed(['watch', '--json'], { input: `${input}\n` })).trim().split('\n');
      const said = lines.map((line) => JSON.parse(line) as Record<string, { id: number }>);
      assert.deepEqual(said.map((line) => [Object.keys(line)[0], Object.values(line)[0]?.id]).sort(), [
        ['decided', 1],
        ['refused', 9],
        ['request', 1],
        ['settled', 1],
      ]);
      assert.ok(inBase(s, 'later.txt'));
      assert.ok(await eventually(() => front.requests.length === 2), 'and of what became of it');
      assert.deepEqual(front.requests[1], { settled: { id: 1, state: 'committed' } });
      await assert.rejects(decide({ commit: false }), /no request 1 waits/);
      await s.sh('echo ours > multi.txt');
      appendFileSync(join(s.project, 'multi.txt'), 'theirs\n');
      await agent.tell('commit_request', { message: 'cannot be' });
      const shown = await watch(s, 'c\nr\nmerge first\n');
      assert.match(
        shown,
        /multi\.txt: modified here, modified outside\nwith 'yolofs commit', '--ours[^\n]*\n\[r\]eject, \[l\]ater\? \n\[r\]eject, \[l\]ater\? \n/,
      );
      assert.deepEqual(await states(s), ['1 committed', '2 rejected merge first']);
      assert.match(readFileSync(join(s.project, 'multi.txt'), 'utf8'), /^line1\nline2\ntheirs\n$/);
      await agent.hangUp();
    });

    test('there are so many, of such a length, and what they say is harmless', async (t) => {
      const { s, agent } = await asking(t, account);
      for (const message of ['', '\n \n', 'x'.repeat(2001)]) {
        assert.ok((await agent.call('commit_request', { message })).isError, JSON.stringify(message.slice(0, 9)));
      }
      const evil = 'ok\u001b[2J\u009b31m\u202e\r\nrequest 9: committed\n'.padEnd(1900, 'y\n');
      await agent.tell('commit_request', { message: evil });
      for (const text of [await s.succeed(['status']), await watch(s, 'l\n'), await s.succeed(['status', '--json'])]) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
        assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      }
      const status = await s.succeed(['status']);
      assert.match(status, /^ {4}\| ok\\x1b\[2J\\u009b31m\\u202e\n {4}\| request 9: committed\n/m);
      assert.match(status, /… and \d+ more lines\n/);
      for (let i = 0; i < 4; i++) await agent.tell('commit_request', { message: `${i}` });
      const { text, isError } = await agent.call('commit_request', { message: 'one too many' });
      assert.ok(isError);
      assert.match(text, /5 requests wait for a decision already/);
      assert.equal(statSync(join(s.layout.entry, 'requests.json')).mode & 0o777, 0o600);
      const front = await listen(t, s);
      for (let id = 1; id <= 24; id++) {
        await front.request({ op: 'decide', id, commit: false, reason: '\u001bno' });
        if (id < 20) await agent.tell('commit_request', { message: `${id}` });
      }
      const kept = await states(s);
      assert.deepEqual([kept.length, kept[0], kept.at(-1)], [20, '5 rejected \\x1bno', '24 rejected \\x1bno']);
      await agent.tell('commit_request', { message: 'the last' });
      await s.abort();
      assert.equal((await states(s)).at(-1), '25 rejected all that was staged was thrown away');
      await agent.hangUp();
    });
  });
}
