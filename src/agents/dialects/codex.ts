/**
 * OpenAI Codex (0.169): answers are checked against closed schemas, one unknown field voids the whole answer, and a void
 * answer lets the call pass. So nothing is said but what is known to be understood: README.md in hooks/codex.
 */
import { delimiter, join } from 'node:path';
import { isExecutable } from '../../sys/files/text-files.ts';
import type { Answer, HookEvent, Malformed } from '../event.ts';
import { quoteWord } from '../shell-quote.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, type Fields, malformed, outputIn, parseFields, pathsIn } from './fields.ts';

/** What Codex calls every shell tool it has, `exec_command` among them. */
const SHELL_TOOL = 'Bash';
/** `Edit` and `Write` are its aliases in matchers. */
const FILE_TOOLS: readonly string[] = ['apply_patch', 'Edit', 'Write'];
/** Events whose answer has a place for context. */
const CONTEXT_EVENTS: readonly string[] = ['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit'];
const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

export const codex: Dialect = { agent: 'codex', parse, render };

function parse(input: string): HookEvent | Malformed {
  const fields = parseFields(input);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  const name = asText(fields.hook_event_name);
  if (name === undefined) return malformed('unknown', 'the event has no name');
  return { ...parseNamed(name, fields), name };
}

function parseNamed(name: string, fields: Fields): HookEvent | Malformed {
  const cwd = asText(fields.cwd);
  if (name === 'PreToolUse') return parseBefore(fields, cwd);
  if (name === 'PostToolUse') return parseDone(fields, cwd);
  return name === 'SessionStart' && cwd !== undefined ? { kind: 'start', cwd } : { kind: 'other' };
}

function parseBefore(fields: Fields, cwd: string | undefined): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (tool === undefined) return malformed('before', 'the event names no tool');
  if (tool !== SHELL_TOOL && !FILE_TOOLS.includes(tool)) return { kind: 'other' };
  if (cwd === undefined) return malformed('before', 'the event has no working directory');
  const input = asFields(fields.tool_input);
  const common = { cwd, tool, ...optional('call', fields.tool_use_id) };
  if (tool !== SHELL_TOOL) return { ...common, kind: 'file', paths: patchedPaths(input, cwd) };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  return { ...common, kind: 'shell', command, input, ...optional('session', fields.session_id) };
}

/** The files that a patch names, which comes as the tool's `command`. */
function patchedPaths(input: Fields | undefined, cwd: string): string[] {
  const named = [...(asText(input?.command) ?? '').matchAll(PATCHED_FILE)].map(([, path]) => path ?? '');
  return named.flatMap((path) => pathsIn(cwd, { path }, ['path']));
}

/** Comes for failed commands, too, with no word that they failed; not for commands that still run. */
function parseDone(fields: Fields, cwd: string | undefined): HookEvent | Malformed {
  const tool = asText(fields.tool_name);
  if (cwd === undefined || tool === undefined) return malformed('after', 'the event names no tool or directory');
  const command = asText(asFields(fields.tool_input)?.command);
  const call = {
    tool,
    isShell: tool === SHELL_TOOL,
    ...outputIn(fields.tool_response),
    ...optional('call', fields.tool_use_id),
    ...optional('command', command && withoutPath(command)),
  };
  return { kind: 'done', calls: [call], cwd, failed: false, ...optional('session', fields.session_id) };
}

function optional<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { [K in Key]?: string }) : {};
}

function render(event: HookEvent | Malformed, answer: Answer, env = process.env): Rendered {
  return { stdout: JSON.stringify(answerJson(event, answer, patchDirectory(env))), exit: 0 };
}

/** `patch`: where Codex has its `apply_patch`. */
function answerJson(event: HookEvent | Malformed, answer: Answer, patch: string | undefined): object {
  switch (answer.kind) {
    case 'pass':
      return loudly(event, answer.loud);
    case 'deny':
      return isBefore(event) ? deny(event, answer.reason, patch) : {};
    case 'rewrite':
      // No question of our own: Codex has no such answer, and asks by its own policy after this one.
      return event.kind === 'shell'
        ? decide({
            permissionDecision: 'allow',
            updatedInput: { command: withPath(event.command, answer.command, patch) },
          })
        : {};
    case 'tell':
      return { ...loudly(event, answer.loud), ...context(event.name, answer.text) };
  }
}

/** What cannot be understood at all may be about a call. */
function isBefore({ kind, name }: HookEvent | Malformed): boolean {
  return name === 'PreToolUse' || (name === undefined && kind === 'malformed');
}

function deny(event: HookEvent | Malformed, reason: string, patch: string | undefined): object {
  const instead = event.kind === 'file' && patch !== undefined ? ' The command apply_patch works there.' : '';
  return decide({ permissionDecision: 'deny', permissionDecisionReason: reason + instead });
}

function decide(decision: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

function loudly(event: HookEvent | Malformed, systemMessage: string | undefined): object {
  return systemMessage === undefined || event.name === undefined ? {} : { systemMessage };
}

function context(hookEventName: string | undefined, additionalContext: string): object {
  if (hookEventName === undefined || !CONTEXT_EVENTS.includes(hookEventName)) return {};
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

/**
 * Codex carries out `apply_patch <<EOF` in a shell command by itself, but not when the command is wrapped: then it must be
 * a program. Codex has it in a directory that is in the path of its hooks, and in no shell's.
 */
function withPath(original: string, wrapped: string, patch: string | undefined): string {
  const isMeant = /\bapply_?patch\b/.test(original);
  return isMeant && patch !== undefined ? `PATH="$PATH":${quoteWord(patch)} ${wrapped}` : wrapped;
}

function patchDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const entries = (env.PATH ?? '').split(delimiter);
  return entries.find((entry) => /\/codex-arg0\w*$/.test(entry) && isExecutable(join(entry, 'apply_patch')));
}

/** The wrapped command behind what `withPath` may have put before it. */
function withoutPath(command: string): string {
  return command.replace(/^PATH="\$PATH":'[^']*' /, '');
}
