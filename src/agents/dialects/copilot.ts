/**
 * GitHub Copilot CLI (1.0.102), events named in camelCase. Such an event does not carry its name: before a call there is no
 * result, after one there is `toolResult` (also when the command failed) or `error`. It carries no id of the call
 * either; the arguments that come back afterwards are the rewritten ones. `toolArgs` is an object, in
 * some versions the JSON text of one. Without a decision the person's own approval stays in force.
 */
import type { Answer, HookEvent, Malformed } from '../event.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, type Fields, malformed, parseFields, pathsIn } from './fields.ts';

const SHELL = 'bash';
const FILE_TOOLS: readonly string[] = ['create', 'edit', 'str_replace_editor', 'apply_patch'];
/** What `str_replace_editor` does to a file that it only shows. */
const READS: readonly unknown[] = ['view'];

export const copilot: Dialect = { agent: 'copilot', parse, render };

function parse(input: string): HookEvent | Malformed {
  const fields = parseFields(input);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  if ('hook_event_name' in fields) {
    return malformed('unknown', 'its event is named in PascalCase in the hook configuration; camelCase is wanted');
  }
  const cwd = asText(fields.cwd);
  const tool = asText(fields.toolName);
  if (tool === undefined && typeof fields.source === 'string') {
    return cwd === undefined ? { kind: 'other' } : { kind: 'start', cwd };
  }
  const phase = 'toolResult' in fields || 'error' in fields ? 'after' : 'before';
  if (tool === undefined) return malformed(phase, 'the event names no tool');
  if (cwd === undefined) return malformed(phase, 'the event has no working directory');
  return phase === 'after' ? parseAfter(fields, tool, cwd) : parseBefore(fields, tool, cwd);
}

function parseBefore(fields: Fields, tool: string, cwd: string): HookEvent | Malformed {
  const input = argumentsOf(fields);
  if (FILE_TOOLS.includes(tool)) {
    if (READS.includes(input?.command)) return { kind: 'other' };
    return { kind: 'file', cwd, tool, paths: pathsIn(cwd, input, ['path']) };
  }
  if (tool !== SHELL) return { kind: 'other' };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  const session = asText(fields.sessionId);
  return { kind: 'shell', tool, command, input, cwd, ...(session && { session }) };
}

function parseAfter(fields: Fields, tool: string, cwd: string): HookEvent {
  const input = argumentsOf(fields);
  const command = asText(input?.command);
  const session = asText(fields.sessionId);
  const isShell = tool === SHELL;
  return {
    kind: 'done',
    calls: [{ tool, isShell, background: input?.mode === 'async', ...(isShell && command && { command }) }],
    cwd,
    failed: 'error' in fields,
    ...(session && { session }),
  };
}

function argumentsOf({ toolArgs }: Fields): Fields | undefined {
  return typeof toolArgs === 'string' ? parseFields(toolArgs) : asFields(toolArgs);
}

/** After a call that failed, Copilot takes plain text, and only with exit code 2. */
function render(event: HookEvent | Malformed, answer: Answer): Rendered {
  if (event.kind === 'done' && event.failed && answer.kind === 'tell') {
    return { stdout: textOf(answer), exit: 2 };
  }
  return { stdout: JSON.stringify(bodyOf(event, answer)), exit: 0 };
}

function bodyOf(event: HookEvent | Malformed, answer: Answer): Fields {
  switch (answer.kind) {
    case 'deny':
      return { permissionDecision: 'deny', permissionDecisionReason: answer.reason };
    case 'rewrite':
      if (event.kind !== 'shell') return {};
      return { ...(answer.ask && ASK), modifiedArgs: { ...event.input, command: answer.command } };
    case 'tell':
      return event.kind === 'done' || event.kind === 'start' ? { additionalContext: textOf(answer) } : {};
    default:
      return {};
  }
}

const ASK = { permissionDecision: 'ask', permissionDecisionReason: 'staged by yolofs' };

/** There is no way to the person alone: what is for them goes along. */
function textOf(answer: Answer & { kind: 'tell' }): string {
  return [answer.loud, answer.text].filter((text) => text !== undefined && text !== '').join('\n');
}
