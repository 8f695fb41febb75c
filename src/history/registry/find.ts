/**
 * Whether a directory has a session: the one decision, for all commands, hooks, launchers and daemons. What lies in the tree is believed
 * only where the registry, which no repository and no view can write, says that this user made it (README.md).
 */

import { type Found, inspect, withPlainDirectory } from '../../sys/files/plain-directory.ts';
import { lookAt, namesIn } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { type Layout, layoutAt, SESSION_DIR } from '../layout.ts';
import { isMarked, sessionApart } from './apart.ts';
import { allRegistered, entryOf, isToken, moveEntry, type Registered, registeredAs, renumberEntry } from './entries.ts';
import { sessionsDirectory } from './state-directory.ts';

/** Most names of a `.yolofs` that are looked at to say what it is. */
const MOST_NAMES = 1000;

/**
 * The session in `project`, a real path; undefined when nobody has made one there. Throws a UserError, in one line with what to do, for a
 * `.yolofs` that is not to be believed.
 */
export function sessionIn(project: string): Layout | undefined {
  const dir = `${project === '/' ? '' : project}/${SESSION_DIR}`;
  const apart = sessionApart(project);
  if (apart !== undefined) return apart;
  const seen = inspect(dir);
  if (seen === undefined) return undefined;
  refuseOthers(dir, project, seen);
  return withPlainDirectory(dir, (at, found) => {
    refuseOthers(dir, project, found);
    const registered = registrationOf(at, project, found);
    if (registered === undefined) {
      const names = namesIn(at).slice(0, MOST_NAMES);
      if (names.length === 0) return undefined;
      throw unregistered(project, dir, names);
    }
    refuseOpen(`${at}/${registered.token}`, project, dir);
    if (registered.project !== project) moveEntry(registered, project);
    return layoutAt({ project, store: `${dir}/${registered.token}`, entry: registered.entry });
  });
}

/** The entry for an open `.yolofs` in `project`, which holds the entry's token. */
function registrationOf(at: string, project: string, found: Found): Registered | undefined {
  const registered = registeredAs(found);
  if (registered !== undefined && holds(at, registered)) return registered;
  const before = allRegistered().find(
    (one) => [project, ''].includes(one.project) && one.inode === found.inode && holds(at, one),
  );
  // Device numbers are given anew at each start of the machine.
  if (before !== undefined) return renumberEntry(before, found);
  if (registered?.project !== project) return undefined;
  throw new UserError(
    `the session in ${project} is gone: what was staged there is lost`,
    `something else lies in its place now; to start anew: rm -r ${project === '/' ? '' : project}/${SESSION_DIR}`,
  );
}

function holds(dir: string, { token }: Pick<Registered, 'token'>): boolean {
  return inspect(`${dir}/${token}`)?.kind === 'directory';
}

/** Where a session would be that nobody has made yet: nothing is found there. */
export function layoutOfNone(project: string): Layout {
  const dir = `${project === '/' ? '' : project}/${SESSION_DIR}`;
  return layoutAt({ project, store: `${dir}/none`, entry: `${sessionsDirectory()}/none` });
}

/** Whether somebody has made it: see `layoutOfNone`. */
export function isMade({ entry }: Layout): boolean {
  return entry !== `${sessionsDirectory()}/none`;
}

/** A session that is registered for one of these directories, the first of them, and is not there any more. */
export function lostFrom(projects: readonly string[]): Registered | undefined {
  const lost = allRegistered().filter((one) => projects.includes(one.project) && !isAt(one.project, one));
  return projects.flatMap((project) => lost.filter((one) => one.project === project))[0];
}

/** Whether a session that was found is still where it was, in the project and in the registry. Takes no descriptor. Throws a SystemError. */
export function isThere({ project, dir, entry, store }: Layout): boolean {
  const found = inspect(dir);
  const isRegistered = found !== undefined && entryOf(found) === entry;
  if (!isRegistered && sessionApart(project)?.entry !== entry) return false;
  return [entry, store].every((path) => inspect(path)?.kind === 'directory');
}

function isAt(project: string, registered: Registered): boolean {
  if (registered.place !== 'project') return isMarked(registered);
  const { device, inode, token } = registered;
  const dir = `${project === '/' ? '' : project}/${SESSION_DIR}`;
  const found = inspect(dir);
  return found?.device === device && found.inode === inode && holds(dir, { token });
}

function refuseOthers(dir: string, project: string, { kind, owner }: Found): void {
  const me = process.geteuid?.();
  if (kind !== 'directory') {
    const what = kind === 'symlink' ? 'a symbolic link' : 'no directory';
    throw new UserError(`${dir} is ${what}, and no session that yolofs has made`, `remove it: rm ${dir}`);
  }
  if (owner === me) return;
  throw new UserError(
    `the session in ${project} belongs to user ${owner}, not to user ${me}`,
    'run yolofs as that user, or start a session of your own elsewhere',
  );
}

function unregistered(project: string, dir: string, names: readonly string[]): UserError {
  const tokens = new Set(names.filter(isToken));
  const original = tokens.size === 0 ? undefined : allRegistered().find(({ token }) => tokens.has(token));
  if (original !== undefined) {
    const of =
      original.project === '' || original.project === project ? 'a session' : `the session in ${original.project}`;
    return new UserError(`${dir} is a copy of ${of}, and no session itself`, `remove it: rm -r ${dir}`);
  }
  if (lookAt(`${dir}/journal`) !== undefined) {
    return new UserError(
      `${dir} is a session of an earlier version of yolofs, or came along with the files`,
      `finish it with the version that made it ('yolofs commit' or 'abort', then 'stop'), or give it up: rm -r ${dir}`,
    );
  }
  return new UserError(
    `${dir} was not made by yolofs here: ${sessionsDirectory()} has no entry for it`,
    `it may have come along with the files (a clone, an archive): remove it: rm -r ${dir}`,
  );
}

/** Whoever could write there may have staged something, or have written down a commit. */
function refuseOpen(store: string, project: string, dir: string): void {
  const found = inspect(store);
  if (found?.owner === process.geteuid?.() && found?.mode !== undefined && (found.mode & 0o077) === 0) return;
  throw new UserError(
    `the session in ${project} is open to others: what is staged there may be theirs`,
    `if nobody was at it: chmod -R go= ${dir}`,
  );
}
