/** The repository of a project that is one of its work trees: git keeps it elsewhere, and it is the project's own all the same. */
import { basename, dirname, join, resolve } from 'node:path';
import { SystemError } from '../../sys/errno.ts';
import { lookAt, readStart, realPath } from '../../sys/files/text-files.ts';

const LONGEST = 4096;

/**
 * The git directory that all work trees share; undefined where `project` is none. The file in the project may come from anybody, so
 * it is believed only where the repository itself says that this is one of its work trees.
 */
export function sharedGitDirectory(project: string): string | undefined {
  try {
    const own = pathIn(join(project, '.git'), /^gitdir: ([^\n]+)\n?$/, project);
    if (own === undefined || basename(dirname(own)) !== 'worktrees') return undefined;
    const shared = dirname(dirname(own));
    const back = pathIn(join(own, 'gitdir'), /^([^\n]+)\n?$/, own);
    if (back === undefined || back !== realPath(join(project, '.git'))) return undefined;
    return ['HEAD', 'objects', 'refs'].every((name) => lookAt(join(shared, name)) !== undefined) ? shared : undefined;
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/** The path that a file holds, without symlinks. */
function pathIn(file: string, form: RegExp, from: string): string | undefined {
  const text = readStart(file, LONGEST);
  const path = text === undefined ? undefined : form.exec(text)?.[1];
  return path === undefined ? undefined : realPath(resolve(from, path));
}
