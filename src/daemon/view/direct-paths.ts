/** `[session] direct` and `sockets`: which host paths the view passes through, checked before anything is mounted. */
import type { Layout } from '../../history/layout.ts';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { realPath } from '../../sys/files/text-files.ts';
import { defaultStateDirectory, stateDirectory } from '../../sys/host/state-directory.ts';
import { ConfigError, type UserError } from '../../sys/user-error.ts';

/** The view mounts these itself. */
const TAKEN = ['/proc', '/sys', '/dev', '/tmp'];

/** The paths with their symlinks resolved. Throws a UserError for one that is missing or would open the session. */
export function checkDirect(paths: readonly string[], layout: Layout, setting = 'direct'): string[] {
  const refused = (path: string, why: string): UserError =>
    new ConfigError(`${layout.config}: session.${setting}: ${path}: ${why}`);
  const own = [stateDirectory(), defaultStateDirectory()].map((path) => realPath(path) ?? path);
  return paths.map((path) => {
    const real = realPath(path);
    if (real === undefined) throw refused(path, 'it does not exist');
    if (isWithin(toBytePath(layout.dir), toBytePath(real))) throw refused(path, 'it contains the project itself');
    if (isWithin(toBytePath(real), toBytePath(layout.dir))) throw refused(path, "it is the session's own");
    if (own.some((dir) => isEither(real, dir))) throw refused(path, "it holds yolofs's own files, or lies among them");
    if (TAKEN.includes(real)) throw refused(path, 'the view has one of its own');
    return real;
  });
}

function isEither(a: string, b: string): boolean {
  const [one, other] = [toBytePath(a), toBytePath(b)];
  return isWithin(one, other) || isWithin(other, one);
}
