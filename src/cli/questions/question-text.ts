/** How a question looks to a person, and what answers there are. */
import type { ShownQuestion } from '../../daemon/protocol.ts';
import { type BytePath, label, splitPath } from '../../sys/bytes.ts';
import type { Paint } from '../text/terminal.ts';

/** What a person says. */
export interface Choice {
  readonly allow: boolean;
  readonly always?: BytePath;
}

export const CHOICES = '[o]nce, [a]lways, always for a [d]irectory above, [n]o, ne[v]er? ';

/** Three lines, with their ends. */
export function renderQuestion(question: ShownQuestion, paint: Paint): string {
  const { label: path, process, pid, command, rule } = question;
  const who = `${paint.bold(process === '' ? '?' : process)}[${pid}]`;
  const lines = [
    `${paint.yellow('yolofs asks:')} ${who} wants to ${verbOf(question)} ${paint.bold(path)}`,
    paint.dim(`  command  ${command === '' ? 'unknown' : command}`),
    paint.dim(`  rule     ${label(rule.pattern)} = ${rule.state} (${label(rule.place ?? wordsOf(rule.layer))})`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A title is cut by terminals somewhere. */
const LONGEST_TITLE = 200;
/** XTWINOPS: the window's title comes from and goes to a stack; terminals that have none leave it as it is. */
const TITLE_KEPT = '\x1b[22;2t';
export const TITLE_BACK = '\x1b[23;2t';
export const BELL = '\x07';

/** For a terminal that a program draws on: nothing on the screen moves. */
export function announcement({ label: path, process, ...question }: ShownQuestion): string {
  const what = `${process === '' ? '?' : process} wants to ${verbOf(question)} ${path}`;
  const title = `yolofs asks ('yolofs watch' answers): ${what}`.slice(0, LONGEST_TITLE);
  return `${TITLE_KEPT}\x1b]2;${title}\x1b\\${BELL}`;
}

/** What was asked, as a phrase: `create /home/ada/x`. */
function verbOf({ access, op }: Pick<ShownQuestion, 'access' | 'op'>): string {
  switch (op) {
    case 'open':
    case 'read':
    case 'write':
      return access === 'read' ? 'read' : 'write to';
    case 'unlink':
      return 'delete';
    case 'rmdir':
      return 'remove directory';
    case 'mkdir':
      return 'make directory';
    case 'symlink':
    case 'mknod':
      return 'create';
    case 'attributes':
      return 'change attributes of';
    default:
      return op;
  }
}

/** The directories above a path, the nearest first, without the root: what an answer can be for, too. */
export function directoriesAbove(path: BytePath): readonly BytePath[] {
  const above: BytePath[] = [];
  for (let at = splitPath(path); at !== undefined && at.dir !== '/'; at = splitPath(at.dir)) above.push(at.dir);
  return above;
}

/** The list to choose from, with its question. */
export function renderDirectories(directories: readonly BytePath[]): string {
  const lines = directories.map((dir, i) => `  ${i + 1}  ${label(dir)}\n`);
  return `${lines.join('')}number, or nothing to go back: `;
}

/** Undefined for anything that is no answer. */
export function choiceOf(word: string, path: BytePath): Choice | 'directory' | undefined {
  switch (word) {
    case 'o':
    case 'once':
    case 'y':
    case 'yes':
      return { allow: true };
    case 'a':
    case 'always':
      return { allow: true, always: path };
    case 'd':
    case 'directory':
      return 'directory';
    case 'n':
    case 'no':
      return { allow: false };
    case 'v':
    case 'never':
      return { allow: false, always: path };
    default:
      return undefined;
  }
}

function wordsOf(layer: string): string {
  return layer === 'default' ? 'built in' : layer === 'session' ? 'of this session' : layer;
}
