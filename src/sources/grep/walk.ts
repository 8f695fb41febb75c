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

  *#directory(path: string, above: readonly string[]): Generator<Step, void> {
    const entries = this.#files.list(path);
    if (typeof entries === 'number') {
      yield { kind: 'failure', name: this.#nameOf(path), why: errnoText(entries) };
      return;
    }
    const prefix = path.endsWith('/') ? path : `${path}/`;
    const { files, narrowing, isOnlyOfMatches } = this.#filters;
    const mayMatch = narrowing?.(path);
    for (const { name, kind } of entries) {
      // Most of them are files: no generator is made for each.
      if (kind !== 'file') {
        yield* this.#entry({ path: prefix + name, name, kind }, above);
        continue;
      }
      const may = mayMatch?.(name) ?? true;
      if ((may === false && isOnlyOfMatches) || files.leavesOut(name, false)) continue;
      yield { kind, path: prefix + name, name: this.#nameOf(prefix + name), may };
    }
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

  *#entry(entry: { path: string; name: string; kind: FileKind }, above: readonly string[]): Generator<Step, void> {
    const { path } = entry;
    const { followLinks, devices } = this.#options;
    if (entry.kind === 'symlink' && !followLinks) return;
    const isLink = entry.kind === 'symlink';
    const found = isLink || (followLinks && entry.kind === 'directory') ? this.#files.find(path, true) : undefined;
    const kind = typeof found === 'object' ? found.kind : entry.kind;
    const filter = kind === 'directory' ? this.#filters.directories : this.#filters.files;
    if (filter.leavesOut(entry.name, false)) return;
    const name = this.#nameOf(path);
    if (typeof found === 'number') yield { kind: 'failure', name, why: errnoText(found) };
    else if (kind === 'file') yield { kind, path, name, may: true };
    else if (kind === 'device') {
      if (devices === 'read' || (devices === 'default' && followLinks)) yield { kind: 'file', path, name, may: true };
    } else if (found !== undefined && above.includes(found.identity)) {
      const text = `${name}: warning: recursive directory loop`;
      if (!this.#options.noMessages) yield { kind: 'warning', text };
    } else if (isLink || !this.#isBarren(path))
      yield* this.#directory(path, found === undefined ? above : [...above, found.identity]);
  }

  #nameOf(path: string): string {
    return this.#isImplied && path.startsWith('./') ? path.slice(2) : path;
  }
}

/** Of slashes at the end one is left. */
function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/, (slashes) => (slashes.length > 0 ? '/' : ''));
}
