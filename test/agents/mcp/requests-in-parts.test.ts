/** What becomes of a commit that an agent has asked for, where a person decides by hunks and files: nothing waits on once nothing is staged. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listen } from '../../ask/front.ts';
import { self } from '../../support/accounts.ts';
import { mcpClient } from '../../support/mcp-client.ts';
import { type Session, session } from '../../support/session.ts';

interface Row {
  readonly path: string;
  readonly hunks?: readonly { readonly key: string }[];
  readonly sections: Readonly<Record<string, string>>;
}

/** A session in which an agent asks for a commit of three files, and what says what is decided. */
async function asked(t: TestContext): Promise<{ s: Session; keys: string[]; state: () => Promise<string> }> {
  const s = await session(t, { account: self });
  await s.sh('echo made > made.txt; rm hello.txt; echo LINE >> multi.txt');
  const agent = mcpClient(t, s, { inside: false });
  await agent.open();
  await agent.tell('commit_request', { message: 'all of it' });
  assert.equal(await agent.hangUp(), 0);
  const rows = JSON.parse(await s.succeed(['diff', '--json', '--hunks'])) as Row[];
  const keys = rows.flatMap(({ hunks = [], sections }) => [...Object.values(sections), ...hunks.map(({ key }) => key)]);
  assert.equal(keys.length, 3);
  const state = async (): Promise<string> => {
    const { requests = [] } = JSON.parse(await s.succeed(['status', '--json'])) as {
      requests?: { state: string; reason?: string }[];
    };
    return requests.map(({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`)).join();
  };
  return { s, keys, state };
}

const IN_PART = 'committed: a part of it: the rest was thrown away';

test('a request is committed once its hunks and files are, whether at once or one after the other', async (t) => {
  const { s, keys, state } = await asked(t);
  const [first = '', ...others] = keys;
  await s.succeed(['commit', '--yes', '--hunk', first]);
  assert.equal(await state(), 'pending');
  await s.succeed(['commit', '--yes', '--hunk', ...others]);
  assert.equal(await state(), 'committed');
});

test('a request is committed in part where the rest is thrown away, in the same order or later', async (t) => {
  const { s, keys, state } = await asked(t);
  const [first, ...others] = keys.map((key) => ({ key }));
  const person = await listen(t, s);
  const done = await person.request({ op: 'commit', dryRun: false, hunks: [first], discard: others });
  assert.equal((done as { discarded: number }).discarded, 2);
  assert.equal(await state(), IN_PART);
  const later = await asked(t);
  await later.s.succeed(['commit', '--yes', '--hunk', later.keys[0] ?? '']);
  await later.s.succeed(['abort', '--yes', '--hunk', ...later.keys.slice(1)]);
  assert.equal(await later.state(), IN_PART);
});

test('a request is rejected where all of it is thrown away by hunks and files', async (t) => {
  const { s, keys, state } = await asked(t);
  await s.succeed(['abort', '--yes', '--hunk', ...keys]);
  assert.equal(await state(), 'rejected: all that was staged was thrown away');
});
