/** Where a commit keeps what (FORMAT.md): `.yolofs/commits/N/`. */
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join, toBytePath } from '../../sys/bytes.ts';
import type { Layout } from '../layout.ts';

export function commitsOf(layout: Layout): BytePath {
  return toBytePath(layout.commits);
}

/** The directory of a commit. */
export function logOf(layout: Layout, number: number): BytePath {
  return join(commitsOf(layout), String(number) as Name);
}

/** Where the originals lie, in the directory of a commit. */
export function atticOf(log: BytePath): BytePath {
  return join(log, 'kept' as Name);
}
