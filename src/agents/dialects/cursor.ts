/**
 * Cursor: `preToolUse` and `postToolUse`, told apart by `hook_event_name`. From its documentation and from what others have
 * captured; not tried with the real program, which is not on npm. `beforeShellExecution` cannot change a command and is
 * left alone.
 */
import type { Answer, HookEvent, Malformed } from '../event.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, directoryIn, type Fields, malformed, parseFields, pathsIn } from './fields.ts';

const SHELL = 'Shell';
const FILE_TOOLS: readonly string[] = ['Write', 'Delete', 'Edit', 'StrReplace', 'EditNotebook'];
/** Nobody has written down how the file tools call their file. */
const PATH_FIELDS = ['file_path', 'path', 'target_file', 'target_notebook'];

export const cursor: Dialect = { agent: 'cursor', isHeard: false, parse, render };

function parse(input: string): HookEvent | Malformed {
  const fields = parseFields(input);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  const name = asText(fields.hook_event_name);
  switch (name) {
    case undefined:
      return malformed('unknown', 'the event has no name');
    case 'preToolUse':
      return parseBefore(fields);
    case 'postToolUse':
    case 'postToolUseFailure':
      return parseAfter(fields, name === 'postToolUseFailure');
    case 'sessionStart': {
      const cwd = workingDirectory(fields);
      return cwd === undefined ? { kind: 'other' } : { kind: 'start', cwd };
    }
    default:
      return { kind: 'other' };
  }
}

function parseBefore(fields: Fields): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  const cwd = workingDirectory(fields);
  if (tool === undefined) return malformed('before', 'the event names no tool');
  if (cwd === undefined) return malformed('before', 'the event has no working directory');
  const input = asFields(fields.tool_input);
  const call = asText(fields.tool_use_id);
  const common = { tool, ...(call && { call }) };
  if (FILE_TOOLS.includes(tool)) return { kind: 'file', ...common, cwd, paths: pathsIn(cwd, input, PATH_FIELDS) };
  if (tool !== SHELL) return { kind: 'other' };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  const session = asText(fields.conversation_id);
  const place = directoryIn(cwd, input.working_directory);
  return { kind: 'shell', ...common, command, input, cwd: place, ...(session && { session }) };
}

function parseAfter(fields: Fields, failed: boolean): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  const cwd = workingDirectory(fields);
  if (tool === undefined) return malformed('after', 'the event names no tool');
  if (cwd === undefined) return malformed('after', 'the event has no working directory');
  const [call, session] = [asText(fields.tool_use_id), asText(fields.conversation_id)];
  const input = asFields(fields.tool_input);
  const command = asText(input?.command);
  const isShell = tool === SHELL;
  return {
    kind: 'done',
    calls: [{ tool, isShell, ...(call && { call }), ...(isShell && command !== undefined && { command }) }],
    cwd: isShell ? directoryIn(cwd, input?.working_directory) : cwd,
    failed,
    ...(session && { session }),
  };
}

/** The event's own, or the first root of the workspace: some events have only that. */
function workingDirectory(fields: Fields): string | undefined {
  const roots = Array.isArray(fields.workspace_roots) ? fields.workspace_roots : [];
  return asText(fields.cwd) || asText(roots[0]);
}

function render(event: HookEvent | Malformed, answer: Answer): Rendered {
  return { stdout: JSON.stringify(bodyOf(event, answer)), exit: 0 };
}

function bodyOf(event: HookEvent | Malformed, answer: Answer): Fields {
  switch (answer.kind) {
    case 'deny':
      return { permission: 'deny', user_message: answer.reason, agent_message: answer.reason };
    case 'rewrite':
      if (event.kind !== 'shell') return {};
      return { permission: answer.ask ? 'ask' : 'allow', updated_input: { ...event.input, command: answer.command } };
    case 'tell':
      return event.kind === 'done' || event.kind === 'start' ? { additional_context: textOf(answer) } : {};
    default:
      return {};
  }
}

function textOf(answer: Answer & { kind: 'tell' }): string {
  return [answer.loud, answer.text].filter((text) => text !== undefined && text !== '').join('\n');
}
