/** What a person has decided reaches the agent with its next call, once: by its hook outside, and in the view. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { self } from '../../support/accounts.ts';
import { converse } from '../../support/conversation.ts';
import { has } from '../../support/need.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

const YOLOFS = `'${process.execPath}' '${MAIN}'`;
const TEXT = Array.from({ length: 40 }, (_, i) => `${i}\n`).join('');

/** Two hunks in a.txt and a new file; an agent has had a hook. */
async function worked(t: TestContext): Promise<Session> {
  const s = await session(t, { account: self, seed: (project) => writeFileSync(join(project, 'a.txt'), TEXT) });
  await hook(s, 'PreToolUse');
  await s.sh("sed -i -e 's/^2$/two/' -e 's/^20$/twenty/' a.txt; echo new > new.txt");
  return s;
}

async function hook(s: Session, hook_event_name: string): Promise<string> {
  const event = { hook_event_name, tool_name: 'Bash', cwd: s.project, tool_input: { command: 'true' } };
  return (await s.cli(['hook', 'claude'], { input: JSON.stringify(event) })).stdout;
}

/** What the hook after a call says to the model. */
async function told(s: Session): Promise<string | undefined> {
  const stdout = await hook(s, 'PostToolUse');
  if (stdout === '') return undefined;
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } };
  return hookSpecificOutput?.additionalContext;
}

test('review -p tells the agent which hunks the person left out, and what became of them', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await worked(t);
  const env = { HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const { shown } = await converse(
    `${YOLOFS} review -p`,
    [
      [/\(1\/3\) [^\n]*\]\? /, 'y\n'],
      [/\(2\/3\) [^\n]*\]\? /, 'n\n'],
      [/\(3\/3\) [^\n]*\]\? /, 'n\n'],
      [/1 taken, 2 rejected[^\n]*\n[^\n]* \[q\] /, 'a\n'],
    ],
    { cwd: s.project, account: self, env },
  );
  assert.match(shown, /discarded 2 changes: 'yolofs undo' takes that back first/);
  const said = await told(s);
  assert.ok(
    said?.includes('yolofs: the person left out 1 hunk of a.txt (+twenty), added new.txt; that was discarded'),
    said,
  );
  assert.equal((await told(s))?.includes('the person') ?? false, false);
});

test('abort, travel and undo of a person are told to an agent in the view after its next call', async (t) => {
  const s = await worked(t);
  await s.succeed(['abort', '--yes', 'new.txt']);
  await s.succeed(['undo']);
  await s.succeed(['travel', '0']);
  const call = `${YOLOFS} snapshot call --if-changed --summary`;
  const said = await s.sh(`echo more > more.txt; ${call}`);
  const path = join(s.project, 'new.txt');
  assert.deepEqual(said.split('\n').slice(0, 3), [
    `yolofs: the person discarded what was staged at ${path}: 1 change`,
    'yolofs: the person took the abort back: 2 changes are staged again',
    'yolofs: the person went to snapshot 0: the files in the view are as of then',
  ]);
  assert.equal((await s.sh(`echo again > more.txt; ${call}`)).includes('the person'), false);
});
