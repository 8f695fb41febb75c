/** Faults that change nothing that anybody could notice, each with the reason. */
export interface Equivalent {
  readonly path: string;
  /** The line, and what is put in it. */
  readonly text: string;
  readonly after: string;
  readonly because: string;
}

export const EQUIVALENT: readonly Equivalent[] = [];
