/** Text with what was put into it: edits that only add can be taken back to the byte, however the text was laid out. */

export interface Insertion {
  /** Code units from the start of the text. */
  readonly at: number;
  readonly text: string;
}

/** Where something was added: offset and length in the text as it is now, in code units. */
export type Span = readonly [at: number, length: number];

export interface Edited {
  readonly text: string;
  /** Ascending, apart from each other. */
  readonly added: readonly Span[];
}

/** The text as it is before anything is added. */
export function untouched(text: string): Edited {
  return { text, added: [] };
}

/** With these insertions, whose offsets all mean the text at hand; of two at one offset the first comes first. */
export function withInsertions(edited: Edited, insertions: readonly Insertion[]): Edited {
  // From the back, so that offsets in front stay what they are.
  return [...insertions]
    .reverse()
    .sort((a, b) => b.at - a.at)
    .reduce(insert, edited);
}

/** The text without what was added. Spans that do not lie in it are ignored. */
export function withoutAdded({ text, added }: Edited): string {
  return [...added].reverse().reduce((rest, [at, length]) => rest.slice(0, at) + rest.slice(at + length), text);
}

function insert({ text, added }: Edited, { at, text: more }: Insertion): Edited {
  const moved = added.map(([start, length]): Span => {
    if (at <= start) return [start + more.length, length];
    return at < start + length ? [start, length + more.length] : [start, length];
  });
  const isInside = added.some(([start, length]) => start < at && at < start + length);
  const spans = isInside ? moved : [...moved, [at, more.length] as const].sort((a, b) => a[0] - b[0]);
  return { text: text.slice(0, at) + more + text.slice(at), added: spans };
}
