/**
 * Which objects the kept states need, from one pass over the journal. An object begins with the record that names it as
 * content and ends with the one that takes it out of the tree (new content, or its last name goes); between the two it
 * is part of every state that goes on from there. So it is needed when more kept states have seen it begin than end.
 * In doubt an object is needed: for one that has, or may have, several names a lost name is not taken for its end.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { Backing, StageContent, StageKept, StageNew } from '../../staging/recorder.ts';
import type { BytePath, ObjectId } from '../../sys/bytes.ts';
import type { Journal } from '../log/journal.ts';
import type { Body, Tag } from '../log/record.ts';
import { ObjectSet } from './object-set.ts';
import type { WeighedSegment } from './weights.ts';

/** The tags of records that objects begin and end with. */
const LIFE_TAGS: ReadonlySet<Tag> = new Set<Tag>(['S', 'D', 'R', 'L']);
/** Milliseconds of work between pauses. */
const SLICE = 20;

/** The objects below `end` that the states which `segments` were weighed for need. Throws JournalDamaged. */
export async function neededObjects(
  journal: Journal,
  segments: readonly WeighedSegment[],
  end: ObjectId,
): Promise<ObjectSet> {
  const lives = new Lives(end);
  let sliceEnd = Date.now() + SLICE;
  for (const { start, end: stop, weight, opensEpoch, branches } of segments) {
    if (opensEpoch) lives.nextEpoch();
    lives.nextSegment(branches);
    for (const { record } of journal.scan({ from: start, to: stop, only: LIFE_TAGS })) {
      lives.apply(record.body, weight);
      if (Date.now() < sliceEnd) continue;
      await pause();
      sliceEnd = Date.now() + SLICE;
    }
  }
  return lives.needed();
}

/** Begins and ends of objects, each with the number of kept states that see it. */
class Lives {
  readonly #balance: Int32Array;
  /** Begun in this epoch: nothing else can end in it. */
  #begun: ObjectSet;
  /** Told anew in this segment. */
  readonly #kept = new Set<ObjectId>();
  /** How many names an object has, where that may not be one. */
  readonly #names = new Map<ObjectId, number>();
  /** Base files that got names before they got content. */
  readonly #linked = new Set<BytePath>();

  constructor(end: number) {
    this.#balance = new Int32Array(end);
    this.#begun = new ObjectSet(end);
  }

  nextEpoch(): void {
    this.#begun = new ObjectSet(this.#balance.length);
    this.#names.clear();
    this.#linked.clear();
  }

  /** `branches`: names were counted on the way to another state than this segment starts from. */
  nextSegment(branches: boolean): void {
    this.#kept.clear();
    if (!branches) return;

    for (const object of this.#names.keys()) this.#names.set(object, Number.POSITIVE_INFINITY);
  }

  apply(body: Body, weight: number): void {
    if (body.tag === 'S') this.#stage(body, weight);
    else if (body.tag === 'D') this.#nameGone(body.pre, weight);
    else if (body.tag === 'R' && !body.exchange) this.#nameGone(body.over, weight);
    else if (body.tag === 'L') this.#link(body.of);
  }

  needed(): ObjectSet {
    const needed = new ObjectSet(this.#balance.length);
    for (const [object, balance] of this.#balance.entries()) {
      if (balance > 0) needed.add(object as ObjectId);
    }
    return needed;
  }

  #stage(body: StageNew | StageKept | StageContent, weight: number): void {
    if (body.object === 0) return;
    if (body.how === 'content') this.#content(body, weight);
    else if (body.how === 'new') this.#begin(body.object, weight);
    else this.#keep(body, weight);
  }

  /** What is told anew may be told twice. */
  #keep({ object, nlink }: StageKept, weight: number): void {
    if (!this.#kept.has(object)) this.#begin(object, weight);
    this.#kept.add(object);
    if (nlink > 1) this.#names.set(object, Number.POSITIVE_INFINITY);
  }

  #content({ object, pre, fingerprint }: StageContent, weight: number): void {
    this.#begin(object, weight);
    if (pre.kind === 'object') {
      this.#end(pre.object, weight);
      const names = this.#names.get(pre.object);
      if (names !== undefined) this.#names.set(object, names);
      return;
    }
    const hasOneName = pre.kind === 'base' && fingerprint?.nlink === 1 && !this.#linked.has(pre.path);
    if (!hasOneName) this.#names.set(object, Number.POSITIVE_INFINITY);
  }

  #nameGone(backing: Backing, weight: number): void {
    if (backing.kind !== 'object') return;
    const names = (this.#names.get(backing.object) ?? 1) - 1;
    if (names === 0) this.#end(backing.object, weight);
    else this.#names.set(backing.object, names);
  }

  #link(of: Backing): void {
    if (of.kind === 'base') this.#linked.add(of.path);
    if (of.kind === 'object') this.#names.set(of.object, (this.#names.get(of.object) ?? 1) + 1);
  }

  #begin(object: ObjectId, weight: number): void {
    this.#begun.add(object);
    this.#names.delete(object);
    this.#add(object, weight);
  }

  #end(object: ObjectId, weight: number): void {
    if (this.#begun.has(object)) this.#add(object, -weight);
  }

  #add(object: ObjectId, weight: number): void {
    if (object < this.#balance.length) this.#balance[object] = (this.#balance[object] ?? 0) + weight;
  }
}
