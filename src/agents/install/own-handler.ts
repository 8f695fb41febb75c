/** Which hook handlers in a configuration are ours, whatever path they name: `yolofs hook AGENT`. */
import { unquoteWord } from '../shell-quote.ts';
import { isObject } from './json-tree.ts';

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

function programOf(words: readonly string[]): readonly string[] | undefined {
  const hook = words.indexOf('hook');
  return hook > 0 && words[hook + 1] !== undefined ? words.slice(0, hook) : undefined;
}

function programIn(text: string): readonly string[] | undefined {
  const words = SHELL.exec(text)?.[1]?.match(new RegExp(WORD, 'g'));
  return words?.map((word) => unquoteWord(word) ?? word);
}
