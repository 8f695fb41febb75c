/** What git has to be told in the view. */
import { join } from 'node:path';
import { lookAt } from '../../sys/files/text-files.ts';

/**
 * The project may be a mount point in the view (sandbox/README.md), and git looks for its repository no further up than one,
 * unless it is told to. Empty for a project that is the top of a repository itself.
 */
export function repositoryVariables(project: string): Record<string, string> {
  return lookAt(join(project, '.git')) === undefined ? { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' } : {};
}
