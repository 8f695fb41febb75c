/** How others start this program from any directory. */
import { basename, join } from 'node:path';
import { isExecutable, realPath } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';

const NAMES = ['yolofs', 'yolo'];

/** For as long as this version is installed. An absolute path, or an interpreter and a path. `started`: how it was started now. */
export function ownProgram(started = process.argv[1] ?? ''): string[] {
  const script = realPath(started);
  if (script === undefined) throw new UserError('the path of this program is unknown');
  return isExecutable(script) ? [script] : [process.execPath, script];
}

/**
 * Words that start this program from any directory, and still after an update: by preference the link that npm makes in a
 * directory of programs, since what it leads to has the version of Node, or a checkout, in its path.
 */
export function lastingProgram(): string[] {
  const script = process.argv[1];
  if (script === undefined) throw new UserError('the path of this program is unknown');
  if (NAMES.includes(basename(script)) && isExecutable(script)) return [script];
  const real = realPath(script);
  const linked = (process.env.PATH ?? '')
    .split(':')
    .filter((directory) => directory.startsWith('/'))
    .flatMap((directory) => NAMES.map((name) => join(directory, name)))
    // What this user cannot reach (a directory of PATH that is closed) cannot be resolved either.
    .find((path) => isExecutable(path) && realPath(path) === real);
  if (linked !== undefined) return [linked];
  return isExecutable(script) ? [script] : [process.execPath, script];
}
