/**
 * What a row of the table is: a kind of place whose files run later outside of the view, or lead it. A pattern is a path from
 * any directory down (`.git/hooks/*`), or from the root (`/etc/cron*`); `*` stands for part of a name, `**` at the end for all
 * below. Whether a file is one often shows in the content only: then the row names who looks (contents.ts).
 */
import { atEveryHome } from '../../../sys/host/tool-homes.ts';
import type { Look } from './contents.ts';

/** What becomes of it: for programs; people read `why`. */
export type NoticeKind =
  | 'git'
  | 'shell'
  | 'login'
  | 'schedule'
  | 'programs'
  | 'agent'
  | 'editor'
  | 'packages'
  | 'ci'
  | 'build';

export interface Row {
  readonly kind: NoticeKind;
  /** A sentence about the file, without its name. */
  readonly why: string;
  readonly patterns: readonly string[];
  /** Says by the content what there is to tell; nothing: no notice. Without it the path says enough. */
  readonly look?: Look;
}

/** Patterns have no blanks in them; those of a tool's home hold for its other place, too. */
export function words(text: string): readonly string[] {
  return atEveryHome(text.trim().split(/\s+/));
}
