/** The hunks of one file as the page asks for them: rows of them, a page at a time. */
import type { Section } from '../../../history/diff/text/sections.ts';
import type { FileKind, ShownHunk } from '../../protocol.ts';

/** Of a hunk, or of a part of it, all but what is decided. */
export type HunkRows = Omit<ShownHunk, 'choice' | 'command' | 'taken' | 'rejected'>;

export interface FileText {
  readonly kind: FileKind;
  /** What else is decided alone, by its key. */
  readonly sections: ReadonlyMap<Section, string>;
  readonly hunkCount: number;
  /** The lines of all hunks, one after the other. */
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  /** The row that a hunk begins with. */
  startOf(hunk: number): number | undefined;
  page(from: number, count: number): HunkRows[];
}
