/**
 * Threads that are started late in a daemon's life. npm may have put another version in the place of this program by then, or be about to:
 * a program of that version is not told what this one would be told, and what the thread is for is done without it.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { inspect } from '../../sys/files/plain-directory.ts';
import { DAEMON_MAIN } from '../entries.ts';

const STARTED_FROM = inspect(DAEMON_MAIN);

/** A thread of this program; undefined when it is not there any more. */
export function startThread(entry: URL, options: WorkerOptions): Worker | undefined {
  const now = inspect(DAEMON_MAIN);
  const isSame = now?.device === STARTED_FROM?.device && now?.inode === STARTED_FROM?.inode;
  return isSame ? new Worker(entry, options) : undefined;
}
