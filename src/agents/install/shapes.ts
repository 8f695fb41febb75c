/** Pieces that several agents' configurations share. */
import { basename, dirname, join } from 'node:path';
import { isExecutable, realPath } from '../../sys/files/text-files.ts';
import { SHELL_PREFIX_NAME } from '../claude-frame.ts';
import { quoteWord } from '../shell-quote.ts';
import type { ProgramWords } from './description.ts';
import type { JsonObject } from './json-tree.ts';

/** Seconds. A hook answers in a tenth of one; the first of a session may have to start its daemon. */
export const TIMEOUT = 30;

/** The hook's command for hosts that give it to a shell. It must not change: Codex trusts it by its hash. */
export function shellHook(program: ProgramWords, agent: string): string {
  return [...program.map(shellWord), 'hook', agent].join(' ');
}

/** Seconds; below TIMEOUT, so that this end comes before the host's, which lets the call pass. */
const PATIENCE = 25;

/**
 * The hook before a call, for hosts that give it to a shell and let the call pass when it breaks: whatever goes wrong (no such
 * program, a crash, a signal, no answer in time, an answer that is no JSON) ends with exit code 2, which is their denial.
 */
export function guardedHook(program: ProgramWords, agent: string): string {
  const failure = "echo 'yolofs: its hook has failed, so this call was not carried out' >&2; exit 2";
  const hook = `timeout ${PATIENCE} ${shellHook(program, agent)}`;
  return `o=$(${hook}); case "$?$o" in '0{'*) printf '%s\\n' "$o";; *) ${failure};; esac`;
}

/** The hook for hosts that start a program without a shell: `[program, arguments]`. */
export function execHook(program: ProgramWords, agent: string): readonly [string, readonly string[]] {
  const [command = '', ...words] = program;
  return [command, [...words, 'hook', agent]];
}

/**
 * The value of `CLAUDE_CODE_SHELL_PREFIX`: the other name of the program, beside the link that it is started by. Undefined where
 * there is none that will last.
 */
export function shellPrefix([program = '', ...words]: ProgramWords): string | undefined {
  if (words.length > 0 || basename(program) === SHELL_PREFIX_NAME) return undefined;
  if (program === 'yolofs') return SHELL_PREFIX_NAME;
  const path = join(dirname(program), SHELL_PREFIX_NAME);
  return isExecutable(path) && realPath(path) === realPath(program) ? path : undefined;
}

/** The MCP server, in the shape that most hosts share. */
export function mcpServer(program: ProgramWords): { readonly command: string; readonly args: readonly string[] } {
  const [command = '', ...words] = program;
  return { command, args: [...words, 'mcp'] };
}

/** `{ "mcpServers": { "yolofs": … } }` */
export function mcpServers(program: ProgramWords, more: JsonObject = {}): JsonObject {
  return { mcpServers: { yolofs: { ...mcpServer(program), ...more } } };
}

/** Quoted where a shell would not take it as it is. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word);
}
