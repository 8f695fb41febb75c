/**
 * Which contents of a mirror may be here, without a look at each file for each search. A content comes into a file by way of whoever has
 * fetched it, who says so before, or with another file in its place, which the directory shows by its ctime.
 */
import { isAwaited } from '../../staging/awaited/fetched.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { AT_FDCWD } from '../../sys/libc.ts';

/** What changes twice within a tick of the kernel's clock shows one ctime. */
const TICK_MS = 100;

export class Present {
  readonly #root: string;
  /** All that is here in the directories below, and perhaps some that is not. */
  readonly #maybe = new Set<string>();
  /** Directories whose files were looked at, with their ctimes then. */
  readonly #looked = new Map<string, number>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The content of a file is about to come. */
  comes(path: string): void {
    this.#maybe.add(path);
  }

  /** Looks at the files of a directory, all of which are given, unless nothing can have changed; returns whether it has. */
  lookIn(dir: string, files: readonly string[]): boolean {
    const changed = lookAt(dir === '' ? this.#root : `${this.#root}/${dir}`)?.ctimeMs ?? 0;
    if (this.#looked.get(dir) === changed) return false;
    const isPast = Date.now() - changed > TICK_MS;
    for (const path of files) if (!this.#isHole(path)) this.#maybe.add(path);
    if (isPast) this.#looked.set(dir, changed);
    return true;
  }

  /** Whether a file's content may be here, by what was seen so far. */
  isMaybe(path: string): boolean {
    return this.#maybe.has(path);
  }

  /** Whether the content of a file is awaited; its directory was looked in. */
  isAwaited(path: string): boolean {
    return !this.#maybe.has(path) || this.#isHole(path);
  }

  #isHole(path: string): boolean {
    return isAwaited(AT_FDCWD, toBytePath(`${this.#root}/${path}`));
  }
}
