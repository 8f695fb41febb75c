/**
 * Claude Code's PreToolUse hook: a shell command is answered with itself, wrapped in `yolofs run`.
 *
 * The command becomes ONE single-quoted argument. A prefix would not do: in `a && b > c` the shell outside the
 * view would run `b` and open `c`. `updatedInput` replaces the tool's whole input, so every other field is
 * kept. A decision must go with it, or some versions ignore the new input.
 */
import { isCommandFile, writeCommandFile } from './command-file.ts';
import { quoteWord, unquoteWord } from './shell-quote.ts';

/** Linux takes 128 KiB in one argument, and the agent's shell quotes the text once more. */
const LONGEST_INLINE = 100 * 1024;

export interface ClaudeContext {
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

type Json = Record<string, unknown>;

/** What to print for one event; undefined = nothing, which leaves the tool call as it is. Never throws on any input. */
export function answerClaude(input: string, context: ClaudeContext): Json | undefined {
  const event = parseObject(input);
  if (event === undefined) return deny('its input is not a JSON object');
  if (event.hook_event_name !== 'PreToolUse' || event.tool_name !== 'Bash') return undefined;
  const { tool_input: tool, cwd } = event;
  if (!isObject(tool) || typeof tool.command !== 'string') return deny('the event has no command');
  if (typeof cwd !== 'string') return deny('the event has no working directory');
  return answerBash(tool, tool.command, cwd, event.permission_mode === 'plan', context);
}

function answerBash(
  tool: Json,
  command: string,
  cwd: string,
  planning: boolean,
  context: ClaudeContext,
): Json | undefined {
  const session = context.findSession(cwd);
  if (session === undefined) {
    return { systemMessage: `yolofs: no session in ${cwd} or above it: commands there run on the real files` };
  }
  const prefix = runPrefix(context.program, session);
  if (isWrapped(command, prefix)) return undefined;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: context.ask || planning ? 'ask' : 'allow',
      permissionDecisionReason: 'staged by yolofs',
      updatedInput: { ...tool, command: wrap(command, prefix) },
    },
  };
}

function runPrefix(program: readonly string[], session: HookSession): string {
  const named = session.isNearest ? '' : `--session ${quoteWord(session.project)} `;
  return `${program.map(quoteWord).join(' ')} run ${named}`;
}

/** The command as an argument of `yolofs run`, in a file when it is long. */
function wrap(command: string, prefix: string): string {
  const quoted = quoteWord(command);
  if (Buffer.byteLength(quoted) <= LONGEST_INLINE) return `${prefix}-c ${quoted}`;
  return `${prefix}--command-file ${quoteWord(writeCommandFile(command))}`;
}

/**
 * Whether the whole text is exactly what `wrap` makes. It does not matter who wrote it: such a text runs its
 * command in the view and nothing outside of it. A mere prefix proves nothing and is wrapped like any command.
 */
function isWrapped(command: string, prefix: string): boolean {
  const [inline, inFile] = [`${prefix}-c `, `${prefix}--command-file `];
  if (command.startsWith(inline)) return unquoteWord(command.slice(inline.length)) !== undefined;
  if (!command.startsWith(inFile)) return false;
  const path = unquoteWord(command.slice(inFile.length));
  return path !== undefined && isCommandFile(path);
}

/** An event that cannot be understood must not run unstaged. */
function deny(why: string): Json {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: `yolofs: this hook cannot stage the call: ${why}`,
    },
  };
}

function parseObject(text: string): Json | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
