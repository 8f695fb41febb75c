/** Whether what an agent keeps is of the project it was started in: only that may be applied without a person. */
import { join } from 'node:path';
import { lookAt } from '../../sys/files/text-files.ts';
import { parseTable } from './json-state.ts';

/** Whether `project` is the directory `cwd`, or the repository that it lies in. */
export function isOfProject(project: unknown, cwd: string): boolean {
  if (typeof project !== 'string') return false;
  return project === cwd || (cwd.startsWith(`${project}/`) && lookAt(join(project, '.git')) !== undefined);
}

/** What a file of lines, each a JSON object, has at its end that it had not; undefined where it was changed otherwise. */
export function addedLines(before: string | undefined, after: string): Record<string, unknown>[] | undefined {
  const isWhole = before === undefined || before === '' || before.endsWith('\n');
  if (!isWhole || !after.startsWith(before ?? '')) return undefined;
  const lines = after
    .slice(before?.length ?? 0)
    .split('\n')
    .filter((line) => line !== '')
    .map(parseTable);
  return lines.every((line) => line !== undefined) ? lines : undefined;
}
