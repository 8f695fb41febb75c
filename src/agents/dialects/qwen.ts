/**
 * Qwen Code (0.15.10): events and answers are Claude Code's, tools and their inputs Gemini CLI's, of which it is a fork. What a hook says
 * before a call can only keep it from being made, not change it, so a command that would be rewritten is denied: it is to be wrapped.
 */
import type { Answer, HookEvent, Malformed } from '../event.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, directoryIn, type Fields, malformed, outputIn, parseFields, pathsIn } from './fields.ts';

const SHELL = 'run_shell_command';
const FILE_TOOLS: readonly unknown[] = ['write_file', 'edit'];
const WRAP = "Qwen Code runs commands in yolofs when the person starts it by 'yolofs wrap qwen'";

export const qwen: Dialect = { agent: 'qwen', projectVariable: 'QWEN_PROJECT_DIR', parse, render };

function parse(input: string): HookEvent | Malformed {
  const fields = parseFields(input);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  const name = asText(fields.hook_event_name);
  if (name === undefined) return malformed('unknown', 'the event has no name');
  return { ...parseNamed(name, fields, asText(fields.cwd)), name };
}

function parseNamed(name: string, fields: Fields, cwd: string | undefined): HookEvent | Malformed {
  switch (name) {
    case 'PreToolUse':
      return cwd === undefined ? malformed('before', 'the event has no working directory') : parseBefore(fields, cwd);
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return cwd === undefined
        ? malformed('after', 'the event has no working directory')
        : parseAfter(fields, cwd, name === 'PostToolUseFailure');
    case 'SessionStart':
      return cwd === undefined ? { kind: 'other' } : { kind: 'start', cwd };
    default:
      return { kind: 'other' };
  }
}

function parseBefore(fields: Fields, cwd: string): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return malformed('before', 'the event names no tool');
  const input = asFields(fields.tool_input);
  if (FILE_TOOLS.includes(tool)) return { kind: 'file', cwd, tool, paths: pathsIn(cwd, input, ['file_path']) };
  if (tool !== SHELL) return { kind: 'other' };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  return { kind: 'shell', tool, command, input, cwd: directoryIn(cwd, input.directory), ...ids(fields) };
}

function parseAfter(fields: Fields, cwd: string, failed: boolean): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return malformed('after', 'the event names no tool');
  const input = asFields(fields.tool_input);
  const command = asText(input?.command);
  const isShell = tool === SHELL;
  const { call, session } = ids(fields);
  const output = outputIn(fields.tool_response ?? fields.error);
  const background = input?.is_background === true;
  return {
    kind: 'done',
    calls: [{ tool, isShell, background, ...output, ...(call && { call }), ...(isShell && command && { command }) }],
    cwd: isShell ? directoryIn(cwd, input?.directory) : cwd,
    failed,
    ...(session && { session }),
  };
}

function ids(fields: Fields): { readonly call?: string; readonly session?: string } {
  const [call, session] = [asText(fields.tool_use_id), asText(fields.session_id)];
  return { ...(call && { call }), ...(session && { session }) };
}

function render(event: HookEvent | Malformed, answer: Answer): Rendered {
  return { stdout: JSON.stringify(bodyOf(event, answer)), exit: 0 };
}

function bodyOf(event: HookEvent | Malformed, answer: Answer): Fields {
  switch (answer.kind) {
    case 'deny':
      return denied(answer.reason);
    case 'rewrite':
      return event.kind === 'shell' ? denied(WRAP) : {};
    case 'tell':
      return { ...(answer.loud && { systemMessage: answer.loud }), ...told(event.name, answer.text) };
    case 'pass':
      return answer.loud === undefined ? {} : { systemMessage: answer.loud };
  }
}

function denied(permissionDecisionReason: string): Fields {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } };
}

function told(hookEventName: string | undefined, additionalContext: string): Fields {
  return hookEventName === undefined || additionalContext === ''
    ? {}
    : { hookSpecificOutput: { hookEventName, additionalContext } };
}
