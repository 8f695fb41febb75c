/**
 * Small files and directories of ours, named by text paths: configuration, markers, temporary files. Content that
 * belongs to people goes through libc.ts and byte strings instead. Kept apart from libc.ts so that the command
 * line starts without loading the foreign function interface.
 */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EEXIST, EFBIG, EINVAL, EISDIR, type Errno, SystemError } from '../errno.ts';

/** Of files of ours, and of what programs keep for people. */
const LONGEST = 256 * 1024 * 1024;
const LONGEST_FOREIGN = 1024 * 1024;

/** Values to return instead of throwing, by the error's code. */
type Expected<T> = Readonly<Record<string, T>>;

const ABSENT: Expected<undefined> = { ENOENT: undefined, ENOTDIR: undefined };

/** The text of a file; undefined when there is none. Throws a SystemError when it exists but cannot be read, or is no file. */
export function readText(path: string): string | undefined {
  return readBytes(path)?.toString('utf8');
}

/** The bytes of a file; likewise. */
export function readBytes(path: string): Buffer | undefined {
  return readRegular(path, { flags: 0, most: LONGEST });
}

/**
 * The bytes of a file that somebody else may have put there: of no more than `most`, and no symbolic link. Undefined when there is none.
 * Throws a SystemError for anything else.
 */
export function readForeign(path: string, most = LONGEST_FOREIGN): Buffer | undefined {
  return readRegular(path, { flags: constants.O_NOFOLLOW, most });
}

/** Opened once, without waiting for whoever is to write: what was looked at is what is read. */
function readRegular(path: string, { flags, most }: { flags: number; most: number }): Buffer | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
  const action = `cannot read ${path}`;
  const fd = attempt<number | undefined>(
    action,
    () => openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags),
    ABSENT,
  );
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new SystemError(action, stats.isDirectory() ? EISDIR : EINVAL);
    if (stats.size > most) throw new SystemError(action, EFBIG);
    return attempt(action, () => readFileSync(fd));
  } finally {
    closeSync(fd);
  }
}

/** The text of the first `bytes` of a regular file; undefined when there is none. Throws likewise. */
export function readStart(path: string, bytes: number): string | undefined {
  const read = (): string | undefined => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return undefined;
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  };
  return attempt<string | undefined>(`cannot read ${path}`, read, ABSENT);
}

/** What is at `path`, not following a symlink; undefined when nothing is. */
export function lookAt(path: string): Stats | undefined {
  return attempt<Stats | undefined>(`cannot look at ${path}`, () => lstatSync(path, { throwIfNoEntry: false }), ABSENT);
}

/** What a path leads to, by links too; undefined when there is nothing. */
export function lookThrough(path: string): Stats | undefined {
  return attempt<Stats | undefined>(`cannot look at ${path}`, () => statSync(path, { throwIfNoEntry: false }), ABSENT);
}

/** The path with every symlink resolved; undefined when it does not exist. */
export function realPath(path: string): string | undefined {
  return attempt<string | undefined>(`cannot resolve ${path}`, () => realpathSync(path), ABSENT);
}

/** What the symlink at `path` says; undefined when nothing is there, or something else. */
export function linkTarget(path: string): string | undefined {
  return attempt<string | undefined>(`cannot read ${path}`, () => readlinkSync(path), { ...ABSENT, EINVAL: undefined });
}

/** The names of symlinks in a directory; none when there is no such directory. */
export function linksIn(path: string): string[] {
  const list = (): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : []));
  return attempt<string[]>(`cannot list ${path}`, list, { ENOENT: [], ENOTDIR: [] });
}

/** The names in a directory; none when there is no such directory. */
export function namesIn(path: string): string[] {
  return attempt<string[]>(`cannot list ${path}`, () => readdirSync(path), { ENOENT: [], ENOTDIR: [] });
}

/** Whether this user may execute the file at `path`. */
export function isExecutable(path: string): boolean {
  return isAccessible(path, constants.X_OK);
}

/** Whether this user may write to a file, or make names in a directory. Throws a SystemError. */
export function isWritable(path: string): boolean {
  return isAccessible(path, constants.W_OK);
}

function isAccessible(path: string, mode: number): boolean {
  const no = { ENOENT: false, ENOTDIR: false, EACCES: false, EROFS: false };
  const check = (): boolean => {
    accessSync(path, mode);
    return true;
  };
  return attempt(`cannot look at ${path}`, check, no);
}

/** Writes a file that must not exist yet; false, and nothing touched, when it does. */
export function writeNewText(path: string, text: string | Buffer, mode = 0o644): boolean {
  const write = (): boolean => {
    writeFileSync(path, text, { flag: 'wx', mode });
    return true;
  };
  return attempt(`cannot write ${path}`, write, { EEXIST: false });
}

/** Gives a file a new content in one step; one that exists keeps its mode, a new one has `mode`, and a symlink stays one. */
export function replaceText(path: string, text: string, mode = 0o644): void {
  const real = realPath(path) ?? path;
  const fresh = `${real}.${process.pid}.new`;
  attempt(`cannot write ${path}`, () => {
    try {
      writeFileSync(fresh, text, { flag: 'wx', mode: lookAt(real)?.mode ?? mode });
      renameSync(fresh, real);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  });
}

/** As `replaceText`, for a file of ours that only this user may read: on the disk when it returns. */
export function saveText(path: string, text: string): void {
  savePieces(path, [text]);
}

/** The same of a content that comes in pieces. */
export function savePieces(path: string, pieces: Iterable<string | Buffer>): void {
  const fresh = `${path}.new`;
  attempt(`cannot write ${path}`, () => {
    const fd = openSync(fresh, 'w', 0o600);
    try {
      for (const piece of pieces) writeFileSync(fd, piece);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(fresh, path);
    sync(dirname(path));
  });
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a directory; one that exists is fine, also one that somebody else has made just now. Its parent must exist. */
export function makeDirectory(path: string, mode: number): void {
  const isMade = attempt(`cannot create ${path}`, () => mkdirSync(path, { mode }) ?? true, { EEXIST: false });
  if (!isMade && lookAt(path)?.isDirectory() !== true) throw new SystemError(`cannot create ${path}`, EEXIST);
}

/** Makes a symlink; whatever is at `path` stays. */
export function makeLink(path: string, target: string): void {
  attempt(`cannot make ${path}`, () => symlinkSync(target, path), { EEXIST: undefined });
}

/** Makes a fresh directory that only this user can enter: `prefix` and six random characters. */
export function makeTemporaryDirectory(prefix: string): string {
  return attempt(`cannot create a directory ${prefix}XXXXXX`, () => mkdtempSync(prefix));
}

/** Removes a name that is no directory's; a missing one is fine, a directory stays. */
export function removeName(path: string): void {
  attempt(`cannot remove ${path}`, () => unlinkSync(path), { ...ABSENT, EISDIR: undefined });
}

/** Removes a directory that nothing is in; a missing one is fine, and so is one that somebody has put something into. */
export function removeEmptyDirectory(path: string): void {
  attempt(`cannot remove ${path}`, () => rmdirSync(path), { ...ABSENT, ENOTEMPTY: undefined, EEXIST: undefined });
}

/** Removes a file, or a directory with all below it, never following symlinks; a missing one is fine. */
export function removeTree(path: string): void {
  attempt(`cannot remove ${path}`, () => rmSync(path, { recursive: true, force: true }));
}

function attempt<T>(action: string, call: () => T, expected: Expected<T> = {}): T {
  try {
    return call();
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    if (code !== undefined && Object.hasOwn(expected, code)) return expected[code] as T;
    if (errno === undefined) throw error;
    throw new SystemError(action, -errno as Errno);
  }
}
