/** The one place that decides what a hook answers, for all agents. */

import { uniqueName } from '../sys/crypto-lazy.ts';
import { type CallState, digestOf, directoryFile, unaskedCall } from './calls.ts';
import type { Answer, DoneCall, DoneEvent, FileEvent, HookEvent, Malformed, ShellEvent } from './event.ts';
import { unwrapCommand, type WrapOptions, wrapCommand } from './wrap-command.ts';

export interface HookContext {
  /** Words that start this program from any directory: an absolute path, or an interpreter and a path. */
  readonly program: readonly string[];
  /** Let the agent's own prompt appear for each command instead of allowing it. */
  readonly ask: boolean;
  /** The session that a command in `cwd` belongs to; undefined when there is none. */
  readonly findSession: (cwd: string) => HookSession | undefined;
  /** Where it is noted what became of each call; without, nothing is told of them. */
  readonly calls?: CallBook;
  /** See `Dialect`. */
  readonly runsInView?: (tool: string, env?: NodeJS.ProcessEnv) => boolean;
  /** See `Dialect`. */
  readonly isHeard?: boolean;
  /** The hook's environment; this process's by default. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface CallBook {
  readonly note: (project: string, call: string, state: CallState) => void;
  readonly take: (project: string, call: string, patient: boolean) => CallState | undefined;
  readonly takeLeft: (project: string) => readonly string[];
  /** The beginning of what the command before a snapshot has printed. */
  readonly noteOutput: (project: string, generation: number, text: string) => void;
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
    case 'done':
      return answerDone(event, context);
    case 'start':
      return context.findSession(event.cwd) === undefined
        ? { kind: 'pass', loud: noSession(event.cwd) }
        : { kind: 'tell', text: AT_START };
    case 'other':
      return { kind: 'pass' };
  }
}

/** Facts for the model. */
const AT_START =
  'yolofs: in this session the file changes of shell commands are staged. Later shell commands see them; the real files ' +
  'change only when a person commits. Built-in tools that read files show the real files, without what is staged: cat and ' +
  "grep in the shell show it. In the shell 'yolofs status', 'yolofs diff' and 'yolofs log' show what is staged, and " +
  "'yolofs travel N' goes back to snapshot N.";

function noSession(cwd: string): string {
  return `yolofs: no session in ${cwd} or above it ('yolofs init' makes one): commands there run on the real files`;
}

function answerShell(event: ShellEvent, context: HookContext): Answer {
  const { command, cwd } = event;
  const session = context.findSession(cwd);
  // Said at the start of the agent's session, where it has a hook for that; hooks of a user are there in every directory.
  if (session === undefined) return { kind: 'pass' };
  const options = wrapOptions(session, context);
  if (unwrapCommand(command, options) !== undefined) return { kind: 'pass' };
  if (context.runsInView?.(event.tool, context.env) === true) return expectCall(event, session, context);
  const ask = context.ask || event.planning === true;
  if (context.calls === undefined) return { kind: 'rewrite', command: wrapCommand(command, options), ask };
  const call = callName(event.call ?? uniqueName());
  context.calls.note(session.project, call, { state: 'asked' });
  const wrap = event.keepsDirectory === true ? { ...options, call } : { ...options, call, directoryFile: undefined };
  return { kind: 'rewrite', command: wrapCommand(command, wrap), ask };
}

/** The agent's own rules and questions decide. What then runs will find by its text which call it is. */
function expectCall({ call, command }: ShellEvent, session: HookSession, { calls }: HookContext): Answer {
  if (call !== undefined) calls?.note(session.project, callName(call), { state: 'asked', digest: digestOf(command) });
  return { kind: 'pass' };
}

function wrapOptions(session: HookSession, { program, env, isHeard }: HookContext): WrapOptions {
  const directory = (call: string): string => directoryFile(session.project, call);
  const common = { program, directoryFile: directory, tellsAll: isHeard === false, ...(env && { env }) };
  return { ...common, ...(session.isNearest ? {} : { session: session.project }) };
}

/** An id that needs no quoting of its own, and cannot be taken for an option. */
function callName(id: string): string {
  return `c-${id.replaceAll(/[^\w-]/g, '_').slice(0, 90)}`;
}

function answerDone(event: DoneEvent, context: HookContext): Answer {
  const { calls } = context;
  const session = calls && context.findSession(event.cwd);
  if (calls === undefined || session === undefined) return { kind: 'pass' };
  const shell = event.calls.filter(({ isShell }) => isShell);
  const told = shell.map((call) => tellCall(call, { session, context, calls }));
  const text = [...told.map((one) => one.text).filter((one) => one !== ''), ...calls.takeLeft(session.project)];
  const loud = told.flatMap((one) => one.loud ?? []);
  if (text.length === 0) return { kind: 'pass' };
  return { kind: 'tell', text: text.join('\n'), ...(loud.length === 0 ? {} : { loud: loud.join('\n') }) };
}

interface Place {
  readonly session: HookSession;
  readonly context: HookContext;
  readonly calls: CallBook;
}

function tellCall(call: DoneCall, { session, context, calls }: Place): { text: string; loud?: string } {
  const made = call.command === undefined ? undefined : unwrapCommand(call.command, wrapOptions(session, context));
  const id = made?.call ?? (call.call === undefined ? undefined : callName(call.call));
  const known = id === undefined ? undefined : calls.take(session.project, id, call.background === true);
  const state = known ?? unasked(call, { session, context, calls });
  switch (state?.state) {
    case 'ended':
      if (state.generation !== undefined && call.output !== undefined)
        calls.noteOutput(session.project, state.generation, call.output);
      return { text: state.text };
    case 'started':
      return { text: 'yolofs: the command still runs; what it changes is staged' };
    case 'asked':
      return tripped(call);
    case undefined:
      return made === undefined ? tripped(call) : { text: '' };
  }
}

/** What the agent itself runs in the view is staged also when the hook before the call broke. */
function unasked({ tool, command }: DoneCall, { session, context, calls }: Place): CallState | undefined {
  if (command === undefined || context.runsInView?.(tool, context.env) !== true) return undefined;
  return calls.take(session.project, unaskedCall(digestOf(command)), false);
}

/** The agent has dropped what the hook before the call said, or that hook could not run. */
function tripped({ tool, command }: DoneCall): { text: string; loud: string } {
  const what = command === undefined ? '' : ` (${JSON.stringify(command.slice(0, 80))})`;
  const loud = `yolofs: WARNING: a ${tool} call${what} did not go through yolofs. If it ran, it changed the REAL files.`;
  return { text: `${loud} Nothing of it is staged, and 'yolofs travel' cannot take it back.`, loud };
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
