/**
 * What the person has decided so far. A decision is about what was shown: it survives what does not touch it, and falls where its
 * content has changed. What nobody has decided is left.
 */
import type { Facts } from '../../../history/compare/facts.ts';
import type { Choice, Counts, Decision } from '../../protocol.ts';
import { isUnwritten, keysOf, type ModelEntry, type Stamp } from './entry.ts';
import type { Model } from './model.ts';

/** Of a hunk or a section; of a hunk perhaps of some of its changed lines, from 1. */
export type Part =
  | { readonly decision: Decision }
  | { readonly taken: readonly number[]; readonly rejected: readonly number[] };

type Said = 'take' | 'reject';

interface Whole {
  readonly said: Said;
  readonly stamp: Stamp;
  /** Of what was decided, by its content; missing where that were too many files to read. */
  readonly keys?: string;
}

interface Parts {
  readonly parts: ReadonlyMap<string, Part>;
}

/** Files that are read when they are decided together; of more, a decision falls when they are written to, changed or not. */
const MOST_READ = 2000;

export class Decisions {
  readonly #all = new Map<string, Whole | Parts>();

  choiceOf({ id }: Pick<ModelEntry, 'id'>): Choice {
    const said = this.#all.get(id);
    if (said === undefined) return 'leave';
    return 'said' in said ? said.said : 'mixed';
  }

  /** Of one key of an entry. */
  partOf({ id }: ModelEntry, key: string): Part {
    const said = this.#all.get(id);
    if (said === undefined) return { decision: 'leave' };
    return 'said' in said ? { decision: said.said } : (said.parts.get(key) ?? { decision: 'leave' });
  }

  isDecided({ id }: Pick<ModelEntry, 'id'>): boolean {
    return this.#all.has(id);
  }

  /** Whether something of it was. */
  hasRejected({ id }: ModelEntry): boolean {
    const said = this.#all.get(id);
    if (said === undefined) return false;
    if ('said' in said) return said.said === 'reject';
    return [...said.parts.values()].some((part) =>
      'decision' in part ? part.decision === 'reject' : part.rejected.length > 0,
    );
  }

  decide(entries: readonly ModelEntry[], decision: Decision, facts: Facts): void {
    for (const entry of entries) {
      if (decision === 'leave') this.#all.delete(entry.id);
      else {
        const keys = entries.length > MOST_READ ? {} : { keys: keysOf(entry, facts).keys.join() };
        this.#all.set(entry.id, { said: decision, stamp: entry.stamp, ...keys });
      }
    }
  }

  /** Decides keys of one entry, or lines of one of them. False, and nothing is decided, when there is no such key or line. */
  decidePart(
    entry: ModelEntry,
    given: ReadonlyMap<string, readonly number[] | 'all'>,
    decision: Decision,
    facts: Facts,
  ): boolean {
    const { sections, keys } = keysOf(entry, facts);
    const hunks = new Map((sections.text?.hunks ?? []).map((hunk) => [hunk.key, countOf(hunk)]));
    const parts = new Map(keys.map((key) => [key, this.partOf(entry, key)]));
    for (const [key, lines] of given) {
      const before = parts.get(key);
      const count = hunks.get(key);
      if (before === undefined) return false;
      if (lines === 'all') parts.set(key, { decision });
      else if (count === undefined || lines.some((line) => line < 1 || line > count)) return false;
      else parts.set(key, withLines(before, lines, decision, count));
    }
    this.#together(sections.sections, given, parts, decision);
    this.#set(entry, parts, keys);
    return true;
  }

  /** Drops what is about something that is not so any more; these entries it was about. */
  renew(model: Model): string[] {
    const fallen: string[] = [];
    for (const [id, said] of this.#all) {
      const entry = model.entries.get(id);
      if (entry === undefined || model.facts === undefined) {
        this.#all.delete(id);
        fallen.push(id);
      } else if (!this.#stands(entry, said, model.facts)) fallen.push(id);
    }
    return fallen;
  }

  countsOf(entries: Iterable<ModelEntry>): Counts {
    const counts = { take: 0, leave: 0, reject: 0, mixed: 0 };
    for (const entry of entries) counts[this.choiceOf(entry)] += 1;
    return counts;
  }

  #stands(entry: ModelEntry, said: Whole | Parts, facts: Facts): boolean {
    const { id, stamp } = entry;
    if ('said' in said) {
      if (isUnwritten(said.stamp, stamp)) {
        this.#all.set(id, { ...said, stamp });
        return true;
      }
      const isSame = said.keys !== undefined && said.keys === keysOf(entry, facts).keys.join();
      if (isSame) this.#all.set(id, { ...said, stamp });
      else this.#all.delete(id);
      return isSame;
    }
    const { keys } = keysOf(entry, facts);
    const left = new Map(keys.flatMap((key) => (said.parts.has(key) ? [[key, this.partOf(entry, key)]] : [])));
    const decided = [...said.parts].filter(([, part]) => !isLeft(part));
    this.#set(entry, left, keys);
    return decided.every(([key]) => left.has(key));
  }

  /** A commit cannot have the mode of a file without its owner. */
  #together(
    sections: ReadonlyMap<string, string>,
    given: ReadonlyMap<string, unknown>,
    parts: Map<string, Part>,
    decision: Decision,
  ): void {
    const pair = [sections.get('mode'), sections.get('attributes')].filter((key) => key !== undefined);
    if (pair.some((key) => given.has(key))) for (const key of pair) parts.set(key, { decision });
  }

  #set(entry: ModelEntry, parts: ReadonlyMap<string, Part>, keys: readonly string[]): void {
    const { id, stamp } = entry;
    const said = new Set(keys.map((key) => wordOf(parts.get(key))));
    const [only] = said;
    if (said.size > 1 || only === 'mixed') this.#all.set(id, { parts: new Map(parts) });
    else if (only === undefined || only === 'leave') this.#all.delete(id);
    else this.#all.set(id, { said: only, stamp, keys: keys.join() });
  }
}

const LISTS = { take: 'taken', reject: 'rejected' } as const;

/** A part in a word. */
export function wordOf(part: Part | undefined): Choice {
  if (part === undefined) return 'leave';
  return 'decision' in part ? part.decision : 'mixed';
}

function isLeft(part: Part): boolean {
  return wordOf(part) === 'leave';
}

/** How many changed lines a hunk has. */
export function countOf({ lines }: { readonly lines: readonly string[] }): number {
  return lines.filter((line) => line.startsWith('-') || line.startsWith('+')).length;
}

function withLines(before: Part, lines: readonly number[], decision: Decision, count: number): Part {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const chosen = new Set(lines);
  const now = (said: Said): number[] => {
    const was = new Set('decision' in before ? (before.decision === said ? all : []) : before[LISTS[said]]);
    return all.filter((line) => (chosen.has(line) ? decision === said : was.has(line)));
  };
  const [taken, rejected] = [now('take'), now('reject')];
  if (taken.length === count) return { decision: 'take' };
  if (rejected.length === count) return { decision: 'reject' };
  return taken.length + rejected.length === 0 ? { decision: 'leave' } : { taken, rejected };
}
