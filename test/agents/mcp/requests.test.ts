/** Commits that an agent asks for over MCP: a person decides, and the agent learns of it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
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
async function watch(s: Session, input: string): Promise<string> {
  return s.succeed(['watch'], { input });
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
  });
}
