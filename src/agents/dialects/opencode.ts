/**
 * OpenCode V1 (1.18.33). Its hooks are functions of a plugin; ours asks this program, in a dialect of our own. In goes
 * `{"phase": "before"|"after", "tool", "sessionID", "callID", "args", "directory"}`, out comes one of
 *
 *     {}    { "args": {…} }, to be put into the call's arguments in place    { "deny": TEXT }, to be thrown
 *     { "append": TEXT }, for the end of the output, which the model reads
 */
import type { Answer, HookEvent, Malformed } from '../event.ts';
import type { Dialect, Rendered } from './dialect.ts';
import { asFields, asText, directoryIn, type Fields, malformed, parseFields, pathsIn } from './fields.ts';

const SHELL = 'bash';
const FILE_TOOLS: readonly string[] = ['write', 'edit', 'multiedit', 'patch', 'apply_patch'];

export const opencode: Dialect = { agent: 'opencode', parse, render };

function parse(text: string): HookEvent | Malformed {
  const fields = parseFields(text);
  if (fields === undefined) return malformed('unknown', 'its input is not a JSON object');
  const { phase } = fields;
  if (phase !== 'before' && phase !== 'after') return malformed('unknown', 'the event has no phase');
  const [tool, cwd] = [asText(fields.tool), asText(fields.directory)];
  if (tool === undefined) return malformed(phase, 'the event names no tool');
  if (cwd === undefined) return malformed(phase, 'the event has no working directory');
  const input = asFields(fields.args);
  const [call, session] = [asText(fields.callID), asText(fields.sessionID)];
  const ids = { ...(call && { call }), ...(session && { session }) };
  return phase === 'before' ? beforeCall(tool, cwd, { input, ids }) : afterCall(tool, cwd, { input, ids });
}

interface Details {
  readonly input: Fields | undefined;
  readonly ids: { readonly call?: string; readonly session?: string };
}

function beforeCall(tool: string, cwd: string, { input, ids }: Details): HookEvent | Malformed {
  if (FILE_TOOLS.includes(tool)) return { kind: 'file', ...ids, tool, cwd, paths: pathsIn(cwd, input, ['filePath']) };
  if (tool !== SHELL) return { kind: 'other' };
  const command = asText(input?.command);
  if (input === undefined || command === undefined) return malformed('before', 'the event has no command');
  return { kind: 'shell', ...ids, tool, command, input, cwd: directoryIn(cwd, input.workdir) };
}

function afterCall(tool: string, cwd: string, { input, ids: { call, session } }: Details): HookEvent {
  const isShell = tool === SHELL;
  const command = asText(input?.command);
  return {
    kind: 'done',
    calls: [{ tool, isShell, ...(call && { call }), ...(isShell && command !== undefined && { command }) }],
    cwd: isShell ? directoryIn(cwd, input?.workdir) : cwd,
    failed: false,
    ...(session && { session }),
  };
}

function render(event: HookEvent | Malformed, answer: Answer): Rendered {
  return { stdout: JSON.stringify(bodyOf(event, answer)), exit: 0 };
}

function bodyOf(event: HookEvent | Malformed, answer: Answer): Fields {
  switch (answer.kind) {
    case 'deny':
      return { deny: answer.reason };
    case 'rewrite':
      return event.kind === 'shell' ? { args: { ...event.input, command: answer.command } } : {};
    case 'tell':
      return event.kind === 'done' ? { append: textOf(answer) } : {};
    default:
      return {};
  }
}

function textOf(answer: Answer & { kind: 'tell' }): string {
  return [answer.loud, answer.text].filter((text) => text !== undefined && text !== '').join('\n');
}
