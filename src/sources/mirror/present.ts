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
import { dropRecent, recentIn } from './recent.ts';
import type { RecentDirectory } from './recent-directory.ts';

/** What changes twice within a tick of the kernel's clock shows one ctime. */
const TICK_MS = 100;

export class Present {
  readonly #root: string;
  /** All that is here in the directories below, and perhaps some that is not. */
  readonly #maybe = new Set<string>();
  /** Directories whose files were looked at, with their ctimes then. */
  readonly #looked = new Map<string, number>();
  /** Those whose files were all made without a content, with their ctimes then. */
  readonly #made = new Map<string, number>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The content of a file is about to come. */
  comes(path: string): void {
    this.#maybe.add(path);
  }

  /** No more than so many are here, as far as was looked. */
  get mostHere(): number {
    return this.#maybe.size;
  }

  /** Looks at the files of a directory, all of which it is given, unless it is known; returns whether it has. */
  lookIn(dir: string, files: () => readonly string[]): boolean {
    const changed = this.#changedAt(dir);
    if (this.#looked.get(dir) === changed) return false;
    const isPast = Date.now() - changed > TICK_MS;
    const isAsMade = isPast && this.#made.get(dir) === changed;
    dropRecent(this.at(dir));
    if (!isAsMade) for (const path of files()) if (!this.#isHole(path)) this.#maybe.add(path);
    if (isPast) this.#looked.set(dir, changed);
    return !isAsMade;
  }

  /** All files of these directories were made just now, and none with a content but for those of which `comes` was told. */
  made(directories: Iterable<string>): void {
    for (const dir of directories) this.#made.set(dir, this.#changedAt(dir));
  }

  /** Whether of one of these directories nobody knows what its files have. */
  isAnyUnseen(directories: Iterable<string>): boolean {
    for (const dir of directories) if (!this.#looked.has(dir) && !this.#made.has(dir)) return true;
    return false;
  }

  /** Whether a directory is as it was when its files were looked at. */
  isAsLooked(dir: string): boolean {
    return this.#looked.get(dir) === this.#changedAt(dir);
  }

  /** What searches have read of its files, as far as that is still so. */
  recentIn(dir: string): RecentDirectory | undefined {
    return this.isAsLooked(dir) ? recentIn(this.at(dir)) : undefined;
  }

  /** The content of a file if it is here, and no longer than `most` bytes. */
  contentOf(path: string, most: number): Buffer | undefined {
    return readIfMode(this.at(path), { most, isMeant: (mode) => !isAwaitedMode(mode) });
  }

  /** Where a path lies on this machine. */
  at(path: string): string {
    return path === '' ? this.#root : `${this.#root}/${path}`;
  }

  #changedAt(dir: string): number {
    return lookAt(this.at(dir))?.ctimeMs ?? 0;
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
    return isAwaited(AT_FDCWD, toBytePath(this.at(path)));
  }
}
