/** The directory that a command in the view ended in, for agents that start the next one there. */
import { join } from 'node:path';
import type { Layout } from '../../history/layout.ts';
import { lookAt, readText, realPath, removeName } from '../../sys/files/text-files.ts';
import type { Caller } from '../caller.ts';

const LONGEST_PATH = 4096;

/**
 * What the command has written into a file of the view's /tmp (`name`, no path), if that is a directory outside, too: no other
 * can be the next one, and a word on stderr says so.
 */
export function lastDirectory({ tmp, project }: Layout, name: string, caller: Caller): string | undefined {
  const at = realPath('/tmp');
  const inside = join(tmp, name);
  const found = at === undefined || at === project ? undefined : lookAt(inside);
  if (found?.isFile() !== true || found.size > LONGEST_PATH) return undefined;
  const directory = readText(inside)?.replace(/\n$/, '') ?? '';
  removeName(inside);
  if (directory.startsWith('/') && lookAt(directory)?.isDirectory() === true) return directory;
  caller.err(`yolofs: the next command does not start in ${JSON.stringify(directory)}: it is only staged\n`);
  return undefined;
}
