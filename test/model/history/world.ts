/**
 * One session beside its naive model. The model is a real directory that does the same file operations natively, a full
 * copy of it for every generation, and a full copy of the base.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { LiveView } from '../../../src/daemon/live-view.ts';
import { recoverCommits } from '../../../src/history/commit/runner/recover.ts';
import { layoutOf } from '../../history/registry/layouts.ts';
import { fill } from './fill.ts';
import { differences, type Image, isParted, readImage, removeTree, same, writeImage } from './image.ts';
import { FakeKernel } from './kernel.ts';
import { carryOut, type Sides } from './operations.ts';
import { type Effect, type Order, type Outcome, orderEffect } from './orders.ts';
import { editOutside, keepOriginal, pathOfEdit } from './outside/edits.ts';
import { Foreign } from './outside/foreign.ts';
import { checkRefusal } from './outside/refusal.ts';
import { conflictsOf, settleAndCommit } from './outside/settle.ts';
import { checkMerge, differing } from './part.ts';
import { Crash, closeUnflushed, withCrash } from './session/crash.ts';
import { keepContents } from './session/garbage.ts';
import { Generations } from './session/generations.ts';
import type { CrashStep, OutsideStep, RestartHow, Step, Wish } from './steps.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };

/** An order that was carried out. */
interface Turn {
  /** The first generation that it may have made. */
  readonly first: number;
  readonly oldBase: Image;
  readonly view: Image;
  /** What the last commit before it had left in the base. */
  readonly left: Image | undefined;
  readonly ended: NonNullable<Outcome['ended']>['by'] | undefined;
}

/** How often each kind of thing was really done. */
export type Tally = Map<string, number>;

export class World {
  readonly #root = fs.mkdtempSync('/var/tmp/yolofs-model-');
  readonly #project = `${this.#root}/project`;
  readonly #layout = layoutOf(this.#project);
  readonly #judge = `${this.#root}/judge`;
  readonly #links: boolean;
  readonly #reached: Tally;
  readonly #foreign = new Foreign();
  readonly #past: Generations;
  readonly #gone: number[] = [];
  #base: Image;
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
    this.#past = new Generations(this.#base, this.#foreign);
    this.#live = this.#start();
    this.#sides = this.#freshSides();
  }

  /** Carries one step out on both sides, then compares the view and, after orders, the base. */
  async take(step: Step): Promise<void> {
    if ('verb' in step) {
      const done = this.#links || step.verb !== 'link' ? carryOut(this.#sides, step) : undefined;
      if (done === undefined) return;
      this.#count(done.verb);
      this.#foreign.tread(done.path, done.to);
    } else if ('outside' in step) await this.#outside(step);
    else if ('crash' in step) await this.#crash(step);
    else if (step.order === 'restart') await this.#restart(step.how);
    else if (step.order === 'settle') await this.#settle(step.how);
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
    for (const fd of this.#gone) fs.closeSync(fd);
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

  /** Somebody else changes a real file. What processes have open is another matter. */
  async #outside({ outside: how, n }: OutsideStep): Promise<void> {
    const [was, view, line] = [this.#base, readImage(this.#judge), this.#foreign.nextLine()];
    const path = pathOfEdit({ how, n, line }, { base: was, view, foreign: this.#foreign });
    if (this.#links || path === '') return;
    this.#letGo();
    await keepContents({ layout: this.#layout });
    keepOriginal(this.#layout, path);
    editOutside({ how, n, line }, `${this.#project}/${path}`, this.#gone);
    this.#sides.kernel.forgetUnused(this.#live.host.drainWatch());
    this.#sides.kernel.forgetAttributes();
    this.#base = readImage(this.#project);
    const seen = this.#sides.kernel.image();
    const isText = how !== 'remove' && how !== 'chmod';
    this.#foreign.edited({ path, was, now: this.#base, view, seen, line: isText ? line : undefined });
    this.#count(`outside ${how}`);
    writeImage(this.#judge, seen);
  }

  /** A commit that somebody says more of when there are conflicts. */
  async #settle(how: Wish): Promise<void> {
    await keepContents({ layout: this.#layout });
    const conflicts = conflictsOf(this.#live);
    if (conflicts.length === 0) return this.#order({ order: 'commit' });
    assert.ok(this.#foreign.mayRefuse, `conflicts with nobody: ${JSON.stringify(conflicts)}`);
    this.#letGo();
    const [before, base, first] = [readImage(this.#judge), this.#base, this.#live.generation + 1];
    const settled = await settleAndCommit(
      { how, conflicts },
      {
        ...{ live: this.#live, foreign: this.#foreign, before, base, project: this.#project, scratch: this.#root },
        kernel: this.#sides.kernel,
      },
    );
    this.#count(`${how} ${settled === undefined ? 'left' : 'settled'}`);
    if (settled === undefined) return;
    const { view, isCommitted } = settled;
    const last = this.#live.generation;
    this.#past.number({ first, last, before: [before, view, base], after: [view], bases: [base, view] });
    this.#become({ before, view, base: view });
    this.#past.end(isCommitted ? { at: last, by: 'commit' } : undefined, base, view);
    if (isCommitted) this.#foreign.settled();
    else this.#foreign.turned(view, this.#base, false);
  }

  async #order(step: Order): Promise<void> {
    const effect = this.#effectOf(step);
    const kept = this.#sides.held.map(({ fd, node }) => ({ node, text: readAll(fd) }));
    const first = this.#live.generation + 1;
    const oldBase = this.#base;
    const left = this.#past.commits.at(-1)?.after;
    const outcome = await effect.act();
    if (outcome.conflicts !== undefined) {
      checkRefusal(step, outcome.conflicts, { foreign: this.#foreign, project: this.#project });
      this.#count(`${step.order} refused`);
      return;
    }
    this.#sides.kernel.forget(outcome.forget ?? []);
    this.#sides.kernel.forget(this.#live.host.drainWatch());
    for (const { node, text } of kept) assert.equal(this.#sides.kernel.read(node), text, 'an open file');
    const { view, base } = effect.selected === undefined ? this.#whole(effect) : this.#part(effect, effect.selected);
    // A travel whose tree is told anew after it is a generation, too, and one that has the base.
    const last = this.#live.generation;
    const before = last > first ? [effect.before, view, base] : [effect.before];
    this.#past.number({ first, last, before, after: [view], bases: [oldBase, base] });
    for (const { from, to } of outcome.dropped ?? []) this.#past.drop(from, to);
    this.#become({ before: effect.before, view, base });
    this.#past.turned(outcome);
    this.#past.end(outcome.ended, oldBase, base);
    this.#follow(step, { first, oldBase, view, left, ended: outcome.ended?.by });
    if (step.order === 'gc') this.#past.doubtCommits();
  }

  /** What is known of changes outside from now on. */
  #follow(step: Order, { first, oldBase, view, left, ended }: Turn): void {
    const foreign = this.#foreign;
    if (step.order === 'commit') assert.ok(!foreign.mustRefuse, 'committed over what somebody changed outside');
    if (step.order === 'commitPath' || step.order === 'commitReviewed')
      foreign.checkKept(oldBase, [this.#base], foreign.unseen.keys());
    if (step.order === 'undo') {
      this.#count(`undo ${ended === undefined ? 'refused' : 'done'}${foreign.isAny ? ' after edits' : ''}`);
      // What the commit itself had put there is staged again, unless the view has written over it since.
      foreign.checkKept(oldBase, [this.#base, view], differing(left ?? new Map(), oldBase));
      foreign.doubt();
    }
    if (step.order === 'abort' || ended === 'commit') foreign.settled();
    else foreign.turned(view, this.#base, step.order === 'travel' && step.to % first <= this.#past.epoch);
  }

  #whole({ views, base, checkBase, mayPart }: Effect): { view: Image; base: Image } {
    const real = readImage(this.#project);
    const isRefused = base !== this.#base && differences(this.#base, real).length === 0;
    if (!isRefused) checkBase?.(real);
    const isExcused =
      checkBase !== undefined || (this.#foreign.isAny && this.#foreign.differences(base, real).length === 0);
    return { view: this.#choose(views, mayPart), base: isRefused ? this.#base : isExcused ? real : base };
  }

  /** Either the base took parts of the view over, or the view parts of the base. */
  #part({ before, base }: Effect, selected: readonly string[]): { view: Image; base: Image } {
    const [view, real] = [this.#sides.kernel.image(), readImage(this.#project)];
    const isCommit = differences(before, view).length === 0;
    const merge = isCommit ? { before: base, after: real, source: before } : { before, after: view, source: base };
    checkMerge({ ...merge, selected, isAbort: !isCommit });
    return isCommit ? { view: before, base: real } : { view, base };
  }

  /** What the model says an order does. */
  #effectOf(step: Order): Effect {
    const [before, past] = [readImage(this.#judge), this.#past];
    return orderEffect(step, {
      ...{ live: this.#live, layout: this.#layout, before, base: this.#base, aborts: past.aborts, epoch: past.epoch },
      knowsLastTurn: past.knowsLastTurn,
      ...{ generations: past.images, doubtful: past.doubtful, commits: past.commits },
      parted: this.#links ? past.epoch : 0,
      changed: this.#foreign.isAny ? past.epoch : 0,
    });
  }

  /** Where more than one tree is right, the view decides. */
  #choose(images: readonly Image[], mayPart = false): Image {
    const [first = new Map()] = images;
    if (images.length < 2 && !this.#foreign.isAny && !mayPart) return first;
    const seen = this.#sides.kernel.image();
    if (mayPart) return images.some((image) => isParted(image, seen)) ? seen : first;
    const exact = images.find((image) => differences(image, seen).length === 0);
    if (exact !== undefined || !this.#foreign.isAny) return exact ?? first;
    return images.some((image) => this.#foreign.differences(image, seen).length === 0) ? seen : first;
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
    // Those never die here: the crash matrix has them.
    if (during.order === 'settle') return;
    const effect = this.#effectOf(during);
    const { before, views, mayPart } = effect;
    const first = this.#live.generation + 1;
    this.#letGo();
    try {
      await withCrash({ append: crash, written }, effect.act);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    await this.#restart('killed');
    const view = this.#choose([before, ...views], mayPart);
    const base = differences(effect.base, readImage(this.#project)).length === 0 ? effect.base : this.#base;
    const [last, either] = [this.#live.generation, [before, ...views, view]];
    this.#past.number({ first, last, before: either, after: either, bases: [this.#base] });
    this.#past.cutShort(during.order, last);
    this.#become({ before, view, base });
    this.#foreign.turned(view, base, during.order === 'travel' || during.order === 'abort');
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
