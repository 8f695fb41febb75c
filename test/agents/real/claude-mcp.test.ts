/** The real Claude Code asks for a commit over MCP, beside the view and in it: a person decides, and the model sees it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Result } from '../../support/exec.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { messagesModel, resultOf } from '../model-servers/anthropic.ts';
import type { ScriptedModel } from '../model-servers/loopback.ts';
import { callTool } from '../model-servers/script.ts';
import { claudeEnvironment, runClaude } from './claude.ts';
import { installClient } from './clients.ts';

const CONFIG = JSON.stringify({ mcpServers: { yolofs: { command: process.execPath, args: [MAIN, 'mcp'] } } });
const ALLOWED = 'Bash mcp__yolofs__status mcp__yolofs__commit_request';
const ARGUMENTS = ['--strict-mcp-config', '--mcp-config', CONFIG];

async function wrapped(s: Session, model: ScriptedModel): Promise<Result> {
  const own = claudeEnvironment(s, model);
  const PATH = `${dirname(await installClient('claude'))}:${own.PATH}`;
  const words = ['wrap', 'claude', '-p', 'go on', '--allowedTools', ALLOWED, ...ARGUMENTS];
  return s.cli(words, { env: { ...own, PATH }, timeout: 60_000 });
}

const ways = {
  hooked: (s: Session, model: ScriptedModel) => runClaude(s, model, { allowed: ALLOWED, args: ARGUMENTS }),
  wrapped,
} as const;

for (const [way, run] of Object.entries(ways)) {
  test(`claude, ${way}: commit_request over MCP returns at once; the model is told what a person decided`, async (t) => {
    const s = await session(t);
    const asking = await messagesModel(t);
    asking.say(
      callTool('Bash', { command: 'echo made > made.txt', description: 'a test' }, 'make'),
      callTool('mcp__yolofs__commit_request', { message: 'makes made.txt' }, 'ask'),
      callTool('mcp__yolofs__status', {}, 'look'),
    );
    const first = await run(s, asking);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    assert.match(resultOf(asking.turns[2], 'ask') ?? '', /request 1: a person is asked to commit \d+ staged change/);
    assert.match(resultOf(asking.turns[3], 'look') ?? '', /made\.txt[\s\S]*request 1: pending/);
    assert.ok(!existsSync(join(s.project, 'made.txt')), 'nobody has decided');
    assert.match(await s.succeed(['watch'], { input: 'c\n' }), /\| makes made\.txt\n[\s\S]*committed \d+ change/);
    assert.equal(readFileSync(join(s.project, 'made.txt'), 'utf8'), 'made\n');
    const later = await messagesModel(t);
    later.say(callTool('mcp__yolofs__status', {}, 'again'));
    const second = await run(s, later);
    assert.equal(second.code, 0, second.stdout + second.stderr);
    assert.match(resultOf(later.turns[1], 'again') ?? '', /request 1: committed/);
  });
}
