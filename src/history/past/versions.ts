/**
 * What each path was left as by the commands that have led to what is staged. One pass over the journal; what a partial commit, an
 * abort of a part or an undo has carried along keeps its history.
 */
import type { BytePath, Gen, ObjectId } from '../../sys/bytes.ts';
import type { Journal } from '../log/journal.ts';
import type { Body } from '../log/record.ts';
import { type Epoch, liveSegments, type Run, type Segment, type Timeline } from '../timeline/segments.ts';
import { indexJournal, pathsOf, within } from './audit.ts';

/** What a path was left as by one command. */
export interface Version {
  /** Its command line, else the name of the process (bytes); perhaps neither is known. */
  readonly command: string;
  /** Undefined: what it holds is not in the store. */
  readonly object: ObjectId | undefined;
  /** Of the snapshot that has it; before there is one, of the state that it was written over. */
  readonly generation: Gen;
}

type Author = Pick<Version, 'command' | 'generation'>;

export class Versions {
  #versions = new Map<BytePath, Version[]>();
  /** From before something was carried along: what is told anew after that has its history there. */
  readonly #past = new Map<BytePath, Version[]>();

  /** Reads the whole journal. Throws JournalDamaged. */
  constructor(journal: Journal, start: number) {
    const { timeline, commands, carried } = indexJournal(journal, start);
    const { stretches, resets } = wayOf(timeline);
    const isCarried = within(carried);
    let at = 0;
    for (const { offset, record } of journal.scan({ from: 0, to: journal.size })) {
      const { body, who } = record;
      if (body.tag === 'K' || body.tag === 'A' || body.tag === 'U' || resets.has(offset)) this.#startAnew();
      while (offset >= (stretches[at]?.end ?? Number.POSITIVE_INFINITY)) at += 1;
      const stretch = stretches[at];
      if (stretch === undefined || offset < stretch.start) continue;
      if (isCarried(offset)) this.#carry(body);
      else {
        const command = commands.get(who.run) ?? who.process ?? '';
        this.#note(body, { command, generation: stretch.generation });
      }
    }
  }

  /** The oldest first. */
  of(path: BytePath): readonly Version[] {
    return this.#versions.get(path) ?? [];
  }

  #startAnew(): void {
    for (const [path, versions] of this.#versions) this.#past.set(path, versions);
    this.#versions = new Map();
  }

  #carry(body: Body): void {
    const path = pathsOf(body).at(-1);
    const known = path === undefined ? undefined : this.#past.get(path);
    if (path !== undefined && known !== undefined && !this.#versions.has(path)) this.#versions.set(path, [...known]);
  }

  #note(body: Body, author: Author): void {
    if (body.tag === 'S') this.#add(body.path, author, 'object' in body && body.object !== 0 ? body.object : undefined);
    else if (body.tag === 'D') this.#add(body.path, author, undefined);
    else if (body.tag === 'M') this.#add(body.path, author, this.#last(body.path));
    else if (body.tag === 'L') this.#add(body.path, author, this.#last(body.existing));
    else if (body.tag === 'R') this.#move(body, author);
  }

  #move({ from, to }: { readonly from: BytePath; readonly to: BytePath }, author: Author): void {
    const moved = this.#versions.get(from) ?? [];
    // An editor that writes a new file over the old one goes on with the old one's history.
    if (!this.#versions.has(to)) this.#versions.set(to, [...moved]);
    this.#add(to, author, moved.at(-1)?.object);
    this.#add(from, author, undefined);
  }

  #last(path: BytePath): ObjectId | undefined {
    return this.#versions.get(path)?.at(-1)?.object;
  }

  #add(path: BytePath, { command, generation }: Author, object: ObjectId | undefined): void {
    const known = this.#versions.get(path) ?? [];
    const last = known.at(-1);
    if (last?.command === command && last.generation === generation) known.pop();
    known.push({ command, generation, object });
    this.#versions.set(path, known);
  }
}

interface Stretch extends Run {
  readonly generation: Gen;
}

/** The records that have led to where each epoch ended, or is, and where in them an abort of a part told anew what was left. */
function wayOf(timeline: Timeline): { readonly stretches: readonly Stretch[]; readonly resets: ReadonlySet<number> } {
  const resets = new Set<number>();
  const stretches = timeline.flatMap((epoch) => {
    const sealed = new Map(epoch.markers.map(({ offset, generation }) => [offset, generation]));
    return segmentsBehind(epoch, resets).map(
      ({ start, end, generation }): Stretch => ({ start, end, generation: sealed.get(end) ?? generation }),
    );
  });
  return { stretches, resets };
}

/** `resets`: gets the offsets of what told anew. */
function segmentsBehind(epoch: Epoch, resets: Set<number>): Segment[] {
  const { markers, base } = epoch;
  const found = new Map<number, Segment>();
  const add = (at?: Gen): void => {
    for (const segment of liveSegments(epoch, at)) found.set(segment.start, segment);
  };
  add();
  for (let index = markers.length - 1; index >= 0; index--) {
    const marker = markers[index];
    // What a travel across a commit has carried along is of another epoch.
    if (marker?.carried !== true || (marker.target ?? 0) < base || !found.has(marker.next)) continue;
    resets.add(marker.offset);
    add(markers[index - 1]?.generation ?? base);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}
