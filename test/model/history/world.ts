/**
 * One session beside its naive model. The model is a real directory that does the same file operations natively, a full
 * copy of it for every generation, and a full copy of the base.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { LiveView } from '../../../src/daemon/live-view.ts';
import { recoverCommits } from '../../../src/history/commits/recover.ts';
import { layoutOf } from '../../../src/history/layout.ts';
import { Crash, closeUnflushed, withCrash } from './crash.ts';
import { fill } from './fill.ts';
import { differences, type Image, readImage, removeTree, writeImage } from './image.ts';
import { FakeKernel } from './kernel.ts';
import { carryOut, type Sides } from './operations.ts';
import { type Effect, type Outcome, orderEffect, type PastCommit } from './orders.ts';
import { checkMerge } from './part.ts';
import type { CrashStep, OrderStep, RestartHow, Step } from './steps.ts';

/** Originals of that many commits are kept at least. */
const COMMITS_KEPT = 10;
const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };

/** How often each kind of thing was really done. */
export type Tally = Map<string, number>;

export class World {
  readonly #root = fs.mkdtempSync('/var/tmp/yolofs-model-');
  readonly #project = `${this.#root}/project`;
  readonly #layout = layoutOf(this.#project);
  readonly #judge = `${this.#root}/judge`;
  /** The tree at each generation's marker; after a crash it may be one of two. */
  readonly #generations = new Map<number, readonly Image[]>();
  /** Generations that a gc was about to drop, or did, when it died. */
  readonly #doubtful = new Set<number>();
  /** The generation in force at the last commit or abort. */
  #epoch = 0;
  readonly #links: boolean;
  readonly #reached: Tally;
  #base: Image;
  #commits: PastCommit[] = [];
  #live: LiveView;
  #sides: Sides;

  /** `links`: files may have several names. */
  constructor(links: boolean, reached: Tally) {
    this.#links = links;
    this.#reached = reached;
    for (const dir of [this.#project, this.#judge]) fs.mkdirSync(dir);
    fill(this.#project, links);
    this.#base = readImage(this.#project);
    writeImage(this.#judge, this.#base);
    fs.mkdirSync(this.#layout.dir);
    this.#generations.set(0, [this.#base]);
    this.#live = this.#start();
    this.#sides = this.#freshSides();
  }

  /** Carries one step out on both sides, then compares the view and, after orders, the base. */
  async take(step: Step): Promise<void> {
    if ('verb' in step) {
      if ((this.#links || step.verb !== 'link') && carryOut(this.#sides, step)) this.#count(step.verb);
    } else if ('crash' in step) await this.#crash(step);
    else if (step.order === 'restart') await this.#restart(step.how);
    else await this.#order(step);
    if (!('verb' in step)) same(this.#base, readImage(this.#project), 'the base');
    this.#compareView();
  }

  /** Every generation that can be reached shows what it was. */
  async revisit(): Promise<void> {
    const last = this.#live.generation;
    for (let to = 0; to <= last; to++) await this.take({ order: 'travel', to });
  }

  async close(): Promise<void> {
    this.#letGo();
    await this.#live.close();
    removeTree(this.#root);
  }

  #count(kind: string): void {
    this.#reached.set(kind, (this.#reached.get(kind) ?? 0) + 1);
  }

  #compareView(): void {
    same(readImage(this.#judge), this.#sides.kernel.image(), 'the view');
    for (const { fd, node } of this.#sides.held) {
      assert.equal(this.#sides.kernel.read(node), readAll(fd), 'an open file');
    }
  }

  async #order(step: OrderStep): Promise<void> {
    const effect = this.#effectOf(step);
    const kept = this.#sides.held.map(({ fd, node }) => ({ node, text: readAll(fd) }));
    const first = this.#live.generation + 1;
    const oldBase = this.#base;
    const outcome = await effect.act();
    this.#sides.kernel.forget(outcome.forget ?? []);
    this.#sides.kernel.forget(this.#live.drainWatch());
    for (const { node, text } of kept) assert.equal(this.#sides.kernel.read(node), text, 'an open file');
    const { view, base } = effect.selected === undefined ? this.#whole(effect) : this.#part(effect, effect.selected);
    // A travel whose tree is told anew after it is a generation, too, and one that has the base.
    this.#number(first, [this.#live.generation > first ? [effect.before, view, base] : [effect.before], [view]]);
    for (const { from, to } of outcome.dropped ?? []) this.#drop(from, to);
    this.#become({ before: effect.before, view, base });
    this.#end(outcome.ended, oldBase);
    // It may have given up what commits had replaced.
    if (step.order === 'gc') this.#commits = this.#commits.map(({ base }) => ({ base, isCertain: false }));
  }

  /** An epoch ended. */
  #end(ended: Outcome['ended'], base: Image): void {
    if (ended === undefined) return;
    if (ended.by === 'commit') this.#commits.push({ base, isCertain: true });
    // Once the rest of it was given up, or committed, it may stay as it is.
    if (ended.by === 'part') this.#commits.push({ base, isCertain: false });
    if (ended.by === 'undo') this.#commits.pop();
    const isForgotten = (generation: number): boolean =>
      this.#commits.length >= COMMITS_KEPT || (ended.by === 'abort' && generation > this.#epoch);
    for (const generation of this.#generations.keys()) if (isForgotten(generation)) this.#doubtful.add(generation);
    this.#epoch = ended.at;
  }

  #whole({ views, base }: Effect): { view: Image; base: Image } {
    const isRefused = base !== this.#base && differences(this.#base, readImage(this.#project)).length === 0;
    return { view: this.#choose(views), base: isRefused ? this.#base : base };
  }

  /** Either the base took parts of the view over, or the view parts of the base. */
  #part({ before, base }: Effect, selected: readonly string[]): { view: Image; base: Image } {
    const [view, real] = [this.#sides.kernel.image(), readImage(this.#project)];
    const isCommit = differences(before, view).length === 0;
    const merge = isCommit ? { before: base, after: real, source: before } : { before, after: view, source: base };
    checkMerge({ ...merge, selected, isAbort: !isCommit });
    return isCommit ? { view: before, base: real } : { view, base };
  }

  #drop(from: number, to: number): void {
    for (let generation = from; generation <= to; generation++) this.#generations.delete(generation);
  }

  /** What the model says an order does. */
  #effectOf(step: OrderStep): Effect {
    const before = readImage(this.#judge);
    return orderEffect(step, {
      ...{ live: this.#live, layout: this.#layout, before, base: this.#base },
      ...{ generations: this.#generations, doubtful: this.#doubtful, commits: this.#commits },
      past: this.#links ? this.#epoch : 0,
    });
  }

  /** Where more than one tree is right, the view decides. */
  #choose(images: readonly Image[]): Image {
    const [first = new Map()] = images;
    if (images.length < 2) return first;
    const seen = this.#sides.kernel.image();
    return images.find((image) => differences(image, seen).length === 0) ?? first;
  }

  /** Markers that an order adds show the tree before it, but the last one what it led to. */
  #number(first: number, [before, after]: readonly [readonly Image[], readonly Image[]]): void {
    const last = this.#live.generation;
    for (let generation = first; generation < last; generation++) this.#generations.set(generation, before);
    if (last >= first) this.#generations.set(last, after);
  }

  /** Who has a file open keeps what it had; the model cannot say more of it once the view is another tree. */
  #become({ before, view, base }: { before: Image; view: Image; base: Image }): void {
    this.#base = base;
    if (view === before) return;
    this.#letGo();
    writeImage(this.#judge, view);
  }

  /** The process dies in the midst of an order: what is found again is the state before it or after it. */
  async #crash({ crash, during, written }: CrashStep): Promise<void> {
    const effect = this.#effectOf(during);
    const { before, views } = effect;
    const first = this.#live.generation + 1;
    this.#letGo();
    try {
      await withCrash({ append: crash, written }, effect.act);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    await this.#restart('killed');
    const view = this.#choose([before, ...views]);
    const base = differences(effect.base, readImage(this.#project)).length === 0 ? effect.base : this.#base;
    this.#number(first, [
      [before, ...views],
      [before, ...views],
    ]);
    // What it has given up, or whether it ended the epoch, cannot always be seen.
    const mayForget = during.order === 'gc' || during.order === 'abort';
    for (const generation of mayForget ? this.#generations.keys() : []) this.#doubtful.add(generation);
    if (during.order === 'abort') this.#epoch = this.#live.generation;
    if (during.order === 'gc') this.#commits = this.#commits.map((past) => ({ ...past, isCertain: false }));
    this.#become({ before, view, base });
  }

  #letGo(): void {
    for (const { fd } of this.#sides.held.splice(0)) fs.closeSync(fd);
  }

  #start(): LiveView {
    return new LiveView({ layout: this.#layout, owner: OWNER, durable: false, maxFiles: 16, rules: [] });
  }

  #freshSides(): Sides {
    return { judge: this.#judge, kernel: new FakeKernel(this.#live.overlay, this.#project), held: [] };
  }

  async #restart(how: RestartHow): Promise<void> {
    this.#letGo();
    if (how === 'clean') await this.#live.close();
    else await closeUnflushed(this.#live);
    const { tree } = this.#layout;
    if (how === 'journal') for (const end of ['', '-lock', '-stamp']) fs.rmSync(`${tree}${end}`, { force: true });
    await recoverCommits(this.#layout);
    this.#live = this.#start();
    this.#sides = this.#freshSides();
  }
}

function readAll(fd: number): string {
  const into = Buffer.alloc(fs.fstatSync(fd).size);
  fs.readSync(fd, into, 0, into.length, 0);
  return into.toString('latin1');
}

function same(expected: Image, actual: Image, what: string): void {
  const lines = differences(expected, actual);
  if (lines.length > 0) assert.fail(`${what} is not what it should be:\n  ${lines.slice(0, 12).join('\n  ')}`);
}
