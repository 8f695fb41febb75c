/** Random histories for tests of gc: a few files with several names, written, moved and deleted between markers. */
import * as fs from 'node:fs';
import { Journal } from '../../../src/history/log/journal.ts';
import { Replayer } from '../../../src/history/timeline/replayer.ts';
import {
  buildTimeline,
  liveSegments,
  MARKER_TAGS,
  type Segment,
  type Timeline,
} from '../../../src/history/timeline/segments.ts';
import { stagedPaths } from '../../../src/staging/names/staged-names.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Gen, ObjectId } from '../../../src/sys/bytes.ts';
import { fc } from '../../random/fast-check.ts';
import { HistoryView } from '../history-view.ts';
import { record } from '../samples.ts';

export type Step =
  | readonly ['write' | 'rm' | 'chmod', number]
  | readonly ['mv' | 'link', number, number]
  | readonly ['snapshot' | 'abort' | 'commit']
  | readonly ['travel', number];

const NAMES = ['a', 'b', 'c', 'd/x', 'd/y', 'base', 'twin', 'other'];
const file = fc.nat(NAMES.length - 1);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant('write' as const), file) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('rm' as const, 'chmod' as const), file) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('mv' as const, 'link' as const), file, file) },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('snapshot' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('abort' as const, 'commit' as const)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('travel' as const), fc.nat(20)) },
);

/** A session in which things happen. Commits do not touch the base: only what the journal says is of interest. */
export class Story {
  readonly view = new HistoryView((dir) => {
    fs.mkdirSync(`${dir}/d`);
    for (const name of ['base', 'd/x']) fs.writeFileSync(`${dir}/${name}`, name);
    fs.linkSync(`${dir}/base`, `${dir}/twin`);
  });
  #count = 0;

  async take([verb, ...args]: Step): Promise<void> {
    const [a = 0, b = 0] = args as number[];
    const { driver, history, tree } = this.view;
    switch (verb) {
      case 'write':
        this.#write(this.#at(a));
        return;
      case 'rm':
        driver.unlink(this.#at(a));
        return;
      case 'chmod':
        if (driver.resolve(this.#at(a)) > 0) driver.chmod(this.#at(a), 0o600 + (this.#count++ % 8));
        return;
      case 'mv':
        if (driver.resolve(this.#at(a)) > 0) driver.rename(this.#at(a), this.#at(b));
        return;
      case 'link':
        if (driver.resolve(this.#at(a)) > 0 && driver.resolve(this.#at(b)) < 0) driver.link(this.#at(a), this.#at(b));
        return;
      case 'snapshot':
        history.snapshot(`s${this.#count++}`);
        return;
      case 'abort':
      case 'commit':
        history.reset(verb === 'abort' ? 'A' : 'K', 1, tree);
        return this.view.restart();
      case 'travel':
        return this.#travel(a);
    }
  }

  get timeline(): Timeline {
    const { journal } = this.view.history;
    return buildTimeline(journal.scan({ only: MARKER_TAGS }), { start: Journal.start, end: journal.size });
  }

  /** The objects of a state, from a replay. */
  objectsOf(segments: readonly Segment[]): Set<ObjectId> {
    const tree = new OverrideTree();
    const replayer = new Replayer(tree);
    for (const { start, end } of segments) {
      for (const { record } of this.view.history.journal.scan({ from: start, to: end })) replayer.apply(record);
    }
    const objects = new Set<ObjectId>();
    for (const { child } of stagedPaths(tree.root)) {
      if (child.staged !== undefined && child.staged.object !== 0) objects.add(child.staged.object);
    }
    return objects;
  }

  /** The objects of all states that are to be kept: generations, the present, and what commits applied. */
  objectsKept(keeps: { generation(gen: Gen): boolean; committed(commit: number): boolean }): Set<ObjectId> {
    const kept = new Set<ObjectId>();
    let commit = 0;
    const add = (segments: readonly Segment[]): void => {
      for (const object of this.objectsOf(segments)) kept.add(object);
    };
    for (const epoch of this.timeline) {
      if (epoch.ended === 'commit') commit += 1;
      if (epoch.ended === 'abort') continue;
      for (const { generation } of epoch.markers)
        if (keeps.generation(generation)) add(liveSegments(epoch, generation));
      if (epoch.ended === undefined || keeps.committed(commit)) add(liveSegments(epoch));
    }
    return kept;
  }

  /** Everything in the store, with its content. */
  stored(): Map<ObjectId, string> {
    const { files } = this.view.layout;
    const found = new Map<ObjectId, string>();
    for (const shard of fs.readdirSync(files)) {
      for (const name of fs.readdirSync(`${files}/${shard}`)) {
        found.set(Number(name) as ObjectId, fs.readFileSync(`${files}/${shard}/${name}`, 'latin1'));
      }
    }
    return found;
  }

  #at(file: number): BytePath {
    return `${this.view.dir}/${NAMES[file]}` as BytePath;
  }

  #write(path: BytePath): void {
    const { driver } = this.view;
    if (driver.resolve(path) < 0 && driver.create(path, 0o644) !== 0) return;
    driver.write(path, 0, `content ${this.#count++} of ${path}`);
  }

  /** As a travel is recorded; the view that follows is the replayed one. */
  async #travel(back: number): Promise<void> {
    const { history } = this.view;
    const generation = (history.generation + 1) as Gen;
    const target = Math.max(0, history.generation - back) as Gen;
    const epoch = this.timeline.at(-1) ?? this.timeline[0];
    if (target < epoch.base) return;
    history.journal.append({ ...record({ tag: 'T', target, name: '' }), generation });
    await this.view.restart();
  }
}
