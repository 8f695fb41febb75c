/**
 * A commit to a source was cut short, and the mirror has been given back what it was. Three contents tell what to do about a path: that
 * of the mirror, what the commit was about to write, and what the source has now.
 *
 *     mirror = written          the commit counts, or changes nothing          nothing
 *     source = mirror           it had not come that far                       its revision is noted
 *     source = written, or      the commit's                                   the source is given back what the mirror has
 *       has a part of it
 *     anything else             somebody else's                                the mirror shows it
 */
import { isAwaitedMode } from '../staging/awaited/fetched.ts';
import { readIfMode } from '../sys/files/hollow.ts';
import { lookAt } from '../sys/files/text-files.ts';
import type { Mirror } from './mirror/mirror.ts';
import { type Digest, digestOf } from './mirror/writes.ts';
import type { Entry, Read } from './source.ts';

export interface Verdict {
  /** The source is to be given back what the mirror has. */
  readonly ours: readonly string[];
  /** The mirror is to show what the source has. */
  readonly strange: readonly string[];
}

export const SETTLED: Verdict = { ours: [], strange: [] };

/** What a source has now. Both reject with a SourceError. */
export interface Now {
  entries(): Promise<ReadonlyMap<string, Entry>>;
  read(entries: readonly Entry[]): Promise<readonly Read[]>;
}

/** Judges paths, and notes in the mirror which revision each of them has. Rejects as `now`. */
export async function judgeUnsettled(
  mirror: Mirror,
  { paths, writes }: { readonly paths: readonly string[]; readonly writes: ReadonlyMap<string, Digest> },
  now: Now,
): Promise<Verdict> {
  const entries = await now.entries();
  const there = paths.flatMap((path) => entries.get(path) ?? []);
  const reads = await now.read(there);
  const found = new Map(there.map(({ path }, i) => [path, contentOf(reads[i])]));
  const ours: string[] = [];
  const strange: string[] = [];
  for (const path of paths) {
    const [written, here, has] = [writes.get(path), digestHere(mirror, path), found.get(path) ?? null];
    if (here === undefined) strange.push(path);
    else if (written === undefined || here !== written) {
      const isOurs = written !== undefined && (has === written || has === BROKEN);
      if (has !== here && !isOurs) strange.push(path);
      else note(mirror, path, entries.get(path));
      if (has !== here && isOurs) ours.push(path);
    }
  }
  return { ours, strange };
}

/** A content that the server has only a part of. */
const BROKEN = 'broken';

function contentOf(read: Read | undefined): Digest {
  return read !== undefined && 'content' in read ? digestOf(read.content) : BROKEN;
}

/** Undefined: it is not here, and nobody can give it back. */
function digestHere({ root }: Mirror, path: string): Digest | undefined {
  if (lookAt(`${root}/${path}`) === undefined) return null;
  const most = Number.POSITIVE_INFINITY;
  const content = readIfMode(`${root}/${path}`, { most, isMeant: (mode) => !isAwaitedMode(mode) });
  return content === undefined ? undefined : digestOf(content);
}

/** It stays what is shown. */
function note(mirror: Mirror, path: string, entry: Entry | undefined): void {
  if (entry === undefined) mirror.committed(path, undefined, { kind: 'file', size: 0, mtime: 0, acl: [] });
  else {
    const { size, mtime } = mirror.entries.get(path) ?? entry;
    mirror.committed(path, entry.rev, { ...entry, size, mtime });
  }
}
