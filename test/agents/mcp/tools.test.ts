/** `yolofs mcp` as clients speak to it: each tool's answer, in the view and beside it, and what no client should say. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { type McpClient, mcpClient } from '../../support/mcp-client.ts';
import { type Session, session } from '../../support/session.ts';

const TOOLS = ['status', 'diff', 'log', 'snapshot', 'travel', 'commit_request'];

async function lookAround(s: Session, agent: McpClient): Promise<void> {
  assert.equal(await agent.tell('status'), (await s.succeed(['status'])).trimEnd());
  assert.match(await agent.tell('status', { range: '2' }), /^Added \(1\)\n {2}second\.txt$/m);
  assert.equal(await agent.tell('diff'), (await s.succeed(['diff'])).trimEnd());
  const one = await agent.tell('diff', { paths: ['first.txt'] });
  assert.match(one, /^diff --git a\/first\.txt b\/first\.txt\n[\s\S]*\n\+one$/);
  assert.doesNotMatch(one, /hello/);
  assert.match(await agent.tell('diff', { stat: true, range: '1' }), /^first\.txt +\| +1 \+\n/m);
  assert.match(await agent.tell('log'), /^@ +2 .*second[\s\S]*^● +1 .*first/m);
}

/** Goes to the first generation and back again; names are taken as they are, whatever they begin with. */
async function moveAround(s: Session, agent: McpClient): Promise<void> {
  assert.equal(await agent.tell('snapshot', { name: '--if-changed' }), 'snapshot 3');
  assert.match(await agent.tell('travel', { to: '1' }), /^traveled to 1 [\s\S]*back with: yolofs travel 3$/);
  assert.equal((await s.changeLines()).join(), 'added first.txt,deleted hello.txt');
  assert.match(await agent.tell('travel', { to: '--if-changed' }), /^traveled to 3 "--if-changed"/);
  assert.equal((await s.changeLines()).join(), 'added first.txt,deleted hello.txt,added second.txt');
}

/** Nothing of this leads anywhere, and the server goes on. */
async function misuse(s: Session, agent: McpClient): Promise<void> {
  const refused: readonly [string, object][] = [
    ['diff', { range: '--json' }],
    ['status', { range: '--session=/' }],
    ['status', { session: '/' }],
    ['status', { from: -1 }],
    ['diff', { paths: ['--session=/'] }],
    ['diff', { paths: 'first.txt' }],
    ['diff', { paths: ['a\0b'] }],
    ['diff', { paths: Array(100).fill('x'.repeat(4000)) }],
    ['snapshot', { name: '--session=/' }],
    ['snapshot', {}],
    ['travel', { to: '99' }],
    ['travel', { to: '--help' }],
  ];
  for (const [name, args] of refused) {
    assert.ok((await agent.call(name, args)).isError, `${name} ${JSON.stringify(args).slice(0, 80)}`);
  }
  for (const name of ['commit', 'abort', 'undo', 'rule', 'run', 'constructor']) {
    const { error, result } = await agent.request('tools/call', { name, arguments: {} });
    assert.ok(error !== undefined || result?.isError === true, name);
  }
  for (const line of [
    'no json',
    '[]',
    'null',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '\u0000',
  ]) {
    agent.raw(`${line}\n`);
  }
  const { error } = await agent.request('no/such/method');
  assert.equal(error?.code, -32601);
  assert.match(await agent.tell('status'), /first\.txt/);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n', 'the base is as it was');
}

for (const account of someAccounts()) {
  describe(`yolofs mcp, as ${account.title}`, { concurrency: 2 }, () => {
    for (const inside of [false, true]) {
      test(`shows and moves what is staged, ${inside ? 'in the view' : 'beside it'}`, async (t) => {
        const s = await session(t, { account });
        await s.sh('echo one > first.txt; rm hello.txt');
        await s.sh('echo two > second.txt');
        const agent = mcpClient(t, s, { inside });
        const { protocolVersion, serverInfo } = await agent.open(inside ? '2025-06-18' : '2025-11-25');
        assert.equal(protocolVersion, inside ? '2025-06-18' : '2025-11-25');
        assert.equal((serverInfo as { name: string }).name, 'yolofs');
        const { result } = await agent.request('tools/list');
        const tools = result?.tools as { name: string; annotations: Record<string, boolean> }[];
        assert.deepEqual(
          tools.map(({ name }) => name),
          TOOLS,
        );
        assert.deepEqual(
          tools.map(({ annotations }) => annotations.readOnlyHint),
          [true, true, true, false, false, false],
        );
        await lookAround(s, agent);
        await moveAround(s, agent);
        await misuse(s, agent);
        assert.equal(agent.messages.filter(({ id }) => id !== undefined && id !== null).length, agent.asked);
        assert.equal(await agent.hangUp(), 0);
      });
    }

    test('long answers come in pages without gaps, names and contents are harmless, secrets stay', async (t) => {
      const s = await session(t, { account });
      const names = Array.from({ length: 1300 }, (_, i) => `file-with-a-long-name-${i}`);
      await s.sh(
        'seq 0 1299 | sed s/^/file-with-a-long-name-/ | xargs touch; printf "a\\033[31m\\302\\233\\n" > "$(printf "x\\033]0;y")"',
      );
      await s.sh('head -c 300000 /dev/zero | tr "\\0" z > wide.txt; echo hush > secret.txt');
      const agent = mcpClient(t, s, { args: ['--session', s.project], cwd: '/' });
      await agent.open();
      const pages: string[] = [];
      for (let from = 0; ; ) {
        const text = await agent.tell('status', { from });
        assert.ok(text.length < 20_200, `${text.length}`);
        const cut = /\n\[cut here: call again with "from": (\d+) for what follows, or ask for less\]$/.exec(text);
        pages.push(cut === null ? text : text.slice(0, cut.index));
        if (cut === null) break;
        from = Number(cut[1]);
      }
      assert.ok(pages.length > 2);
      const status = pages.join('\n');
      for (const name of names) assert.ok(status.includes(`${name}\n`), name);
      assert.match(status, /x\\x1b\]0;y/);
      const diff = await agent.tell('diff', { paths: [join(s.project, 'wide.txt')] });
      assert.match(diff, /z… \(298\d+ more\)/);
      const odd = await agent.tell('diff', { range: '1', paths: [join(s.project, 'x\u001b]0;y')] });
      assert.match(odd, /\+a\\x1b\[31m\\u009b/);
      assert.equal(await agent.tell('status', { from: 99_999 }), 'there are only 1304 lines');
      await s.succeed(['rule', 'set', 'secret.txt', 'deny']);
      const hidden = await agent.tell('diff', { paths: [join(s.project, 'secret.txt')] });
      assert.equal(hidden, 'not shown inside the view: 1 that the rules keep from being read');
      await agent.hangUp();
    });

    test('the session is the one of the directory, of the variables, or none; without one each tool says so', async (t) => {
      const s = await session(t, { account });
      await s.sh('echo one > first.txt');
      const empty = join(s.root, 'empty');
      mkdirSync(empty);
      const none = mcpClient(t, s, { cwd: empty });
      await none.open();
      const { text, isError } = await none.call('status');
      assert.ok(isError);
      assert.match(text, /^no session in \S+\/empty or above it\n'yolofs init' makes one$/);
      await none.hangUp();
      for (const name of ['YOLOFS_SESSION', 'CLAUDE_PROJECT_DIR']) {
        const agent = mcpClient(t, s, { cwd: empty, env: { [name]: s.project } });
        const discovered = await agent.request('server/discover', {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        });
        assert.ok(JSON.stringify(discovered.result).includes('2026-07-28'), JSON.stringify(discovered));
        const old = mcpClient(t, s, { cwd: empty, env: { [name]: s.project } });
        await old.open();
        assert.match(await old.tell('status'), /first\.txt/, name);
        await Promise.all([agent.hangUp(), old.hangUp()]);
      }
    });
  });
}
