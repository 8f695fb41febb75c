/** `[session] direct` and `sockets`: which host paths the view passes through, checked and noted before anything is mounted. */
import type { Layout } from '../../history/layout.ts';
import { directRecord } from '../../rules/config/direct-record.ts';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { sha256Hex } from '../../sys/crypto-lazy.ts';
import { ensureDirectory } from '../../sys/files/files.ts';
import { makeLink, realPath } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';

/** The view mounts these itself. */
const TAKEN = ['/proc', '/sys', '/dev', '/tmp'];

/** The paths with their symlinks resolved. Throws a UserError for one that is missing or would open the session. */
export function checkDirect(paths: readonly string[], layout: Layout, setting = 'direct'): string[] {
  const refused = (path: string, why: string): UserError =>
    new UserError(`${layout.config}: session.${setting}: ${path}: ${why}`);
  return paths.map((path) => {
    const real = realPath(path);
    if (real === undefined) throw refused(path, 'it does not exist');
    if (isWithin(toBytePath(layout.dir), toBytePath(real))) throw refused(path, 'it contains the project itself');
    if (isWithin(toBytePath(real), toBytePath(layout.dir))) throw refused(path, "it is the session's own");
    if (TAKEN.includes(real)) throw refused(path, 'the view has one of its own');
    return real;
  });
}

/** Notes what `checkDirect` gave, so that no session is looked for there any more. Throws a SystemError when that cannot be. */
export function noteDirect(paths: readonly string[]): void {
  if (paths.length === 0) return;
  const record = directRecord();
  ensureDirectory(record, 0o700);
  for (const path of paths) makeLink(`${record}/${sha256Hex(path).slice(0, 32)}`, path);
}
