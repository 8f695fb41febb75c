/** Where the second mount of the view goes (fast-view.ts), if it may be made at all. */
import type { Layout } from '../../history/layout.ts';
import type { FastMount } from '../../sandbox/holder.ts';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { ensureDirectory } from '../../sys/files/files.ts';

/**
 * Makes its directory. Undefined for a project that is the whole tree, and for one with direct paths inside: to take the
 * second mount away would take away what is mounted on it, too.
 */
export function prepareFastMount({ project, fastMount }: Layout, direct: readonly string[]): FastMount | undefined {
  const at = toBytePath(project);
  if (project === '/' || direct.some((path) => isWithin(toBytePath(path), at))) return undefined;
  ensureDirectory(fastMount, 0o700);
  return { mount: fastMount, at: project };
}
