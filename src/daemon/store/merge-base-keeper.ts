/**
 * Keeps the merge bases of text files that the view overrides (history/commit/conflict/merge-bases.ts): reads in the journal what
 * was, beside the FUSE thread, in short slices, so that no request is slower for it. What it needs of the base is of the
 * moment, so it looks often while commands run, and before anything that may need a merge base.
 */
import type { MergeBases } from '../../history/commit/conflict/merge-bases.ts';
import { type Body, type Tag, tagOf } from '../../history/log/record.ts';
import type { Backing } from '../../staging/recorder.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { log } from '../../sys/log.ts';
import { S_IFREG } from '../../sys/stat.ts';
import type { SessionFiles } from '../runs/session-files.ts';
import { pause, pauseUntil, SLICE_MS } from './committed/slices.ts';

const TAGS: ReadonlySet<Tag> = new Set<Tag>(['S', 'R', 'D', 'K', 'A']);
const EVERY_MS = 500;
/** On a busy machine a slice is soon over. */
const AT_ONCE_MS = 250;
/** Names that went lately, whose place something else may take. */
const MOST_GONE = 10_000;

export class MergeBaseKeeper {
  readonly #files: Pick<SessionFiles, 'journal' | 'base'>;
  readonly #mergeBases: MergeBases;
  readonly #isFree: () => boolean;
  /** Path in the view -> path in the base. */
  readonly #gone = new Map<BytePath, BytePath>();
  readonly #timer: NodeJS.Timeout;
  #at: number;
  #isBusy = false;
  /** Whether there may be something on the disk that was cleared. */
  #isCleared = true;

  /**
   * Begins with what will be done from now on: what was before was seen by the daemon of that time. `isFree`: no order is carried
   * out, so what was cleared may be taken from the disk.
   */
  constructor(files: Pick<SessionFiles, 'journal' | 'base'>, mergeBases: MergeBases, isFree: () => boolean) {
    this.#isFree = isFree;
    this.#files = files;
    this.#mergeBases = mergeBases;
    this.#at = files.journal.size;
    this.#timer = setInterval(() => void this.#catchUp(), EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks at once for what was overridden since the last time, unless that takes long: before somebody hears of it, and changes the base. */
  look(): void {
    this.#guarded(() => this.#slice(AT_ONCE_MS));
  }

  async #catchUp(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#guarded(() => this.#slice(SLICE_MS))) await pause();
    while (this.#isCleared && this.#guarded(() => this.#mergeBases.removeCleared(SLICE_MS)))
      await pauseUntil(this.#isFree);
    this.#isCleared = false;
    this.#isBusy = false;
  }

  #guarded(slice: () => boolean): boolean {
    try {
      return slice();
    } catch (error) {
      log(`originals are not kept any more: ${error instanceof Error ? error.message : String(error)}`);
      this.stop();
      return false;
    }
  }

  /** Returns whether there is more. */
  #slice(ms: number): boolean {
    if (this.#files.journal.size === this.#at) return false;
    const end = Date.now() + ms;
    const { journal } = this.#files;
    for (const line of journal.lines({ from: this.#at })) {
      if (TAGS.has(tagOf(line.bytes, line.start) as Tag)) this.#take(journal.decode(line).body);
      // Also where nothing is of interest: 100,000 changes of attributes would be gone through again and again.
      this.#at = line.next;
      if (Date.now() >= end) return true;
    }
    return false;
  }

  #take(body: Body): void {
    switch (body.tag) {
      case 'S':
        if (body.how === 'new' || (body.how === 'kept' && body.original === 'born'))
          this.#keep(this.#gone.get(body.path));
        else if (body.fingerprint !== undefined) this.#keep(originalOf(body.pre));
        return;
      case 'D':
        // What is told anew says nothing of what was there: its path in the view is that in the base.
        if (body.stamp !== undefined)
          this.#leave(body.path, body.pre.kind === 'absent' ? body.path : originalOf(body.pre));
        return;
      case 'R':
        if (body.overStamp !== undefined) this.#keep(originalOf(body.over));
        this.#keep(this.#gone.get(body.to));
        if (body.stamp !== undefined) this.#leave(body.from, originalOf(body.pre));
        return;
      case 'K':
      case 'A':
        this.#gone.clear();
        // With something staged from the outset, what is kept for that is of use yet.
        if ((body.carried ?? 0) === 0) this.#clear();
        return;
    }
  }

  #clear(): void {
    this.#mergeBases.clear();
    this.#isCleared = true;
  }

  #keep(path: BytePath | undefined): void {
    if (path !== undefined) this.#mergeBases.keep(path, this.#files.base);
  }

  #leave(view: BytePath, path: BytePath | undefined): void {
    if (this.#gone.size >= MOST_GONE) this.#gone.clear();
    if (path !== undefined) this.#gone.set(view, path);
  }
}

/** Where the base has the file that a name stood for. */
function originalOf(backing: Backing): BytePath | undefined {
  if (backing.kind === 'base') return backing.type === S_IFREG ? backing.path : undefined;
  return backing.kind === 'object' ? backing.path : undefined;
}
