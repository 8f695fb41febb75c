/** Which hook handlers in a configuration are ours, whatever path they name: `yolofs hook AGENT`. */
import { isObject } from './json-tree.ts';

/** The keys under which hosts have a command: a shell's text, or a program to be started as it is. */
const COMMAND_KEYS = ['command', 'bash', 'exec'];

// Our program by any path, or an interpreter and its main file; in quotes or not, but nothing else of a shell's.
const OWN = /^[^"|;&<>$`]*?(?:^|[/'])(?:yolofs|yolo|cli\/main\.js)'? +hook +[a-z]+(?: |$)/;

/** What a handler starts, as the text of a shell command; undefined when it starts none. */
export function commandOf(handler: unknown): string | undefined {
  if (!isObject(handler)) return undefined;
  const command = COMMAND_KEYS.map((key) => handler[key]).find((value) => typeof value === 'string');
  if (typeof command !== 'string') return undefined;
  const args = Array.isArray(handler.args) ? handler.args.filter((word) => typeof word === 'string') : [];
  return [command, ...args].join(' ');
}

/** Whether the handler starts a hook of ours. */
export function isOwnHandler(handler: unknown): boolean {
  const command = commandOf(handler);
  return command !== undefined && OWN.test(command);
}
