/** Faults that change nothing that anybody could notice, each with the reason. */
export interface Equivalent {
  readonly path: string;
  /** The line, and what is put in it. */
  readonly text: string;
  readonly after: string;
  readonly because: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    path: 'src/staging/copy-content.ts',
    text: 'if (n < 0) return -n as Errno;',
    after: '1',
    because: 'where nothing more is copied -0 is OK, which the line below answers',
  },
  {
    path: 'src/rules/closed-links.ts',
    text: 'if (nodes.length > 1) nodes = nodes.slice(0, -1);',
    after: '>=',
    because: 'where no node is left the root is taken, wherever the last one is looked at',
  },
];
