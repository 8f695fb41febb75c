/** The one place that decides what a hook answers, for all agents. */
import type { Answer, FileEvent, HookEvent, Malformed, ShellEvent } from './event.ts';
import { isWrapped, type WrapOptions, wrapCommand } from './wrap-command.ts';

export interface HookContext {
  /** Words that start this program from any directory: an absolute path, or an interpreter and a path. */
  readonly program: readonly string[];
  /** Let the agent's own prompt appear for each command instead of allowing it. */
  readonly ask: boolean;
  /** The session that a command in `cwd` belongs to; undefined when there is none. */
  readonly findSession: (cwd: string) => HookSession | undefined;
}

export interface HookSession {
  readonly project: string;
  /** Whether `yolofs run` finds it by itself in the command's directory. Otherwise it is named. */
  readonly isNearest: boolean;
}

/** Never throws because of what the event says. */
export function answerEvent(event: HookEvent | Malformed, context: HookContext): Answer {
  switch (event.kind) {
    case 'shell':
      return answerShell(event, context);
    case 'file':
      return answerFile(event, context);
    case 'malformed':
      return answerMalformed(event);
    case 'start':
    case 'done':
    case 'other':
      return { kind: 'pass' };
  }
}

function answerShell(event: ShellEvent, context: HookContext): Answer {
  const { command, cwd } = event;
  const session = context.findSession(cwd);
  if (session === undefined) {
    return { kind: 'pass', loud: `yolofs: no session in ${cwd} or above it: commands there run on the real files` };
  }
  const options: WrapOptions = {
    program: context.program,
    ...(session.isNearest ? {} : { session: session.project }),
  };
  if (isWrapped(command, options)) return { kind: 'pass' };
  return { kind: 'rewrite', command: wrapCommand(command, options), ask: context.ask || event.planning === true };
}

/** These tools write the real files, and do not see what commands have staged. */
function answerFile({ tool, cwd, paths }: FileEvent, context: HookContext): Answer {
  if (context.findSession(cwd) === undefined) return { kind: 'pass' };
  const what = paths.length === 0 ? '' : ` (${paths.join(', ').slice(0, 300)})`;
  return {
    kind: 'deny',
    reason:
      `yolofs: ${tool}${what} was not carried out. This session's file changes are staged, and only shell commands ` +
      'are: the same change made by a shell command (a heredoc, sed, a script) is staged and seen by later commands.',
  };
}

/** A call that cannot be understood must not run unstaged. */
function answerMalformed({ phase, why }: Malformed): Answer {
  if (phase === 'after') return { kind: 'pass', loud: `yolofs: this hook cannot tell what the call changed: ${why}` };
  return { kind: 'deny', reason: `yolofs: this hook cannot stage the call: ${why}` };
}
