/** How others start this program from any directory. */
import { isExecutable, realPath } from '../sys/text-files.ts';
import { UserError } from '../sys/user-error.ts';

/** An absolute path, or an interpreter and a path. `started`: how it was started now. */
export function ownProgram(started = process.argv[1] ?? ''): string[] {
  const script = realPath(started);
  if (script === undefined) throw new UserError('the path of this program is unknown');
  return isExecutable(script) ? [script] : [process.execPath, script];
}
