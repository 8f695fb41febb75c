/** What servers say, as it is told to who asked. */
import { EIO, ENOENT, ETIMEDOUT } from '../sys/errno.ts';
import { targetOf } from './mirror/mirror.ts';
import { type Entry, type Outcome, type Read, SourceError, type SourceFault } from './source.ts';

/** As long as a server may take. */
export const PATIENCE_MS = 60_000;

/** What came of one path that somebody wants to read. */
export type Fetched =
  /** The mirror showed this revision when it was asked for. */
  | { readonly path: string; readonly content: Uint8Array; readonly rev: string }
  /** The source has something else at it by now, which the mirror shows. */
  | { readonly path: string; readonly moved: true }
  | { readonly path: string; readonly fault: SourceFault };

/** The same as it goes to a file in the mirror: the one that has this inode number. */
export type ToFill =
  | Exclude<Fetched, { readonly content: Uint8Array }>
  | { readonly path: string; readonly content: Uint8Array; readonly ino: number };

/** What is said of a path that the answer of a source leaves out. */
export const NO_ANSWER: SourceFault = { errno: EIO, cause: 'the source gave no answer' };

/** An outcome that is missing. */
export function unanswered(): Outcome {
  return { kind: 'failed', fault: NO_ANSWER };
}

/** One fault for all of them. */
export function failed(paths: readonly string[], { errno, cause }: SourceFault): Fetched[] {
  return paths.map((path) => ({ path, fault: { errno, cause } }));
}

/** What came of a read. */
export function outcomeOf(path: string, found: { entry: Entry; read: Read | undefined } | undefined): Fetched {
  if (found?.read === undefined) return { path, fault: { errno: ENOENT, cause: 'the source has it no longer' } };
  const { entry, read } = found;
  if ('errno' in read) return { path, fault: { errno: read.errno, cause: read.cause } };
  return read.rev === entry.rev ? { path, content: read.content, rev: read.rev } : { path, moved: true };
}

/** Where a symlink leads, by its path; nothing when that could not be read. */
export function targetIn(path: string, read: Read | undefined): [string, string][] {
  if (read === undefined || 'errno' in read) return [];
  const target = targetOf(read.content);
  return target === undefined ? [] : [[path, target]];
}

/** Why a request failed, in words for `audit`. */
export function faultOf(error: unknown, signal: AbortSignal): SourceFault {
  if (error instanceof SourceError) return error;
  if (signal.aborted) return { errno: ETIMEDOUT, cause: `no answer within ${PATIENCE_MS / 1000} s` };
  return { errno: EIO, cause: error instanceof Error ? error.message : String(error) };
}

/** Rejects when the time is over. */
export function expiry(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
