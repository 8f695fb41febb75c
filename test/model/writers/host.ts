/** What somebody does to a file on the host. */
import * as fs from 'node:fs';
import type { Random } from '../../random/random.ts';

/** Text of which each piece can be told from every other: letters of the writer, and a number. */
export class Patterns {
  readonly #random: Random;
  #last = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A pattern of its own of this length, up to the length of a number shorter than that of another. */
  of(writer: 'H' | 'v', length: number): string {
    const tag = `${writer}${(++this.#last).toString(36)}.`;
    return tag.repeat(Math.ceil(length / tag.length)).slice(0, Math.max(length, tag.length));
  }

  /** Lengths in and about one, two and three pages. */
  length(): number {
    return this.#random.pick([9, 200, 4095, 4096, 4200, 8192, 9000]);
  }
}

/** In place, and never through nothing: whoever has it mapped would get a SIGBUS, natively too. */
function rewrite(path: string, content: string): void {
  const fd = fs.openSync(path, 'r+');
  fs.writeSync(fd, content, 0, 'latin1');
  fs.ftruncateSync(fd, content.length);
  fs.closeSync(fd);
}

function replace(path: string, content: string): void {
  fs.writeFileSync(`${path}.new`, content, 'latin1');
  fs.renameSync(`${path}.new`, path);
}

/** Edits by the words of the issue; returns what is there then. */
export const HOST_EDITS = {
  rewritten: (path, _was, text) => rewrite(path, text),
  'rewritten as long': (path, was, text) => rewrite(path, text.padEnd(was.length, '=').slice(0, was.length)),
  'edited, and its time set back': (path, was, text) => {
    const { atime, mtime } = fs.statSync(path);
    rewrite(path, text.padEnd(was.length, '=').slice(0, was.length));
    fs.utimesSync(path, atime, mtime);
  },
  appended: (path, _was, text) => fs.appendFileSync(path, text, 'latin1'),
  'renamed over': (path, _was, text) => replace(path, text),
  touched: (path) => fs.utimesSync(path, new Date(), new Date()),
  truncated: (path, was) => fs.truncateSync(path, Math.ceil(was.length / 2)),
  removed: (path) => fs.unlinkSync(path),
  'removed and made again': (path, _was, text) => {
    fs.unlinkSync(path);
    fs.writeFileSync(path, text, 'latin1');
  },
} satisfies Record<string, (path: string, was: string, text: string) => void>;

export function readIf(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether both names are of one file. */
export function isOne(dir: string): boolean {
  const [f, g] = ['f', 'g'].map((name) => fs.statSync(`${dir}/${name}`, { throwIfNoEntry: false })?.ino);
  return f !== undefined && f === g;
}
