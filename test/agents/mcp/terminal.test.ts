/** Commits that an agent asks for, at a terminal: beside questions in `watch`, and at the end of a shell. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { world } from '../../ask/world.ts';
import { someAccounts } from '../../support/accounts.ts';
import { CONTROL_C, converse, type Line } from '../../support/conversation.ts';
import { mcpClient } from '../../support/mcp-client.ts';
import { has } from '../../support/need.ts';
import { MAIN } from '../../support/session.ts';

const DECIDE = /\[c\]ommit, \[s\]how all, \[r\]eject, \[l\]ater\? $/;
const QUESTION = /yolofs asks:[\s\S]*?ne\[v\]er\? /;

for (const account of someAccounts()) {
  test(`requests wait for questions in watch, and are listed and settled at the end of a shell, as ${account.title}`, async (t) => {
    if (!has(t, ['script', 'bash'])) return;
    const { s, asked } = await world(t, account);
    const env = { HOME: s.home, SHELL: '/bin/bash', HISTFILE: '/dev/null', YOLOFS_TEST_ROOT: s.root };
    const talk = (command: string, ...lines: readonly Line[]): ReturnType<typeof converse> =>
      converse(`'${process.execPath}' '${MAIN}' ${command}`, lines, { cwd: s.project, account, env });
    await s.sh('echo made > made.txt');
    const agent = mcpClient(t, s);
    await agent.open();
    await agent.tell('commit_request', { message: 'makes made.txt' });

    // Refused as long as nobody listens: its question comes when the request is looked at.
    const read = s.sh(`until cat ${asked}/one 2>/dev/null; do sleep 0.3; done`);
    const { shown } = await talk('watch', [QUESTION, 'o\n'], [DECIDE, 'c\n'], [/committed 1 change/, CONTROL_C]);
    assert.equal(await read, 'one\n');
    assert.match(shown, /a question comes first:[\s\S]*yolofs asks:[\s\S]*makes made\.txt[\s\S]*committed 1 change/);
    assert.doesNotMatch(shown, /elsewhere/);
    assert.ok(existsSync(join(s.project, 'made.txt')));

    await s.sh('echo more > more.txt');
    await agent.tell('commit_request', { message: 'makes more.txt' });
    const shell = await talk('shell', [/\(yolofs\) .*[#$] /, 'exit\n'], [/\[a\]bort, \? \[k\] /, 'c\n']);
    assert.match(
      shell.shown,
      /request 2: pending, for generation \d+ \(1 change\)\n {4}\| makes more\.txt\n[\s\S]*committed 1 change/,
    );
    assert.match(await agent.tell('status'), /request 2: committed/);
    await agent.hangUp();
  });
}
