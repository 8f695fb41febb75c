/** How others start this program from any directory. */
import { isExecutable, realPath } from '../sys/text-files.ts';
import { UserError } from '../sys/user-error.ts';

/** An absolute path, or an interpreter and a path. */
export function ownProgram(): string[] {
  const script = realPath(process.argv[1] ?? '');
  if (script === undefined) throw new UserError('the path of this program is unknown');
  return isExecutable(script) ? [script] : [process.execPath, script];
}
