/**
 * `yolofs-shell 'TEXT'`, what Claude Code starts programs with where `$CLAUDE_CODE_SHELL_PREFIX` names it: its Bash tool's text
 * runs in the view, everything else (hooks, status line, MCP servers) as it would without.
 */
import { basename, dirname } from 'node:path';
import { claimCall, digestOf, directoryFile, noteCall, unaskedCall } from '../../agents/calls.ts';
import { type ClaudeFrame, parseFrame } from '../../agents/claude-frame.ts';
import { viewpointOf } from '../../agents/show-path.ts';
import { renderBrief, renderSummary, snapshotIn } from '../../agents/summary-text.ts';
import { unwrapCommand } from '../../agents/wrap-command.ts';
import type { Layout } from '../../history/layout.ts';
import { madeSession } from '../../history/registry/make.ts';
import { isInsideView } from '../../sandbox/inside.ts';
import { realPath, replaceText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { type Caller, SELF } from '../caller.ts';
import { ownProgram } from '../own-program.ts';
import { findSession, namedSession } from '../session.ts';
import { lastDirectory } from './last-directory.ts';
import { runInView } from './launch.ts';
import { shellProgram } from './shell-program.ts';

/** Resolves to the exit code of what was run. */
export async function runAsShellPrefix(words: readonly string[], caller: Caller = SELF): Promise<number> {
  const [text, ...rest] = words;
  if (text === undefined || rest.length > 0) {
    throw new UserError('yolofs-shell takes one argument', "it is for Claude Code's CLAUDE_CODE_SHELL_PREFIX");
  }
  const frame = parseFrame(text);
  const session = frame && !isInsideView() ? sessionHere(caller) : undefined;
  if (frame === undefined || session === undefined || isWrapped(frame, session, caller)) {
    return runUnstaged(text, frame, caller);
  }
  return runStaged(text, frame, { session: madeSession(caller.admit(session)), caller });
}

/** The session of this directory, else of the one that Claude Code was started in. */
function sessionHere({ env, cwd }: Caller): Layout | undefined {
  if (env.YOLOFS_SESSION) return namedSession(env.YOLOFS_SESSION, cwd);
  const started = env.CLAUDE_PROJECT_DIR || realPath(`/proc/${env.CLAUDE_PID}/cwd`);
  return findSession(cwd) ?? (started ? findSession(started) : undefined);
}

/** A hook that did not know of this prefix has sent it through `yolofs run` already. */
function isWrapped({ command }: ClaudeFrame, { project }: Layout, caller: Caller): boolean {
  if (command === undefined) return false;
  const options = {
    program: ownProgram(caller.program),
    directoryFile: (call: string) => directoryFile(project, call),
  };
  return [options, { ...options, session: project }].some((one) => unwrapCommand(command, one) !== undefined);
}

async function runUnstaged(text: string, frame: ClaudeFrame | undefined, caller: Caller): Promise<number> {
  const program = [frame?.shell ?? 'bash', '-c', text];
  const launcher = (words: readonly string[]): readonly string[] => words;
  return (await caller.start({ program, launcher, env: caller.env, keepsDescriptors: true })).exit;
}

interface Place {
  readonly session: Layout;
  readonly caller: Caller;
}

async function runStaged(text: string, frame: ClaudeFrame, { session, caller }: Place): Promise<number> {
  const { project } = session;
  const digest = frame.command === undefined ? undefined : digestOf(frame.command);
  const claimed = digest === undefined ? undefined : claimCall(project, digest);
  const call = claimed ?? (digest && unaskedCall(digest));
  if (call !== undefined) noteCall(project, call, { state: 'started' });
  const program = frame.shell === 'zsh' ? ['zsh', '-c', text] : shellProgram(text);
  const job = { program, text: frame.command ?? text, snapshot: '' };
  const { code, summary, tmp } = await runInView(session, job, caller).catch((error: Error) => {
    const told = `yolofs: the command could not run in the view: ${error.message}`;
    if (call !== undefined) noteCall(project, call, { state: 'ended', text: told });
    throw error;
  });
  if (code === 0 && frame.cwdFile !== undefined) bringOut(frame.cwdFile, tmp, caller);
  if (summary.notice !== undefined) caller.err(`yolofs: ${summary.notice}\n`);
  const told = renderSummary(summary, viewpointOf(project, caller.cwd));
  if (call !== undefined) noteCall(project, call, { state: 'ended', text: told, ...snapshotIn(summary) });
  // The hook that has asked for it tells the rest.
  caller.err(claimed === undefined ? told : renderBrief(summary));
  return code;
}

/** The frame has written where it ended into the view's own /tmp; Claude Code reads it in the host's. */
function bringOut(file: string, tmp: string | undefined, caller: Caller): void {
  if (realPath(dirname(file)) !== realPath('/tmp')) return;
  const directory = lastDirectory(tmp, basename(file), caller);
  if (directory !== undefined) replaceText(file, `${directory}\n`, 0o600);
}
