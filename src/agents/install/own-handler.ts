/** What in a configuration is ours, whatever path it names: handlers that start `yolofs hook AGENT`, and our shell prefix. */
import { basename } from 'node:path';
import { SHELL_PREFIX_NAME } from '../claude-frame.ts';
import { unquoteWord } from '../shell-quote.ts';
import { isObject } from './json-tree.ts';

/** Claude Code's variable, among the `env` of its settings. */
export const SHELL_PREFIX = 'CLAUDE_CODE_SHELL_PREFIX';

/** The keys under which hosts have a command: a shell's text, or a program to be started as it is. */
const COMMAND_KEYS = ['command', 'bash', 'exec'];

const WORD = String.raw`(?:'[^']*(?:'\\''[^']*)*'|[\w@%+=:,./-]+)`;
// Our program, or an interpreter and our main file; perhaps within what has the shell fail when the hook does.
const SHELL = new RegExp(`^(?:o=\\$\\(timeout \\d+ )?(${WORD}(?: ${WORD})?) hook [a-z]+`);
const NAME = /(?:^|\/)(?:yolofs|yolo)$/;
const MAIN = /\/cli\/main\.js$/;

/** The words by which a handler of ours starts this program; undefined for a handler that is not ours. */
export function ownProgram(handler: unknown): readonly string[] | undefined {
  if (!isObject(handler)) return undefined;
  const command = COMMAND_KEYS.map((key) => handler[key]).find((value) => typeof value === 'string');
  if (typeof command !== 'string') return undefined;
  const words = Array.isArray(handler.args) ? programOf([command, ...handler.args.map(String)]) : programIn(command);
  const last = words?.at(-1) ?? '';
  return MAIN.test(last) || (words?.length === 1 && NAME.test(last)) ? words : undefined;
}

/** Whether the handler starts a hook of ours. */
export function isOwnHandler(handler: unknown): boolean {
  return ownProgram(handler) !== undefined;
}

/** Whether a value of `SHELL_PREFIX` leads to this program. */
export function isOwnPrefix(value: unknown): boolean {
  return typeof value === 'string' && basename(value) === SHELL_PREFIX_NAME;
}

function programOf(words: readonly string[]): readonly string[] | undefined {
  const hook = words.indexOf('hook');
  return hook > 0 && words[hook + 1] !== undefined ? words.slice(0, hook) : undefined;
}

function programIn(text: string): readonly string[] | undefined {
  const words = SHELL.exec(text)?.[1]?.match(new RegExp(WORD, 'g'));
  return words?.map((word) => unquoteWord(word) ?? word);
}
