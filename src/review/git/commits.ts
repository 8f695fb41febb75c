/** Git's commits that are new in the view, of loose objects. What they say is an agent's: it is measured before it is read. */
import { inflateSync } from 'node:zlib';

/** Of one commit: more than a message and its parents need. */
const MOST_BYTES = 1 << 20;

export interface Commit {
  readonly parents: readonly string[];
  /** The first line of its message, a byte a code unit. */
  readonly subject: string;
}

/** A loose object's content; undefined when it is no commit, or none that can be read. */
export function readCommit(bytes: Buffer): Commit | undefined {
  const text = inflated(bytes)?.toString('latin1');
  const start = /^commit \d+\0/.exec(text ?? '')?.[0].length;
  if (text === undefined || start === undefined) return undefined;
  const end = text.indexOf('\n\n', start);
  const head = text.slice(start, end < 0 ? text.length : end);
  const parents = [...head.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, hash = '']) => hash);
  const [subject = ''] = end < 0 ? [] : text.slice(end + 2).split('\n', 1);
  return { parents, subject };
}

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    // Whatever is wrong with it: it is none.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** What came to a branch. */
export interface Advance {
  /** New commits, the latest first. */
  readonly commits: readonly Commit[];
  /** Whether what it was is one of their parents: else it was rewritten, or moved elsewhere. */
  readonly isForward: boolean;
}

/** New commits that are looked at. */
const MOST_COMMITS = 1000;

/** From `now` back to `before`, as far as `find` knows the commits, which are new ones. */
export function advanceOf(
  before: string | undefined,
  now: string,
  find: (hash: string) => Commit | undefined,
): Advance {
  const seen = new Set([now]);
  const commits: Commit[] = [];
  for (const hash of seen) {
    const commit = hash === before || commits.length >= MOST_COMMITS ? undefined : find(hash);
    if (commit === undefined) continue;
    commits.push(commit);
    for (const parent of commit.parents) seen.add(parent);
  }
  return { commits, isForward: before === undefined || seen.has(before) };
}
