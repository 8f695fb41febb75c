/**
 * What one name may show: some version that the host gave it, with some of what was written in the view since, in its order. Every
 * write of either side is a pattern of its own, so anything else is a mixture. Knows nothing of how yolofs decides.
 */

/** What a write in the view makes of a content. */
export type Edit = (content: string) => string;

interface Version {
  /** Undefined: the name is not there. */
  readonly content: string | undefined;
  readonly at: number;
}

interface Written {
  readonly edit: Edit;
  readonly at: number;
  /** What of it shows where it was not written over; undefined: nothing. */
  readonly tag: string | undefined;
}

/** Contents to be told apart at most; beyond it only the latest writes are. */
const MOST = 4096;

export class Story {
  readonly #versions: Version[] = [];
  readonly #edits: Written[] = [];
  #now = 0;
  /** Whether what the host has is of the session's making, or a person has been told of it and has chosen a side. */
  #isDecided = false;

  constructor(content: string) {
    this.host(content);
  }

  /** What the host has now. */
  get latest(): string | undefined {
    return this.#versions.at(-1)?.content;
  }

  /** Somebody has made this of it on the host. */
  host(content: string | undefined): void {
    this.#isDecided = false;
    this.#versions.push({ content, at: ++this.#now });
  }

  /** Somebody has written to it in the view, perhaps in vain: a text in which `tag` comes again and again. */
  view(edit: Edit, tag?: string): void {
    this.#edits.push({ edit, at: ++this.#now, tag });
  }

  /** A commit or an undo has made this of it on the host: what was written before may be part of it, or be staged again. */
  session(content: string | undefined): void {
    this.#isDecided = true;
    const known = this.#versions.findLast((version) => version.content === content);
    this.#versions.push({ content, at: known?.at ?? 0 });
  }

  /** A person has been told that both sides have changed it, and has chosen one. */
  decided(): void {
    this.#isDecided = true;
  }

  /** Whether a commit may put this in the place of what the host has: no byte that somebody wrote there goes without a word. */
  mayBecome(content: string | undefined): boolean {
    const isFree = this.#isDecided || this.latest === undefined;
    return this.explains(content, isFree ? 'any version' : 'the latest');
  }

  /** Whether the host had it once. */
  had(content: string | undefined): boolean {
    return this.#versions.some((version) => version.content === content);
  }

  /** All that it may show; first what is made of the writes that `seen` shows something of, as there may be too many to tell all. */
  *contents(which: 'any version' | 'the latest', seen = ''): Generator<string | undefined> {
    const versions = which === 'any version' ? [...this.#versions].reverse() : this.#versions.slice(-1);
    const shown = this.#edits.filter(({ tag }) => tag === undefined || seen.includes(tag));
    for (const edits of [shown, this.#edits]) for (const version of versions) yield* written(version, edits);
  }

  /** Whether this is a version with what was written to that. */
  explains(content: string | undefined, which: 'any version' | 'the latest'): boolean {
    for (const one of this.contents(which, content)) if (one === content) return true;
    return false;
  }
}

/** A version with any of the writes since. */
function written({ content, at }: Version, edits: readonly Written[]): Set<string | undefined> {
  let found = new Set<string | undefined>([content]);
  for (const { edit, at: when } of edits) {
    if (when <= at) continue;
    const next = new Set(found);
    for (const before of found) next.add(edit(before ?? ''));
    found = next.size > MOST ? new Set([...next].slice(-MOST)) : next;
  }
  return found;
}

/** Writes `text` at an offset, over what is there. */
export function put(at: number, text: string): Edit {
  return (content) => content.padEnd(at, '\0').slice(0, at) + text + content.slice(at + text.length);
}
