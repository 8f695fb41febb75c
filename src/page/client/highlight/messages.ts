/** What the page and its highlighting worker say to each other. */

/** Lines of one side of a hunk, in the language of its file. */
export interface HighlightRequest {
  readonly id: number;
  readonly path: string;
  readonly lines: readonly string[];
}

/** A stretch of a line: how many UTF-16 units, and the kind of word, empty for plain text. */
export type Token = readonly [length: number, kind: string];

export interface HighlightAnswer {
  readonly id: number;
  /** For each line; undefined where the language is unknown. */
  readonly lines?: readonly (readonly Token[])[];
}
