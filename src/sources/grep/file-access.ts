/**
 * What grep searches: paths, directories and contents, wherever they come from. Paths and names are bytes, one code unit
 * each, as they stand on the command line.
 */
import type { Errno } from '../../sys/errno.ts';
import type { Formula } from '../formula.ts';
import type { LinesAsked } from '../searching/excerpts.ts';

export type FileKind = 'file' | 'directory' | 'symlink' | 'device';

export interface Found {
  readonly kind: FileKind;
  /** Tells files apart, so that a directory is recognised that links lead back to. */
  readonly identity: string;
}

/** The content of one file, from its beginning. */
export interface Content {
  /** Undefined: it has no end that could be told beforehand, as a pipe. */
  readonly size: number | undefined;
  /** At most so many bytes, none at the end, or why there are none. */
  read(most: number): Uint8Array | Errno;
  close(): void;
}

export type Opener = () => Content | Errno;

/** Whether a file may match, or the lines in it that may (`../searching/excerpts.ts`): then it need not be opened. */
export type MayMatch = boolean | Uint8Array;

/** That lines which may match are enough. */
export interface LinesNeeded {
  readonly as: LinesAsked;
  /** All files that may match are going to be searched: it is no waste to bring those that are not at hand. */
  readonly ofAll: boolean;
}

/** That of each name in a directory; undefined: any of them may. */
export type Narrowing = (directory: string) => ((name: string) => MayMatch) | undefined;

export interface FileAccess {
  find(path: string, followLink: boolean): Found | Errno;
  /** In the order in which the directory has them. */
  list(directory: string): readonly { readonly name: string; readonly kind: FileKind }[] | Errno;
  /** Contents of files in their order, brought in bulk where that is worth while; each is opened when its turn comes. */
  open(paths: readonly string[]): Promise<readonly Opener[]>;
  readonly input: Content;
  /** Before anything is opened: which files at and below these operands may have what the formula says, as far as that is known. */
  narrow?(formula: Formula, operands: readonly string[], lines?: LinesNeeded): Promise<Narrowing | undefined>;
  /** After that: whether a directory, which no link names, has no file below it that may match, and nothing that cannot be read. */
  isBarren?(directory: string): boolean;
}

/** Where results go. Bytes, as they are. */
export interface Sink {
  out(bytes: Uint8Array): void;
  /** Without the newline. */
  err(line: string): void;
  /** Resolves when more may be written. */
  drained(): Promise<void>;
}
