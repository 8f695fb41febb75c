/** The directory that a command in the view ended in, for agents that start the next one there. */
import { join } from 'node:path';
import { SystemError } from '../../sys/errno.ts';
import { lookAt, readForeign, removeName } from '../../sys/files/text-files.ts';
import type { Caller } from '../caller.ts';

const LONGEST_PATH = 4096;

/**
 * What the command has written into a file of the view's /tmp (`name`, no path; `tmp`: where the host finds it), if that is a directory outside, too: no other
 * can be the next one, and a word on stderr says so. What the file holds is not repeated: processes in the view may still put something else
 * in its place.
 */
export function lastDirectory(tmp: string | undefined, name: string, caller: Caller): string | undefined {
  const directory = tmp === undefined ? undefined : takeText(join(tmp, name));
  if (directory === undefined) return undefined;
  if (directory.startsWith('/') && lookAt(directory)?.isDirectory() === true) return directory;
  caller.err('yolofs: the next command does not start where this one has ended: that directory is only staged\n');
  return undefined;
}

/** Undefined where there is no such file, or something else than a file of ours. */
function takeText(path: string): string | undefined {
  try {
    const text = readForeign(path, LONGEST_PATH)?.toString('utf8').replace(/\n$/, '');
    removeName(path);
    return text;
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}
