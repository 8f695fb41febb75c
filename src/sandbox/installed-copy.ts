/**
 * The holder as a file, and root's copy of it. Where the kernel gives user namespaces only to programs with an AppArmor profile
 * (Ubuntu's `apparmor_restrict_unprivileged_userns`), `yolofs setup` puts the copy where no user can change it, with a profile
 * attached to its path. This file lies just below `src`, and so does every bundle that it gets into: the path is right from each.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lookAt, readBytes, readText } from '../sys/files/text-files.ts';

/** The package's own. */
export const HOLDER_FILE = fileURLToPath(new URL('../bin/holder', import.meta.url));

export const COPY = '/usr/local/libexec/yolofs/holder';
export const PROFILE_FILE = '/etc/apparmor.d/yolofs-holder';

const RESTRICTION = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

export interface CopyState {
  readonly isFit: boolean;
  /** Why it is not to be used: `absent`, or in words. */
  readonly why: string;
}

/** Whether the kernel gives user namespaces to programs with a profile only. */
export function isRestricted(): boolean {
  return readText(RESTRICTION)?.trim() === '1';
}

/** `nested`: as in privilege.ts. Such a one needs no user namespace for its mounts. */
export function needsCopy(nested: boolean): boolean {
  return !nested && isRestricted();
}

/** Whether root's copy is this version's, and nobody but root can have changed it. */
export function copyState(copy = COPY, own = HOLDER_FILE): CopyState {
  const file = lookAt(copy);
  if (file === undefined) return { isFit: false, why: 'absent' };
  if (!file.isFile()) return { isFit: false, why: `${copy} is no file` };
  for (let path = copy; ; path = dirname(path)) {
    const why = whyChangeable(path);
    if (why !== undefined) return { isFit: false, why };
    if (path === '/') break;
  }
  const isSame = readBytes(copy)?.equals(readBytes(own) ?? Buffer.alloc(0)) === true;
  return isSame ? { isFit: true, why: '' } : { isFit: false, why: `${copy} is another version's` };
}

/** Why others than root could put something else at a path. */
function whyChangeable(path: string): string | undefined {
  const found = lookAt(path);
  if (found === undefined) return `${path} is gone`;
  if (found.isSymbolicLink()) return `${path} is a symbolic link`;
  if (found.uid !== 0) return `${path} belongs to user ${found.uid}, not to root`;
  return (found.mode & 0o022) === 0 ? undefined : `others than root may write ${path}`;
}
