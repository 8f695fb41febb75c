/** Whether a directory that an agent reads its hooks from can be the session's own: only one that holds nothing of a person's. */
import { join } from 'node:path';
import { namesIn } from '../../sys/files/text-files.ts';

export interface Room {
  /** The directory may be hidden in the view, and is to hold our hook there. */
  readonly isFree: boolean;
  /** Our hook is in it already, for all runs. */
  readonly hasOurs: boolean;
}

export function roomIn(home: string, directory: string, ours: string): Room {
  const names = namesIn(join(home, directory));
  return { isFree: names.length === 0, hasOurs: names.includes(ours) };
}

/** What the person hears when there is no room for our hook. */
export function noRoom(directory: string): string {
  return `~/${directory} is in use, so no hook was added there: no snapshot for each call`;
}
