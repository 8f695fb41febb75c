/** The registry's directory, in the directory of what yolofs keeps (sys/host/state-directory.ts), and whether it is fit to be believed. */
import { dirname } from 'node:path';
import { EACCES, ENOENT, ENOTDIR, EPERM, EROFS, type Errno, SystemError } from '../../sys/errno.ts';
import { closeToOthers, inspect, makePrivateDirectories } from '../../sys/files/plain-directory.ts';
import { stateDirectory } from '../../sys/host/state-directory.ts';
import { UserError } from '../../sys/user-error.ts';

/** Where the home directory is missing or not to be written. */
const UNWRITABLE: ReadonlySet<Errno> = new Set([EACCES, ENOENT, ENOTDIR, EPERM, EROFS]);
const HINT = 'XDG_STATE_HOME may name another place';

/** The directory of the registry's entries. */
export function sessionsDirectory(): string {
  return `${stateDirectory()}/sessions`;
}

/** Whether `sessionsDirectory` is there and fit to be believed. Throws a UserError when it is there and is not. */
export function hasSessions(): boolean {
  return isOwn(stateDirectory()) && isOwn(sessionsDirectory());
}

/** Makes it. Throws a UserError where it cannot be. */
export function makeSessionsDirectory(): void {
  if (hasSessions()) return;
  refuseForeignHome();
  try {
    makePrivateDirectories(sessionsDirectory());
  } catch (error) {
    if (error instanceof SystemError && UNWRITABLE.has(error.errno)) {
      throw new UserError(error.message, `sessions are registered there; ${HINT}`);
    }
    throw error;
  }
  if (!hasSessions()) throw new UserError(`${sessionsDirectory()} is not there although it was just made`);
}

function isOwn(path: string): boolean {
  const found = inspect(path);
  if (found === undefined) return false;
  if (found.kind !== 'directory')
    throw new UserError(`${path} is no directory`, `sessions are registered there; ${HINT}`);
  if (found.owner !== process.geteuid?.()) {
    throw new UserError(
      `${path} belongs to user ${found.owner}, not to user ${process.geteuid?.()}`,
      `HOME or ${HINT}`,
    );
  }
  if ((found.mode & 0o077) !== 0) closeToOthers(path);
  return true;
}

/** Root with somebody else's HOME would make directories there that the other cannot enter any more. */
function refuseForeignHome(): void {
  let at = stateDirectory();
  while (inspect(at) === undefined) at = dirname(at);
  const owner = inspect(at)?.owner ?? 0;
  if (owner === 0 || owner === process.geteuid?.()) return;
  throw new UserError(`${at} belongs to user ${owner}, not to user ${process.geteuid?.()}`, `HOME or ${HINT}`);
}
