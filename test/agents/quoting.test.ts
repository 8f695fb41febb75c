/**
 * A shell command says the same and ends the same whether a host runs it itself or runs what the hook makes of it: the same
 * bytes on stdout and stderr (but for the summary at the end) and the same exit code.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { answerEvent } from '../../src/agents/answer.ts';
import { claude } from '../../src/agents/dialects/claude.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { PROGRAM, type Session, session } from '../support/session.ts';
import { CASES, type Case, type Known } from './quoting-commands.ts';

/** Runs at once: each takes a process on the host and some in the view. */
const AT_ONCE = 4;
const TRAILER = /(?<=^|\n)yolofs: .*\n(?: {2}.*\n)*(?:snapshot|generation) \d+.*\n$/;

interface Said {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

test('a wrapped command says what the raw one says, and ends as it does', { timeout: 300_000 }, async (t) => {
  const s = await session(t, {
    seed: (project) => {
      for (const i of CASES.keys()) mkdirSync(join(project, `case${i}`));
    },
  });
  await s.sh(':');
  const queue = [...CASES.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await compare(t, s, ...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
});

async function compare(t: TestContext, s: Session, i: number, one: Case): Promise<void> {
  const cwd = join(s.project, `case${i}`);
  const wrapped = await host(one, { text: hooked(s, one.command, cwd), cwd, s });
  const raw = await host(one, { text: one.command, cwd, s });
  const short = one.command.length > 80 ? `${one.command.slice(0, 80)}…` : one.command;
  await t.test(`${JSON.stringify(short)}${one.stdin ? ` <${one.stdin}` : ''}${one.merged ? ' 2>&1' : ''}`, () => {
    const told = { ...wrapped, stderr: wrapped.stderr.replace(TRAILER, '') };
    assert.deepEqual(brief(known(told, one.wrapped)), brief(known(raw, one.raw)));
    assert.ok(one.raw?.stdout !== undefined || wrapped.stdout === raw.stdout);
  });
}

/** What the hook has the host run instead. */
function hooked(s: Session, command: string, cwd: string): string {
  const input = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: basename(cwd),
    cwd,
  };
  const event = claude.parse(JSON.stringify(input));
  const findSession = () => ({ project: s.project, isNearest: true });
  const { stdout } = claude.render(event, answerEvent(event, { program: [PROGRAM], ask: false, findSession }));
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { updatedInput: { command: string } } };
  return answer.hookSpecificOutput.updatedInput.command;
}

const AROUND = { merged: 'exec "$@" 2>&1', closed: 'exec "$@" <&-', plain: 'exec "$@"' };

/** Runs a text as hosts do, with `bash -c`; one that is too long for an argument from a file. */
function host(one: Case, { text, cwd, s }: { text: string; cwd: string; s: Session }): Promise<Said> {
  const isLong = Buffer.byteLength(text) > 100_000;
  const script = `${cwd}.long.sh`;
  if (isLong) writeFileSync(script, text);
  const around = one.merged ? AROUND.merged : one.stdin === 'closed' ? AROUND.closed : AROUND.plain;
  const words = ['-c', around, 'sh', 'bash', ...(isLong ? [script] : ['-c', text])];
  return new Promise((resolve, reject) => {
    const child = spawn('sh', words, { cwd, env: { ...CLEAN_ENV, HOME: s.home }, stdio: ['pipe', 'pipe', 'pipe'] });
    const pieces = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on('data', (piece: Buffer) => pieces.stdout.push(piece));
    child.stderr.on('data', (piece: Buffer) => pieces.stderr.push(piece));
    // Who reads nothing of it has closed the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(one.stdin === 'text' ? 'first line\n  second $line `x`\nno end' : '');
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const [stdout, stderr] = [Buffer.concat(pieces.stdout), Buffer.concat(pieces.stderr)];
      resolve({ code: code ?? String(signal), stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') });
    });
  });
}

/** Without what is known to differ, once it was found as expected. */
function known(said: Said, { code, stdout, stderr }: Known = {}): Said {
  if (code !== undefined) assert.equal(said.code, code);
  if (stdout !== undefined) assert.equal(said.stdout, stdout);
  if (stderr !== undefined) assert.match(said.stderr, stderr);
  return {
    code: code === undefined ? said.code : '',
    stdout: stdout === undefined ? said.stdout : '',
    stderr: stderr === undefined ? said.stderr : '',
  };
}

/** Long enough for a person; the rest is compared apart. */
function brief({ code, stdout, stderr }: Said): Said {
  return { code, stdout: stdout.slice(0, 2000), stderr: stderr.slice(-3000) };
}
