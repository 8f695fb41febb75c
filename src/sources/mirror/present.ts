/**
 * Which contents of a mirror may be here, and those that were read lately, without a look at each file for each search. A content comes
 * into a file by way of whoever has fetched it, who says so before, or with another file in its place, which the directory shows by its
 * ctime.
 */
import { isAwaited, isAwaitedMode } from '../../staging/awaited/fetched.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { readIfMode } from '../../sys/files/hollow.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { AT_FDCWD } from '../../sys/libc.ts';
import { dropRecent, keepRecent, recentContent } from './recent.ts';

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
    const changed = this.#changedAt(dir);
    if (this.#looked.get(dir) === changed) return false;
    const isPast = Date.now() - changed > TICK_MS;
    for (const path of files) {
      dropRecent(this.#file(path));
      if (!this.#isHole(path)) this.#maybe.add(path);
    }
    if (isPast) this.#looked.set(dir, changed);
    return true;
  }

  /** Whether a directory is as it was when its files were looked at. */
  isAsLooked(dir: string): boolean {
    return this.#looked.get(dir) === this.#changedAt(dir);
  }

  /**
   * The content of a file if it is here, and no longer than `most` bytes; nobody may change it. `isAsLooked`: of its directory; then the
   * file is read only once.
   */
  contentOf(
    path: string,
    { most, isAsLooked }: { readonly most: number; readonly isAsLooked: boolean },
  ): Buffer | undefined {
    const file = this.#file(path);
    const recent = isAsLooked ? recentContent(file) : undefined;
    if (recent !== undefined) return recent.length > most ? undefined : recent;
    const content = readIfMode(file, { most, isMeant: (mode) => !isAwaitedMode(mode) });
    if (content !== undefined && isAsLooked) keepRecent(file, content);
    return content;
  }

  #file(path: string): string {
    return `${this.#root}/${path}`;
  }

  #changedAt(dir: string): number {
    return lookAt(dir === '' ? this.#root : this.#file(dir))?.ctimeMs ?? 0;
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
    return isAwaited(AT_FDCWD, toBytePath(this.#file(path)));
  }
}
