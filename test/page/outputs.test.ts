/** The timeline has the head of what each command has printed, as an agent's client tells its hook. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimelineReply } from '../../src/page/protocol.ts';
import { self } from '../support/accounts.ts';
import { exec } from '../support/exec.ts';
import { type Session, session } from '../support/session.ts';
import { withPage } from './page.ts';

type Said = Record<string, unknown>;

/** What each client sends to its hook before and after a command; `said` is what the command has printed. */
const CLIENTS: Readonly<Record<string, { before: Said; after: (said: string) => Said }>> = {
  claude: {
    before: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_1' },
    after: (said) => ({ hook_event_name: 'PostToolUse', tool_response: { stdout: said, stderr: 'a warning' } }),
  },
  codex: {
    before: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'call_1' },
    after: (said) => ({ hook_event_name: 'PostToolUse', tool_response: said }),
  },
  gemini: {
    before: { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' },
    after: (said) => ({
      hook_event_name: 'AfterTool',
      tool_response: { llmContent: `Output: ${said}`, returnDisplay: said },
    }),
  },
};

async function hook(s: Session, agent: string, event: Said): Promise<Said> {
  const { stdout, code, stderr } = await s.cli(['hook', agent], { input: JSON.stringify(event) });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Said;
}

for (const [agent, { before, after }] of Object.entries(CLIENTS)) {
  test(`the timeline has the command of ${agent} with the head of its output`, async (t) => {
    const s = await session(t, { account: self });
    const event = {
      ...before,
      cwd: s.project,
      session_id: 's',
      tool_input: { command: 'echo made > made.txt; seq 40' },
    };
    const answer = JSON.stringify(await hook(s, agent, event));
    const [, call = ''] = /--call '?([\w-]+)/.exec(answer) ?? [];
    assert.notEqual(call, '', answer);
    const { stdout } = await s.cli(['run', '--call', call, '-c', 'echo made > made.txt; seq 40']);
    assert.equal(stdout.split('\n').length, 41, 'what it prints goes to its caller as it is');
    const tool_input = rewrittenIn(JSON.parse(answer) as Said) ?? event.tool_input;
    await hook(s, agent, { ...event, tool_input, ...after(stdout) });
    await s.sh('echo other > other.txt; echo nobody knows this');
    await withPage(s, async (page) => {
      await page.login();
      const { entries } = await page.get<TimelineReply>('/api/timeline');
      const [first, second] = entries;
      assert.match(first?.command ?? '', /made\.txt/);
      assert.match(first?.output ?? '', /^1\n2\n3\n(?:\d+\n){16}20\n…$/);
      assert.equal(second?.output, undefined);
    });
    // Nothing in the view can see it.
    const kept = await exec(['sh', '-c', `ls ${s.layout.outputs}`]);
    assert.match(kept.stdout, /^1\.txt\n$/);
    assert.equal(await s.sh(`ls ${s.layout.outputs} 2>/dev/null | wc -l`), '0\n');
  });
}

/** The tool's input as the hook has changed it. */
function rewrittenIn(answer: Said): Said | undefined {
  const specific = answer.hookSpecificOutput as Said | undefined;
  return (specific?.updatedInput ?? specific?.tool_input) as Said | undefined;
}
