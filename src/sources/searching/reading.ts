/** The files of one directory of a mirror while a search looks at them: what it reads is kept for the next one. */
import type { Present } from '../mirror/present.ts';
import { keepRecent } from '../mirror/recent.ts';
import type { RecentDirectory } from '../mirror/recent-directory.ts';

export class Reading {
  readonly #present: Present;
  readonly #dir: string;
  readonly #isAsLooked: boolean;
  readonly #fresh = new Map<string, Buffer>();
  /** What was read before this began. */
  readonly recent: RecentDirectory | undefined;

  constructor(present: Present, dir: string) {
    this.#present = present;
    this.#dir = dir;
    this.#isAsLooked = present.isAsLooked(dir);
    this.recent = present.recentIn(dir);
  }

  isRecent(name: string): boolean {
    return this.recent?.contents.has(name) === true;
  }

  /** Whether it is plain without a look at the file that its content is not here. */
  isAwaited(name: string): boolean {
    return this.#isAsLooked && !this.isRecent(name) && !this.#present.isMaybe(this.#pathOf(name));
  }

  /** The content of a file if it is here, and no longer than `most` bytes; nobody may change it. */
  contentOf(name: string, most: number): Buffer | undefined {
    const recent = this.recent?.contents.get(name) ?? this.#fresh.get(name);
    if (recent !== undefined) return recent.length > most ? undefined : recent;
    const content = this.#present.contentOf(this.#pathOf(name), most);
    if (content !== undefined && this.#isAsLooked) this.#fresh.set(name, content);
    return content;
  }

  #pathOf(name: string): string {
    return this.#dir === '' ? name : `${this.#dir}/${name}`;
  }

  /** To be called before anybody else has a turn: what was read by then is what the directory had when it was looked at. */
  keep(): void {
    if (this.#fresh.size > 0) keepRecent(this.#present.at(this.#dir), this.#fresh);
    this.#fresh.clear();
  }
}
