/** Making a session: `.yolofs` with its store appears whole under its name, and is registered before. */
import { randomHex } from '../../sys/crypto-lazy.ts';
import { EACCES, EPERM, EROFS, type Errno, SystemError } from '../../sys/errno.ts';
import { inspect, makePrivateDirectory, renameDirectory } from '../../sys/files/plain-directory.ts';
import { isWritable, removeTree, writeNewText } from '../../sys/files/text-files.ts';
import { keepsItsNumber, limitsOf } from '../../sys/host/file-systems.ts';
import { stateDirectory } from '../../sys/host/state-directory.ts';
import { UserError } from '../../sys/user-error.ts';
import { type Layout, layoutAt, SESSION_DIR } from '../layout.ts';
import { holdsStore, makeApart } from './apart.ts';
import { dropForgotten, entryOf, moveEntry, type Registered, saveEntry, setAside } from './entries.ts';
import { isMade, sessionIn } from './find.ts';
import { makeSessionsDirectory } from './state-directory.ts';

const UNWRITABLE: ReadonlySet<Errno> = new Set([EACCES, EPERM, EROFS]);
/** The view has these for itself, so no project in them is in it. */
const VIEWS_OWN = ['/proc', '/sys', '/dev'];
const FOR_GIT = '.gitignore';

/** The session in `project`, a real path; one is made where there is none. Throws what `sessionIn` throws, and a UserError where it cannot be made. */
export function ensureSession(project: string): Layout {
  return sessionIn(project) ?? makeSession(project);
}

/** The same session, made where nobody has made it yet (`layoutOfNone`). */
export function madeSession(session: Layout): Layout {
  return isMade(session) ? session : ensureSession(session.project);
}

/** Throws a UserError for a directory in which no command can run in the view. */
export function refuseUnfit(project: string): void {
  const own = VIEWS_OWN.find((path) => isIn(path, project));
  if (own !== undefined) {
    throw new UserError(`not possible in ${project}: the view has a ${own} of its own`, 'a project lies elsewhere');
  }
  if (!isIn(stateDirectory(), project)) return;
  throw new UserError(`not possible in ${project}: yolofs keeps its own files there`, 'a project lies elsewhere');
}

function isIn(directory: string, path: string): boolean {
  return `${path}/`.startsWith(`${directory}/`);
}

function makeSession(project: string): Layout {
  refuseUnfit(project);
  refuseForeign(project);
  makeSessionsDirectory();
  dropForgotten();
  const fresh = `${project === '/' ? '' : project}/${SESSION_DIR}-${randomHex(8)}`;
  const made = !makeUnlessUnwritable(fresh)
    ? makeApart(project, undefined)
    : holdsStore(fresh) && keepsItsNumber(fresh, `${fresh}/${FOR_GIT}`)
      ? makeInside(project, fresh)
      : makeApart(project, fresh);
  if (made !== undefined) return made;
  removeTree(fresh);
  const other = sessionIn(project);
  if (other === undefined) throw new UserError(`cannot make the session in ${project}`);
  return other;
}

/** `fresh` becomes the project's `.yolofs`, and holds the store; undefined when somebody else was faster. */
function makeInside(project: string, fresh: string): Layout | undefined {
  const dir = `${project === '/' ? '' : project}/${SESSION_DIR}`;
  const token = randomHex(16);
  makePrivateDirectory(`${fresh}/${token}`);
  const found = inspect(fresh);
  if (found === undefined) throw new UserError(`${fresh} is gone although it was just made`);
  setAside(found);
  const entry = entryOf(found);
  const { device, inode } = found;
  const registered: Registered = { entry, project: '', device, inode, token, place: 'project' };
  makePrivateDirectory(entry);
  saveEntry(registered);
  if (!renameDirectory(fresh, dir)) {
    removeTree(entry);
    return undefined;
  }
  moveEntry(registered, project);
  return layoutAt({ project, store: `${dir}/${token}`, entry });
}

/** Makes what is to be a project's `.yolofs`; false where this user cannot write. Throws a SystemError. */
function makeUnlessUnwritable(fresh: string): boolean {
  try {
    makePrivateDirectory(fresh);
  } catch (error) {
    if (error instanceof SystemError && UNWRITABLE.has(error.errno)) return false;
    throw error;
  }
  // Git reads this one wherever the project lies in a repository; nobody has to edit theirs.
  writeNewText(`${fresh}/${FOR_GIT}`, '*\n');
  return true;
}

/** A session has the rights of whoever makes it: in somebody else's project they would be too few. */
function refuseForeign(project: string): void {
  const [owner, me] = [inspect(project)?.owner, process.geteuid?.()];
  if (owner === undefined || owner === me || me === 0) return;
  // Who may write there is said for all files at once then, and all belong to one.
  if (limitsOf(project)?.attributes === false && isWritable(project)) return;
  throw new UserError(
    `the session in ${project} belongs to user ${owner}, not to user ${me}`,
    'run yolofs as that user, or start a session of your own elsewhere',
  );
}
