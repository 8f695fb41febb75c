/**
 * Claude Code (2.1): events are told apart by `hook_event_name`. `updatedInput` replaces the tool's whole input, so all of
 * it is sent, and a decision goes with it, or some versions ignore the new input.
 */
import { basename, join, normalize } from 'node:path';
import { homeDirectory } from '../../sys/host/home.ts';
import { SHELL_PREFIX_NAME } from '../claude-frame.ts';
import type { Answer, DoneCall, FileEvent, HookEvent, Malformed } from '../event.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, type Fields, malformed, outputIn, parseFields, pathsIn } from './fields.ts';

/** Tools whose input has a shell command. */
const SHELL_TOOLS: readonly string[] = ['Bash', 'Monitor'];
/** Runs commands of a language that is not the shell's: cannot be wrapped. */
const FOREIGN_SHELL = 'PowerShell';
const FILE_TOOLS: readonly string[] = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];
/** A call that was denied has neither; in `PostToolBatch` it looks like one that ran. */
const DONE_EVENTS: readonly string[] = ['PostToolUse', 'PostToolUseFailure'];

export const claude: Dialect = {
  agent: 'claude',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  // One prefix for all of them: what was rewritten as well would be staged twice, which cannot be.
  runsInView: (tool, env = process.env) =>
    SHELL_TOOLS.includes(tool) && basename(env.CLAUDE_CODE_SHELL_PREFIX ?? '') === SHELL_PREFIX_NAME,
  parse,
  render,
};

function parse(input: string, env = process.env): HookEvent | Malformed {
  const fields = parseFields(input);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  const name = asText(fields.hook_event_name);
  if (name === undefined) return malformed('unknown', 'the event has no name');
  const event = parseNamed(name, fields, env);
  return { ...event, name };
}

function parseNamed(name: string, fields: Fields, env: NodeJS.ProcessEnv): HookEvent | Malformed {
  const cwd = asText(fields.cwd);
  if (name === 'PreToolUse') return parseBefore(fields, cwd, env);
  if (DONE_EVENTS.includes(name)) {
    return cwd === undefined ? malformed('after', 'the event has no working directory') : parseDone(fields, cwd, name);
  }
  return name === 'SessionStart' && cwd !== undefined ? { kind: 'start', cwd } : { kind: 'other' };
}

function parseBefore(fields: Fields, cwd: string | undefined, env: NodeJS.ProcessEnv): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return malformed('before', 'the event names no tool');
  const isShell = SHELL_TOOLS.includes(tool);
  if (!isShell && !FILE_TOOLS.includes(tool) && tool !== FOREIGN_SHELL) return { kind: 'other' };
  if (cwd === undefined) return malformed('before', 'the event has no working directory');
  const common = { cwd, tool, ...optional('call', fields.tool_use_id) };
  const input = asFields(fields.tool_input);
  if (!isShell) {
    const event = { ...common, kind: 'file' as const, paths: writtenPaths(input, cwd) };
    return isOwnFile(event, fields, env) ? { kind: 'other' } : event;
  }
  if (tool === 'Monitor' && input !== undefined && input.command === undefined) return { kind: 'other' };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  const planning = fields.permission_mode === 'plan';
  // Subagents and what runs in the background start where the session was, ever anew.
  const keepsDirectory = tool === 'Bash' && input.run_in_background !== true && fields.agent_id === undefined;
  return {
    ...common,
    kind: 'shell',
    command,
    input,
    planning,
    keepsDirectory,
    ...optional('session', fields.session_id),
  };
}

function isOwnFile({ paths }: FileEvent, fields: Fields, env: NodeJS.ProcessEnv): boolean {
  return paths.length > 0 && paths.every((path) => isOwn(path, fields, env));
}

function writtenPaths(input: Fields | undefined, cwd: string): string[] {
  return pathsIn(cwd, input, ['file_path', 'notebook_path']);
}

/** Whether Claude Code keeps its own notes there (plans, memory, scratchpad): its state, and no part of anybody's project. */
function isOwn(path: string, fields: Fields, env: NodeJS.ProcessEnv): boolean {
  const home = env.CLAUDE_CONFIG_DIR || join(homeDirectory(env), '.claude');
  const scratchpad = asText(fields.scratchpad_dir);
  if (scratchpad !== undefined && isBelow(path, scratchpad)) return true;
  if (isBelow(path, join(home, 'plans'))) return true;
  const projects = join(home, 'projects');
  return isBelow(path, projects) && path.slice(projects.length + 1).split('/')[1] === 'memory';
}

function isBelow(path: string, directory: string): boolean {
  return directory.startsWith('/') && path.startsWith(`${normalize(directory)}/`);
}

function parseDone(fields: Fields, cwd: string, name: string): HookEvent {
  return {
    kind: 'done',
    calls: doneCall(fields),
    cwd,
    failed: name === 'PostToolUseFailure',
    ...optional('session', fields.session_id),
  };
}

function doneCall(fields: Fields): DoneCall[] {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return [];
  const { command, run_in_background } = asFields(fields.tool_input) ?? {};
  const isShell = SHELL_TOOLS.includes(tool);
  const background = run_in_background === true || tool === 'Monitor';
  const output = outputIn(fields.tool_response ?? fields.error);
  return [
    { tool, isShell, background, ...output, ...optional('call', fields.tool_use_id), ...optional('command', command) },
  ];
}

function optional<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { [K in Key]?: string }) : {};
}

function render(event: HookEvent | Malformed, answer: Answer): Rendered {
  return { stdout: JSON.stringify(answerJson(event, answer)), exit: 0 };
}

function answerJson(event: HookEvent | Malformed, answer: Answer): object {
  switch (answer.kind) {
    case 'pass':
      return answer.loud === undefined ? {} : { systemMessage: answer.loud };
    case 'deny':
      return decision('deny', answer.reason);
    case 'rewrite':
      return event.kind === 'shell'
        ? decision(answer.ask ? 'ask' : 'allow', 'staged by yolofs', { ...event.input, command: answer.command })
        : {};
    case 'tell':
      return {
        ...(answer.loud === undefined ? {} : { systemMessage: answer.loud }),
        ...(event.name === undefined ? {} : context(event.name, answer.text)),
      };
  }
}

function decision(permissionDecision: string, permissionDecisionReason: string, updatedInput?: object): object {
  const output = { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason };
  return { hookSpecificOutput: updatedInput === undefined ? output : { ...output, updatedInput } };
}

function context(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}
