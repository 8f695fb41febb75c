/** A source of which some contents lie elsewhere: whoever reads one gets what is there, as far as the person allows it. */
import { EACCES, EINVAL } from '../../sys/errno.ts';
import { type Entry, type Pointer, type Read, type Source, SourceError } from '../source.ts';

/** What another source of the person has at a path. Rejects with a SourceError. */
export type ReadOther = (source: string, path: string) => Promise<Uint8Array>;

export interface FollowOptions {
  /** What the person has named: origins such as `http://127.0.0.1:9000`, and `source:NAME`. */
  readonly allowed: readonly string[];
  /** Without it there are no others. */
  readonly readOther?: ReadOther | undefined;
}

/** So many addresses are asked at once. */
const AT_ONCE = 8;

/** The same source, with these contents. */
export function following(source: Source, options: FollowOptions): Source {
  const { candidates, commit } = source;
  return {
    tree: (principal, known, signal) => source.tree(principal, known, signal),
    readMany: async (entries, principal, signal) => {
      const reads = await source.readMany(entries, principal, signal);
      return reads.some((read) => 'elsewhere' in read) ? followAll(reads, options, signal) : reads;
    },
    ...(candidates && { candidates: candidates.bind(source) }),
    ...(commit && { commit: commit.bind(source) }),
    close: () => source.close(),
  };
}

/** In their order; one that fails is a fault of its own. */
async function followAll(reads: readonly Read[], options: FollowOptions, signal: AbortSignal): Promise<Read[]> {
  const found: Read[] = [...reads];
  const places = found.keys();
  const work = async (): Promise<void> => {
    for (const at of places) found[at] = await follow(found[at] as Read, options, signal);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function follow(read: Read, options: FollowOptions, signal: AbortSignal): Promise<Read> {
  if (!('elsewhere' in read) || read.elsewhere === undefined) return read;
  const { pointer, rev } = read.elsewhere;
  try {
    return { content: await contentAt(pointer, options, signal), rev };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { errno: error.errno, cause: error.cause };
  }
}

async function contentAt(
  pointer: Pointer,
  { allowed, readOther }: FollowOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (pointer.kind === 'http') {
    const { fetchAddress } = await import('./fetch-address.ts');
    return fetchAddress(pointer.url, { origins: allowed, signal });
  }
  const { source, path } = pointer;
  if (readOther === undefined) throw new SourceError(EINVAL, 'it lies in another source, and there is none here');
  // What is hidden in the view at the other's place would be seen here.
  if (!allowed.includes(`source:${source}`))
    throw new SourceError(EACCES, `it lies in source '${source}', which the source's 'pointers' does not name`);
  return readOther(source, path);
}

/** What an adapter says of an entry whose content lies elsewhere, to somebody who may see it. */
export function elsewhere({ path }: Entry, pointer: Pointer, rev: string): Read {
  return { errno: EINVAL, cause: `'${path}' lies elsewhere`, elsewhere: { pointer, rev } };
}
