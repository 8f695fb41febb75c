/** What the model keeps of the past: the tree at each generation, and what each commit has replaced. */
import type { Image } from '../image.ts';
import type { Outcome, PastAbort, PastCommit } from '../orders.ts';
import type { Foreign } from '../outside/foreign.ts';
import type { OrderStep } from '../steps.ts';

/** Originals of that many commits are kept at least. */
const COMMITS_KEPT = 10;

/** New markers of an order: those before the last show one of `before`, the last one of `after`. */
interface Markers {
  readonly first: number;
  readonly last: number;
  readonly before: readonly Image[];
  readonly after: readonly Image[];
  /** What the base was meanwhile. */
  readonly bases: readonly Image[];
}

export class Generations {
  /** The tree at each generation's marker; after a crash it may be one of two. */
  readonly images = new Map<number, readonly Image[]>();
  /** Generations that a gc was about to drop, or did, when it died. */
  readonly doubtful = new Set<number>();
  commits: PastCommit[] = [];
  aborts: PastAbort[] = [];
  /** The generation in force at the last commit or abort. */
  epoch = 0;
  readonly #foreign: Foreign;
  /** Commits and aborts that stand since an order was cut short which may have been one; undefined: none was. */
  #turnsSince: number | undefined;

  constructor(base: Image, foreign: Foreign) {
    this.#foreign = foreign;
    this.number({ first: 0, last: 0, before: [base], after: [base], bases: [base] });
  }

  number({ first, last, before, after, bases }: Markers): void {
    for (const image of [...before, ...after]) this.#foreign.note(image, bases);
    for (let generation = first; generation < last; generation++) this.images.set(generation, before);
    if (last >= first) this.images.set(last, after);
  }

  drop(from: number, to: number): void {
    for (let generation = from; generation <= to; generation++) this.images.delete(generation);
    // No undo takes back an abort of which what it gave up is gone.
    this.aborts = this.aborts.filter(({ generation }) => generation < from || generation > to);
  }

  doubt(): void {
    for (const generation of this.images.keys()) this.doubtful.add(generation);
  }

  /** A gc may have given up what commits had replaced. */
  doubtCommits(): void {
    this.commits = this.commits.map((past) => ({ ...past, isCertain: false }));
  }

  /** An abort is taken back by whoever goes to what it gave up. */
  turned({ gaveUp, wentTo }: Outcome): void {
    this.aborts = this.aborts.filter(({ generation }) => generation !== wentTo);
    if (gaveUp !== undefined) this.aborts.push({ generation: gaveUp, commits: this.commits.length });
    this.#count((gaveUp === undefined ? 0 : 1) - (wentTo === undefined ? 0 : 1));
  }

  /** An order died: what it has given up, whether it ended the epoch, and whether it can be taken back cannot always be seen. */
  cutShort(order: OrderStep['order'], last: number): void {
    if (order === 'gc' || order === 'abort') this.doubt();
    if (order === 'abort') this.epoch = last;
    if (order === 'gc') this.doubtCommits();
    if (order === 'abort' || order === 'travel') this.#turnsSince = 0;
  }

  /** Whether the model knows what an undo takes back. */
  get knowsLastTurn(): boolean {
    return this.#turnsSince === undefined || this.#turnsSince > 0;
  }

  /** An epoch ended; `base`, `after`: the base before and now. */
  end(ended: Outcome['ended'], base: Image, after: Image): void {
    if (ended === undefined) return;
    const past = { base, after, isFar: this.#foreign.farNow() };
    if (ended.by === 'commit') this.commits.push({ ...past, isCertain: true });
    // Once the rest of it was given up, or committed, it may stay as it is.
    if (ended.by === 'part') this.commits.push({ ...past, isCertain: false });
    if (ended.by === 'undo') this.commits.pop();
    if (ended.by !== 'abort') this.#count(ended.by === 'undo' ? -1 : 1);
    if (this.commits.length >= COMMITS_KEPT) this.doubt();
    this.epoch = ended.at;
  }

  #count(turns: number): void {
    if (this.#turnsSince !== undefined) this.#turnsSince += turns;
  }
}
