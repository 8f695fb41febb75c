/**
 * Sessions whose store lies apart from the project, in their entry of the registry: the project's file system cannot hold it, or this user
 * may not write there. The entry goes by the project's path. A project that can be written to bears a mark, a `.yolofs` with the token in
 * it: another disk at the same path is another project.
 */
import { randomHex } from '../../sys/crypto-lazy.ts';
import { inspect, makePrivateDirectory, renameDirectory } from '../../sys/files/plain-directory.ts';
import { realPath, removeTree } from '../../sys/files/text-files.ts';
import { limitsOf } from '../../sys/host/file-systems.ts';
import { type Layout, layoutAt, SESSION_DIR } from '../layout.ts';
import { entryOf, identityByPath, moveEntry, type Registered, registeredByPath, saveEntry } from './entries.ts';

/** The session of a project whose store lies apart; undefined when there is none, or its mark is not there. */
export function sessionApart(project: string): Layout | undefined {
  const registered = registeredByPath().find((one) => one.project === project && isMarked(one));
  return registered === undefined ? undefined : layoutOf(registered);
}

/** The projects that have one. */
export function projectsApart(): ReadonlySet<string> {
  return new Set(registeredByPath().flatMap((one) => (isMarked(one) ? one.project : [])));
}

/** Whether the store of a session lies apart. */
export function isApart({ dir, store }: Layout): boolean {
  return !store.startsWith(`${dir}/`);
}

/** Whether the project is there, and the one that it was. */
export function isMarked({ project, token, place }: Registered): boolean {
  const marked = place === 'entry, unmarked' ? project : `${sessionDirectory(project)}/${token}`;
  return inspect(marked)?.kind === 'directory';
}

/** Whether a new directory in the project, made for this user alone, can hold a store. */
export function holdsStore(directory: string): boolean {
  const found = inspect(directory);
  const isOwn = found?.owner === process.geteuid?.() && (found?.mode ?? 0) % 0o1000 === 0o700;
  return isOwn && limitsOf(directory) === undefined;
}

/**
 * Makes a session whose store lies apart; `mark` is the new directory that is to be the project's `.yolofs`, if it can have one. Undefined
 * when somebody else was faster.
 */
export function makeApart(project: string, mark: string | undefined): Layout | undefined {
  const token = randomHex(16);
  return mark === undefined ? makeUnmarked(project, token) : makeMarked(project, { token, mark });
}

function makeMarked(project: string, { token, mark }: { token: string; mark: string }): Layout | undefined {
  const identity = identityByPath(project, token);
  const registered: Registered = { ...identity, entry: entryOf(identity), project: '', token, place: 'entry' };
  makePrivateDirectory(`${mark}/${token}`);
  makeStore(registered);
  if (!renameDirectory(mark, sessionDirectory(project))) {
    removeTree(registered.entry);
    return undefined;
  }
  moveEntry(registered, project);
  return layoutOf({ ...registered, project });
}

/** The entry's name is the same for all who make it: one of them can. */
function makeUnmarked(project: string, token: string): Layout | undefined {
  const identity = identityByPath(project);
  const registered: Registered = { ...identity, entry: entryOf(identity), project, token, place: 'entry, unmarked' };
  if (inspect(registered.entry) !== undefined) return undefined;
  makeStore(registered);
  return layoutOf(registered);
}

function makeStore(registered: Registered): void {
  makePrivateDirectory(registered.entry);
  makePrivateDirectory(`${registered.entry}/${registered.token}`);
  saveEntry(registered);
}

function layoutOf({ project, entry, token }: Registered): Layout {
  // A commit works below real paths.
  const store = `${realPath(entry) ?? entry}/${token}`;
  return layoutAt({ project, store, entry });
}

function sessionDirectory(project: string): string {
  return `${project === '/' ? '' : project}/${SESSION_DIR}`;
}
