/** The files that a command line means, in grep's order, and what is wrong with some of them. */
import type { Errno } from '../../sys/errno.ts';
import type { Options } from './command-line/options.ts';
import type { FileAccess, FileKind, MayMatch, Narrowing } from './file-access.ts';
import type { NameFilter } from './globs.ts';
import { errnoText } from './messages.ts';

export interface FileStep {
  readonly kind: 'file';
  readonly path: string;
  /** What is printed for it. */
  readonly name: string;
  readonly may: MayMatch;
}

/** Something of the walk, in its place. */
export type Step =
  | FileStep
  /** The file is there, and has no content that could be read. */
  | { readonly kind: 'unreadable'; readonly name: string; readonly errno: Errno }
  | { readonly kind: 'failure'; readonly name: string; readonly why: string }
  /** Not a failure that counts. */
  | { readonly kind: 'warning'; readonly text: string }
  /** The first operand turned out to be a directory, or not. */
  | { readonly kind: 'operand'; readonly isDirectory: boolean };

const EISDIR = 21 as Errno;

interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** A directory of which the entries from `next` on have not been looked at. */
interface OpenDirectory {
  readonly kind: 'directory';
  readonly prefix: string;
  readonly entries: readonly DirectoryEntry[];
  next: number;
  /** What it lies in, where links are followed. */
  readonly above: readonly string[];
  readonly mayMatch: ReturnType<Narrowing>;
}

/** What an entry comes to: something to tell, a directory to go into, or nothing. */
type Found = Step | OpenDirectory | undefined;

export interface Filters {
  readonly files: NameFilter;
  readonly directories: NameFilter;
  /** Undefined: nothing is known of any file. */
  readonly narrowing: Narrowing | undefined;
  /** Of files that cannot match nothing is said. */
  readonly isOnlyOfMatches: boolean;
}

export class Walk {
  readonly #files: FileAccess;
  readonly #options: Options;
  readonly #filters: Filters;
  /** No operand was given: names are told without the './' that stands for it. */
  readonly #isImplied: boolean;

  constructor(files: FileAccess, options: Options, filters: Filters) {
    this.#files = files;
    this.#options = options;
    this.#filters = filters;
    this.#isImplied = options.operands.length === 0;
  }

  /** All that is below the operands. */
  *steps(operands: readonly string[]): Generator<Step, void> {
    for (const operand of operands) yield* this.#operand(operand);
  }

  *#operand(path: string): Generator<Step, void> {
    if (path === '-') {
      yield { kind: 'operand', isDirectory: false };
      yield { kind: 'file', path, name: this.#options.label, may: true };
      return;
    }
    const found = this.#files.find(path, true);
    if (typeof found === 'number') {
      yield { kind: 'failure', name: path, why: errnoText(found) };
      return;
    }
    const isDirectory = found.kind === 'directory';
    const { directories, devices } = this.#options;
    if (found.kind === 'device' && devices === 'skip') return;
    if (this.#isLeftOut(path, isDirectory)) return;
    yield { kind: 'operand', isDirectory };
    if (!isDirectory) yield { kind: 'file', path, name: path, may: this.#mayMatch(path) };
    else if (directories === 'recurse') yield* this.#directory(trimmed(path), [found.identity]);
    else yield { kind: 'unreadable', name: path, errno: EISDIR };
  }

  #isLeftOut(path: string, isDirectory: boolean): boolean {
    if (!isDirectory) return this.#filters.files.leavesOut(path, true);
    if (this.#options.directories === 'skip') return true;
    return !this.#isImplied && this.#filters.directories.leavesOut(path, true);
  }

  /** Without recursion: a path has up to two thousand directories. */
  *#directory(top: string, identities: readonly string[]): Generator<Step, void> {
    const outermost = this.#open(top, identities);
    const stack: OpenDirectory[] = [];
    for (let found: Found = outermost; ; ) {
      if (found?.kind === 'directory') stack.push(found);
      else if (found !== undefined) yield found;
      const dir = stack.at(-1);
      if (dir === undefined) return;
      const entry = dir.entries[dir.next];
      dir.next += 1;
      if (entry === undefined) stack.pop();
      found = entry === undefined ? undefined : this.#entry(dir, entry);
    }
  }

  #open(path: string, above: readonly string[]): Found {
    const entries = this.#files.list(path);
    if (typeof entries === 'number') return { kind: 'failure', name: this.#nameOf(path), why: errnoText(entries) };
    const prefix = path.endsWith('/') ? path : `${path}/`;
    return { kind: 'directory', prefix, entries, next: 0, above, mayMatch: this.#filters.narrowing?.(path) };
  }

  #mayMatch(path: string): MayMatch {
    const slash = path.lastIndexOf('/');
    const directory = slash < 0 ? '.' : path.slice(0, slash + 1);
    return this.#filters.narrowing?.(directory)?.(path.slice(slash + 1)) ?? true;
  }

  /** Whether nothing is said of it, whatever is in it. */
  #isBarren(directory: string): boolean {
    return this.#filters.isOnlyOfMatches && this.#files.isBarren?.(directory) === true;
  }

  #entry(dir: OpenDirectory, entry: DirectoryEntry): Found {
    if (entry.kind === 'file') return this.#file(dir, entry.name);
    const { followLinks, devices, noMessages } = this.#options;
    const isLink = entry.kind === 'symlink';
    if (isLink && !followLinks) return undefined;
    const path = dir.prefix + entry.name;
    const found = isLink || (followLinks && entry.kind === 'directory') ? this.#files.find(path, true) : undefined;
    const kind = typeof found === 'object' ? found.kind : entry.kind;
    const filter = kind === 'directory' ? this.#filters.directories : this.#filters.files;
    if (filter.leavesOut(entry.name, false)) return undefined;
    const name = this.#nameOf(path);
    if (typeof found === 'number') return { kind: 'failure', name, why: errnoText(found) };
    if (kind === 'file') return { kind, path, name, may: true };
    if (kind === 'device') {
      const isRead = devices === 'read' || (devices === 'default' && followLinks);
      return isRead ? { kind: 'file', path, name, may: true } : undefined;
    }
    if (found !== undefined && dir.above.includes(found.identity)) {
      return noMessages ? undefined : { kind: 'warning', text: `${name}: warning: recursive directory loop` };
    }
    if (!isLink && this.#isBarren(path)) return undefined;
    return this.#open(path, found === undefined ? dir.above : [...dir.above, found.identity]);
  }

  #file({ prefix, mayMatch }: OpenDirectory, name: string): FileStep | undefined {
    const may = mayMatch?.(name) ?? true;
    const { files, isOnlyOfMatches } = this.#filters;
    if ((may === false && isOnlyOfMatches) || files.leavesOut(name, false)) return undefined;
    return { kind: 'file', path: prefix + name, name: this.#nameOf(prefix + name), may };
  }

  #nameOf(path: string): string {
    return this.#isImplied && path.startsWith('./') ? path.slice(2) : path;
  }
}

/** Of slashes at the end one is left. */
function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/, (slashes) => (slashes.length > 0 ? '/' : ''));
}
