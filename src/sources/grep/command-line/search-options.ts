/** What GNU grep's command line says, once it is read. */

export type Dialect = 'basic' | 'extended' | 'fixed';

/** A file name of the command line: bytes, one code unit each. */
type Path = string;

export interface GlobRule {
  readonly glob: Path;
  readonly isIncluding: boolean;
}

export interface Options {
  /** Where patterns come from, in their order: words, or the lines of a file. */
  readonly patterns: readonly ({ readonly text: string } | { readonly file: Path })[];
  readonly operands: readonly Path[];
  readonly dialect: Dialect;
  readonly ignoreCase: boolean;
  readonly invert: boolean;
  readonly words: boolean;
  readonly wholeLines: boolean;
  /** What ends a line: a newline, with -z a NUL. */
  readonly lineEnd: number;
  readonly count: boolean;
  readonly list: 'none' | 'matching' | 'others';
  readonly quiet: boolean;
  readonly onlyMatching: boolean;
  readonly most: number;
  readonly before: number;
  readonly after: number;
  /** Whether -A, -B or -C was given, be it 0: it parts groups of lines. */
  readonly hasContext: boolean;
  readonly separator: string | undefined;
  readonly names: 'with' | 'without' | 'if-many';
  readonly lineNumbers: boolean;
  readonly byteOffsets: boolean;
  readonly initialTab: boolean;
  readonly nulAfterName: boolean;
  readonly label: string;
  readonly noMessages: boolean;
  readonly binary: 'binary' | 'text' | 'without-match';
  readonly directories: 'read' | 'recurse' | 'skip';
  readonly followLinks: boolean;
  readonly devices: 'default' | 'read' | 'skip';
  readonly files: readonly (GlobRule | { readonly excludedIn: Path })[];
  readonly excludedDirectories: readonly GlobRule[];
  /** Told on stderr before anything else. */
  readonly warnings: readonly string[];
}

/** A command line that means something else than a search. */
export type Answer = { readonly ask: 'help' | 'version' };
