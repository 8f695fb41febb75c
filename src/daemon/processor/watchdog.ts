/**
 * The main thread's side of the FUSE thread's being on its caller's processor. It asks where the caller is, without waiting for the
 * answer. And it brings the FUSE thread back where others compute: they keep that thread waiting for up to a second, and it
 * cannot know.
 */
import { log } from '../../sys/log.ts';
import { processStatSoon } from '../../sys/process/process.ts';
import { Load, Progress } from './load.ts';
import { bringBack, type SharedPlace } from './shared-place.ts';

const LOOK_EVERY_MS = 10;

interface Watched {
  readonly tid: number;
  readonly progress: Progress;
  readonly timer: NodeJS.Timeout;
}

export class Watchdog {
  readonly #place: SharedPlace;
  readonly #load = new Load();
  #thread: Watched | undefined;
  #wasCrowded = false;
  #isAsking = false;

  constructor(place: SharedPlace) {
    this.#place = place;
  }

  /** Looks after that thread of this process until it is let go. */
  watch(tid: number): void {
    this.#thread ??= {
      tid,
      progress: new Progress(tid),
      timer: setInterval(() => this.#look(), LOOK_EVERY_MS).unref(),
    };
    this.#tellWhere();
  }

  /** The thread is let go, or has ended. */
  stop(): void {
    clearInterval(this.#thread?.timer);
    this.#thread?.progress.close();
    this.#thread = undefined;
    this.#wasCrowded = false;
  }

  #look(): void {
    if (this.#thread === undefined) return;
    const isStarved = this.#isStarved(this.#thread);
    if (isStarved && this.#place.recall()) bringBack(this.#thread.tid);
    if (this.#place.isAtCaller) this.#tellWhere();
    else this.stop();
  }

  /** Once may be chance: whoever has asked, or this thread's own helpers. */
  #isStarved({ progress }: Watched): boolean {
    const before = this.#wasCrowded;
    // Without the main thread, which runs now.
    this.#wasCrowded = this.#load.isCrowded(-1);
    return progress.hasWaited() || (before && this.#wasCrowded);
  }

  #tellWhere(): void {
    const { caller } = this.#place;
    if (caller === undefined || this.#isAsking) return;
    this.#isAsking = true;
    // Of one that has ended it is not known, and the FUSE thread asks for the next.
    processStatSoon(caller)
      .then((stat) => stat && this.#place.answer(stat.processor))
      .catch((error: Error) => log(`where thread ${caller} runs cannot be told: ${error.message}`))
      .finally(() => {
        this.#isAsking = false;
      });
  }
}
