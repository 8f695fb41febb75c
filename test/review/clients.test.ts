/** What a person sees first after a real client has edited one file: that file. What the client keeps for itself is four lines at most. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { messagesModel } from '../agents/model-servers/anthropic.ts';
import { geminiModel } from '../agents/model-servers/gemini.ts';
import { responsesModel } from '../agents/model-servers/openai-responses.ts';
import { callTool } from '../agents/model-servers/script.ts';
import { claudeEnvironment } from '../agents/real/claude.ts';
import { clientEnvironment, installClient } from '../agents/real/clients.ts';
import { runCodex } from '../agents/real/codex.ts';
import { runGemini } from '../agents/real/gemini.ts';
import { self } from '../support/accounts.ts';
import { has } from '../support/need.ts';
import { MAIN, type Session, seedSmall, session } from '../support/session.ts';

const GIT = 'git -c user.name=A -c user.email=a@example.org -c commit.gpgsign=false';
const WRAP = [process.execPath, MAIN, 'wrap'];
/** Lines after the file's own. */
const MOST_OTHERS = 4;

/** A repository, and a home in which the client was never started. */
function workplace(t: TestContext): Promise<Session> {
  const seed = (project: string): void => {
    seedSmall(project);
    execFileSync('sh', ['-c', `git init -q -b main . && ${GIT} add -A && ${GIT} commit -qm start`], { cwd: project });
  };
  return session(t, { account: self, rules: 'default', seed });
}

/** `before`: lines that come before the file's, of what runs later or tells agents what to do. */
async function judge(s: Session, before = 0): Promise<void> {
  const status = await s.succeed(['status']);
  const lines = status.split('\n').filter((line) => line !== '');
  assert.deepEqual(lines.slice(before, before + 2), ['Modified (1)', '  multi.txt'], status);
  assert.ok(lines.length - 2 <= MOST_OTHERS, status);
  assert.match(await s.succeed(['diff', 'multi.txt']), /^-line1\n\+LINE1$/m);
}

test('of a wrapped Claude Code that edits one file, review begins with that file, and the rest is four lines at most', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await workplace(t);
  mkdirSync(join(s.home, '.claude'));
  writeFileSync(join(s.home, '.claude/settings.json'), '{"permissions":{"allow":["Bash","Edit","Read"]}}\n');
  const model = await messagesModel(t);
  const path = join(s.project, 'multi.txt');
  model.say(
    callTool('Read', { file_path: path }, 'read'),
    callTool('Edit', { file_path: path, old_string: 'line1', new_string: 'LINE1' }, 'edit'),
    callTool('Bash', { command: 'git status; npm --version' }, 'look'),
  );
  const own = claudeEnvironment(s, model);
  const PATH = `${dirname(await installClient('claude'))}:${own.PATH}`;
  const { code, stderr } = await s.cli(['wrap', 'claude', '-p', 'go on'], { env: { ...own, PATH }, timeout: 60_000 });
  assert.equal(code, 0, stderr);
  await judge(s);
});

test('of a wrapped codex exec that edits one file, review begins with that file, and the rest is four lines at most', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await workplace(t);
  const model = await responsesModel(t);
  const input = '*** Begin Patch\n*** Update File: multi.txt\n@@\n-line1\n+LINE1\n*** End Patch\n';
  model.say(
    { calls: [{ id: 'p', tool: 'apply_patch', input }] },
    { calls: [{ id: 'l', tool: 'exec_command', input: { cmd: 'git status' } }] },
  );
  const { code, stderr } = await runCodex(s, model, { hooks: [], through: [...WRAP, 'codex'], args: [] });
  assert.equal(code, 0, stderr);
  // Its first start writes skills of its own, which agents read: one line says so, below its title.
  await judge(s, 2);
  const [title = '', skills = ''] = (await s.succeed(['status'])).split('\n');
  assert.match(
    `${title}\n${skills}`,
    /^Look at this first \((\d+)\)\n {2}\1 below \S+\/\.codex\/skills\/\.system\/ {2}agents are told/,
  );
});

test('of a wrapped Gemini CLI that edits one file, review begins with that file, and the rest is four lines at most', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await workplace(t);
  const model = await geminiModel(t);
  const edit = { file_path: 'multi.txt', instruction: 'i', old_string: 'line1', new_string: 'LINE1' };
  const look = { command: 'git status', description: 'for the test' };
  model.say(
    { calls: [{ id: 'edit', tool: 'replace', input: edit }] },
    { calls: [{ id: 'look', tool: 'run_shell_command', input: look }] },
    { text: 'Done.' },
  );
  const env = { PATH: `${dirname(await installClient('gemini'))}:${clientEnvironment(s.home).PATH}` };
  const { code, stderr } = await runGemini({ session: s, model, program: [...WRAP, 'gemini'], env });
  assert.equal(code, 0, stderr);
  await judge(s);
});
