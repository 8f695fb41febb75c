/**
 * What a person has said of what is staged: take, leave, reject, or nothing yet. A decision is about what was shown: it survives what
 * does not touch it, and falls where its content has changed. The page and the terminal keep theirs here.
 */

/** `leave`: looked at, and it stays staged. */
export type Said = 'take' | 'leave' | 'reject';

/** Of something that consists of parts. */
export type State = Said | 'mixed' | undefined;

/** Of a section, or of a hunk; of a hunk perhaps of each of its changed lines. */
export type Part = { readonly said: Said | undefined } | { readonly lines: readonly (Said | undefined)[] };

/** What a change was when it was read, without its content. */
export interface Stamp {
  /** What it is, and which object has its content. */
  readonly what: string;
  /** Of the object. */
  readonly times: string;
  /** A snapshot has the object: whoever writes to the file from now on writes to a copy. */
  readonly isFixed: boolean;
}

/** Something that decisions are about: a path, or what is decided together. */
export interface Decidable {
  readonly id: string;
  readonly stamp: Stamp;
  /** Keys of what is decided alone in it; of a hunk the number of its changed lines. Reads contents. */
  parts(): ReadonlyMap<string, number | undefined>;
}

/** Keys of parts; of a hunk perhaps some of its changed lines, from 1. */
export type Given = ReadonlyMap<string, readonly number[] | 'all'>;

interface Whole {
  readonly state: Said;
  readonly stamp: Stamp;
  /** Of what was decided, by its content; missing where that was not read. */
  readonly keys?: string;
}

interface Divided {
  readonly state: State;
  readonly parts: ReadonlyMap<string, Part>;
}

const NOTHING: Part = { said: undefined };

/** Whether nobody has written to it between two readings. */
export function isUnwritten(earlier: Stamp, later: Stamp): boolean {
  return earlier.what === later.what && (earlier.isFixed || earlier.times === later.times);
}

export class Decisions {
  readonly #all = new Map<string, Whole | Divided>();

  /** Of all of it; reads nothing. */
  stateOf(id: string): State {
    return this.#all.get(id)?.state;
  }

  partOf(id: string, key: string): Part {
    const found = this.#all.get(id);
    if (found === undefined) return NOTHING;
    return 'parts' in found ? (found.parts.get(key) ?? NOTHING) : { said: found.state };
  }

  isDecided(id: string): boolean {
    return this.#all.has(id);
  }

  /** Whether something of it was. */
  hasRejected(id: string): boolean {
    const found = this.#all.get(id);
    if (found === undefined || !('parts' in found)) return found?.state === 'reject';
    return [...found.parts.values()].some((part) =>
      'said' in part ? part.said === 'reject' : part.lines.includes('reject'),
    );
  }

  /** Of all of it; undefined takes back what was said. `isRead`: it holds as long as its contents are the same, whoever writes them anew. */
  say(thing: Decidable, said: Said | undefined, isRead = false): void {
    const { id, stamp } = thing;
    if (said === undefined) this.#all.delete(id);
    else this.#all.set(id, { state: said, stamp, ...(isRead ? { keys: keysOf(thing) } : {}) });
  }

  /** Of parts of it, or of lines of hunks. False, and nothing is decided, when there is no such part or line. */
  sayOf(thing: Decidable, given: Given, said: Said | undefined): boolean {
    const all = thing.parts();
    const parts = new Map([...all.keys()].map((key) => [key, this.partOf(thing.id, key)]));
    for (const [key, lines] of given) {
      const [before, count] = [parts.get(key), all.get(key)];
      if (before === undefined) return false;
      if (lines === 'all') parts.set(key, { said });
      else if (count === undefined || lines.some((line) => line < 1 || line > count)) return false;
      else parts.set(key, withLines(before, lines, said, count));
    }
    this.#set(thing.id, parts);
    return true;
  }

  /** Drops what is about something that is not so any more; these ids it was about. `find`: what there is now. */
  renew(find: (id: string) => Decidable | undefined): string[] {
    return [...this.#all].flatMap(([id, decided]) => {
      const thing = find(id);
      if (thing === undefined) this.#all.delete(id);
      return thing !== undefined && this.#stands(thing, decided) ? [] : [id];
    });
  }

  #stands(thing: Decidable, decided: Whole | Divided): boolean {
    const { id, stamp } = thing;
    if ('parts' in decided) {
      const kept = new Map([...thing.parts().keys()].map((key) => [key, decided.parts.get(key) ?? NOTHING]));
      this.#set(id, kept);
      return [...decided.parts].every(([key, part]) => kept.has(key) || stateOf(part) === undefined);
    }
    const { keys } = decided;
    const isSame = isUnwritten(decided.stamp, stamp) || (keys !== undefined && keys === keysOf(thing));
    if (isSame) this.#all.set(id, { ...decided, stamp });
    else this.#all.delete(id);
    return isSame;
  }

  #set(id: string, parts: ReadonlyMap<string, Part>): void {
    const state = common([...parts.values()].map(stateOf));
    if (state === undefined) this.#all.delete(id);
    else this.#all.set(id, { state, parts });
  }
}

export function stateOf(part: Part): State {
  return 'said' in part ? part.said : common(part.lines);
}

/** What was said of several, in a word. */
export function common(states: readonly State[]): State {
  const [only, ...others] = new Set(states);
  return others.length === 0 ? only : 'mixed';
}

function keysOf(thing: Decidable): string {
  return [...thing.parts().keys()].join();
}

function withLines(before: Part, lines: readonly number[], said: Said | undefined, count: number): Part {
  const was = (index: number): Said | undefined => ('said' in before ? before.said : before.lines[index]);
  const chosen = new Set(lines);
  const now = Array.from({ length: count }, (_, index) => (chosen.has(index + 1) ? said : was(index)));
  const state = common(now);
  return state === 'mixed' ? { lines: now } : { said: state };
}
