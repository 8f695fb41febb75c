/** Where a configuration file really is, and what it says now. */
import { basename, dirname, join } from 'node:path';
import { readSeen, type Seen } from '../../sys/files/replace-file.ts';
import { lookAt, realPath } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Places } from './description.ts';

const BOM = '\uFEFF';

export interface FileState {
  /** Where the agent looks for it. */
  readonly path: string;
  /** Where it is, every symlink resolved. */
  readonly real: string;
  readonly seen: Seen | undefined;
  /** Without `bom`; undefined when there is no file. */
  readonly text: string | undefined;
  /** A byte order mark, or nothing. */
  readonly bom: string;
  /** Directories that have to be made for it, the outermost first. */
  readonly missing: readonly string[];
}

/**
 * Reads the file, or finds where it would be. Throws a UserError for what had better not be edited: no regular file, no
 * UTF-8, one with several names, and for a project's that is a symlink to somewhere else: whoever wrote the project has
 * put it there.
 */
export function readState(path: string, places: Places): FileState {
  const { real, missing } = resolved(path);
  if (places.level === 'project' && !isBelow(real, realPath(places.project) ?? places.project)) {
    throw new UserError(
      `${path} leads out of the project, to ${real}`,
      'nothing was changed; --user is for all projects',
    );
  }
  const stats = missing.length > 0 ? undefined : lookAt(real);
  if (stats === undefined) return { path, real, seen: undefined, text: undefined, bom: '', missing };
  if (!stats.isFile()) throw new UserError(`${path} is not a regular file`);
  if (stats.nlink > 1) {
    throw new UserError(`${path} has ${stats.nlink} names`, 'replacing it would tear them apart: use an editor');
  }
  const seen = readSeen(real);
  const whole = seen.bytes.toString('utf8');
  if (!Buffer.from(whole).equals(seen.bytes)) throw new UserError(`${path} is not UTF-8`);
  const bom = whole.startsWith(BOM) ? BOM : '';
  return { path, real, seen, text: whole.slice(bom.length), bom, missing };
}

/** Whether `path` is `directory` or lies in it; both without symlinks. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

function resolved(path: string): { real: string; missing: readonly string[] } {
  const names: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = realPath(at);
    if (real !== undefined) {
      const paths = names.map((_, i) => join(real, ...names.slice(0, i + 1)));
      return { real: paths.at(-1) ?? real, missing: paths.slice(0, -1) };
    }
    if (lookAt(at)?.isSymbolicLink())
      throw new UserError(`${at} is a symlink to nothing`, 'make what it names, or remove it');
    names.unshift(basename(at));
  }
}
