/** Commands of our own in a process of theirs, for what a program is told. */
import { COMMAND_LINE } from '../daemon/entries.ts';
import { errorOf } from '../daemon/failure.ts';
import { parseJson } from '../daemon/parse-json.ts';
import type { Failure } from '../daemon/protocol.ts';
import type { Layout } from '../history/layout.ts';
import { startProcess } from '../sys/process/process.ts';
import { UserError } from '../sys/user-error.ts';
import { collect, textOf } from './collect.ts';

/** What a command prints with --json. Rejects with its failure. */
export async function listing<T>(session: Layout, words: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await carryOut(session, [...words, '--json']);
  const value = parseJson(stdout);
  if (code === 0 && value !== undefined) return value as T;
  const { error } = (value ?? {}) as { readonly error?: Failure };
  throw error === undefined ? complaint(stderr) : errorOf(error);
}

/** What a command prints. Rejects with its failure. */
export async function printed(session: Layout, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await carryOut(session, words);
  if (code !== 0) throw complaint(stderr);
  return stdout;
}

/** The line that it has told people. */
function complaint(stderr: string): UserError {
  const [line = '', more = ''] = stderr.split('\n');
  const hint = more.startsWith('hint: ') ? more.slice('hint: '.length) : undefined;
  return new UserError(line.replace(/^yolofs: (?:[a-z]+: )?/, ''), hint);
}

async function carryOut(
  { project }: Layout,
  words: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const [command = '', ...rest] = words;
  const env = { ...process.env, NO_COLOR: '1', YOLOFS_SESSION: project };
  const argv = [process.execPath, COMMAND_LINE, command, ...rest];
  const child = startProcess({ argv, cwd: project, env: known(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const { code, stdout, stderr } = await collect(child);
  return { code, stdout: textOf(stdout), stderr: textOf(stderr) };
}

function known(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
