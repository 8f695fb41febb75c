/**
 * Gemini CLI (0.61.0): `BeforeTool` and `AfterTool`, told apart by `hook_event_name`. The new input is taken for the whole
 * one, so all of it is sent. An event carries no id of the call; the command that comes back in `AfterTool` is the
 * rewritten one.
 */
import { dirname } from 'node:path';
import type { Answer, HookEvent, Malformed } from '../event.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, directoryIn, type Fields, malformed, outputIn, parseFields, pathsIn } from './fields.ts';

const SHELL = 'run_shell_command';
const FILE_TOOLS: readonly unknown[] = ['write_file', 'replace'];

export const gemini: Dialect = { agent: 'gemini', projectVariable: 'GEMINI_PROJECT_DIR', parse, render };

function parse(input: string): HookEvent | Malformed {
  const fields = parseFields(input);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  const cwd = asText(fields.cwd);
  switch (fields.hook_event_name) {
    case 'BeforeTool':
      return cwd === undefined ? malformed('before', 'the event has no working directory') : parseBefore(fields, cwd);
    case 'AfterTool':
      return cwd === undefined ? malformed('after', 'the event has no working directory') : parseAfter(fields, cwd);
    case 'SessionStart':
      return cwd === undefined ? { kind: 'other' } : { kind: 'start', cwd };
    default:
      return typeof fields.hook_event_name === 'string'
        ? { kind: 'other' }
        : malformed('unknown', 'the event has no name');
  }
}

function parseBefore(fields: Fields, cwd: string): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return malformed('before', 'the event names no tool');
  const input = asFields(fields.tool_input);
  if (FILE_TOOLS.includes(tool)) {
    const paths = pathsIn(cwd, input, ['file_path']);
    const isOwn = paths.length > 0 && paths.every((path) => isState(path, fields));
    return isOwn ? { kind: 'other' } : { kind: 'file', cwd, tool, paths };
  }
  if (tool !== SHELL) return { kind: 'other' };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  const session = asText(fields.session_id);
  return { kind: 'shell', tool, command, input, cwd: directoryIn(cwd, input.dir_path), ...(session && { session }) };
}

/** Whether Gemini CLI keeps plans and notes of this project there: the directory that has its transcripts in `chats`. */
function isState(path: string, { transcript_path: transcript }: Fields): boolean {
  if (typeof transcript !== 'string') return false;
  const own = dirname(dirname(transcript));
  return /\/\.gemini\/tmp\/[^/]+$/.test(own) && path.startsWith(`${own}/`);
}

function parseAfter(fields: Fields, cwd: string): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return malformed('after', 'the event names no tool');
  const input = asFields(fields.tool_input);
  const command = asText(input?.command);
  const session = asText(fields.session_id);
  const isShell = tool === SHELL;
  return {
    kind: 'done',
    calls: [
      {
        ...{ tool, isShell, background: input?.is_background === true, ...outputIn(fields.tool_response) },
        ...(isShell && command && { command }),
      },
    ],
    cwd: isShell ? directoryIn(cwd, input?.dir_path) : cwd,
    failed: Boolean(asFields(fields.tool_response)?.error),
    ...(session && { session }),
  };
}

function render(event: HookEvent | Malformed, answer: Answer): Rendered {
  return { stdout: JSON.stringify(bodyOf(event, answer)), exit: 0 };
}

function bodyOf(event: HookEvent | Malformed, answer: Answer): Fields {
  switch (answer.kind) {
    case 'deny':
      return { decision: 'deny', reason: answer.reason };
    case 'rewrite':
      return event.kind === 'shell' ? rewritten(event.input, answer.command, answer.ask) : {};
    case 'tell':
      return told(event, answer.text, answer.loud);
    case 'pass':
      return answer.loud === undefined ? {} : { systemMessage: answer.loud };
  }
}

/** `ask` has Gemini CLI ask the person; `allow` grants nothing: its own policy comes after the hook. */
function rewritten(input: Fields, command: string, ask: boolean): Fields {
  const hookSpecificOutput = { hookEventName: 'BeforeTool', tool_input: { ...input, command } };
  return { decision: ask ? 'ask' : 'allow', hookSpecificOutput };
}

/** Before a call there is no way to the model, only one to the person. */
function told(event: HookEvent | Malformed, text: string, loud: string | undefined): Fields {
  const hookEventName = event.kind === 'done' ? 'AfterTool' : event.kind === 'start' ? 'SessionStart' : undefined;
  const toModel =
    hookEventName === undefined || text === ''
      ? {}
      : { hookSpecificOutput: { hookEventName, additionalContext: text } };
  return { ...(loud && { systemMessage: loud }), ...toModel };
}
