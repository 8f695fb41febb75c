/** What the lines of a hunk need to be drawn. */
import type { Choice, Decision } from '../../protocol.ts';
import type { Lines } from '../highlight/highlighter.ts';
import type { Commands } from './blame.ts';
import type { Line } from './rows.ts';

/** The syntax colours of both sides, from the first line of each on. */
export interface Colours {
  readonly old: Lines | undefined;
  readonly new: Lines | undefined;
  readonly firsts?: { readonly old: number; readonly new: number };
}

export interface HunkContext {
  readonly id: string;
  readonly lines: readonly Line[];
  readonly colours: Colours;
  readonly choiceOf: (line: Line) => Choice | undefined;
  readonly onDecide: ((line: Line, decision: Decision) => void) | undefined;
  readonly commands: Commands | undefined;
  readonly canNote: boolean;
}
