/** The decisions on entries, as the page has them: what nobody has decided is left. */
import type { Facts } from '../../../history/diff/facts.ts';
import { type Sections, sectionsOf } from '../../../history/diff/text/sections.ts';
import {
  type Decidable,
  type Given,
  Decisions as Kept,
  type Part as KeptPart,
} from '../../../review/pick/decisions.ts';
import { numbersOf } from '../../../review/pick/units.ts';
import type { Choice, Counts, Decision } from '../../protocol.ts';
import type { ModelEntry } from './entry.ts';
import type { Model } from './model.ts';

/** Of a hunk or a section; of a hunk perhaps of some of its changed lines, from 1. */
export type Part =
  | { readonly decision: Decision }
  | { readonly taken: readonly number[]; readonly rejected: readonly number[] };

/** Files that are read when they are decided together; of more, a decision falls when they are written to, changed or not. */
const MOST_READ = 2000;

export class Decisions {
  readonly #kept = new Kept();

  choiceOf({ id }: Pick<ModelEntry, 'id'>): Choice {
    return this.#kept.stateOf(id) ?? 'leave';
  }

  /** Of one key of an entry. */
  partOf(entry: ModelEntry, key: string): Part {
    return toShown(this.keptPartOf(entry, key));
  }

  keptPartOf({ id }: ModelEntry, key: string): KeptPart {
    return this.#kept.partOf(id, key);
  }

  isDecided({ id }: Pick<ModelEntry, 'id'>): boolean {
    return this.#kept.isDecided(id);
  }

  /** Whether something of it was. */
  hasRejected({ id }: ModelEntry): boolean {
    return this.#kept.hasRejected(id);
  }

  decide(entries: readonly ModelEntry[], decision: Decision, facts: Facts): void {
    const isRead = entries.length <= MOST_READ;
    for (const entry of entries)
      this.#kept.say(
        toDecidable(entry, () => sectionsOf(entry.change, facts)),
        saidOf(decision),
        isRead,
      );
  }

  /** Decides keys of one entry, or lines of one of them. False, and nothing is decided, when there is no such key or line. */
  decidePart(entry: ModelEntry, given: Given, decision: Decision, facts: Facts): boolean {
    const sections = sectionsOf(entry.change, facts);
    return this.#kept.sayOf(
      toDecidable(entry, () => sections),
      together(given, sections),
      saidOf(decision),
    );
  }

  /** Drops what is about something that is not so any more; these entries it was about. */
  renew({ entries, facts }: Model): string[] {
    return this.#kept.renew((id) => {
      const entry = entries.get(id);
      return entry && facts && toDecidable(entry, () => sectionsOf(entry.change, facts));
    });
  }

  countsOf(entries: Iterable<ModelEntry>): Counts {
    const counts = { take: 0, leave: 0, reject: 0, mixed: 0 };
    for (const entry of entries) counts[this.choiceOf(entry)] += 1;
    return counts;
  }
}

function toDecidable({ id, stamp }: ModelEntry, read: () => Sections): Decidable {
  return {
    ...{ id, stamp },
    parts: () => {
      const { sections, text } = read();
      return new Map<string, number | undefined>([
        ...[...sections.values()].map((key) => [key, undefined] as const),
        ...(text?.hunks ?? []).map((hunk) => [hunk.key, numbersOf(hunk).length] as const),
      ]);
    },
  };
}

/** Nothing that is left has to be remembered. */
function saidOf(decision: Decision): 'take' | 'reject' | undefined {
  return decision === 'leave' ? undefined : decision;
}

/** A commit cannot have the mode of a file without its owner. */
function together(given: Given, { sections }: Sections): Given {
  const pair = [sections.get('mode'), sections.get('attributes')].filter((key) => key !== undefined);
  if (!pair.some((key) => given.has(key))) return given;
  return new Map([...given, ...pair.map((key) => [key, 'all'] as const)]);
}

function toShown(part: KeptPart): Part {
  if ('said' in part) return { decision: part.said ?? 'leave' };
  const numbers = (wanted: Decision): number[] =>
    part.lines.flatMap((said, index) => (said === wanted ? [index + 1] : []));
  return { taken: numbers('take'), rejected: numbers('reject') };
}

/** A part in a word. */
export function wordOf(part: Part | undefined): Choice {
  if (part === undefined) return 'leave';
  return 'decision' in part ? part.decision : 'mixed';
}
