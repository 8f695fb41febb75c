/** Files and directories the daemon itself keeps: text paths, no foreign function interface. See text-files.ts too. */
import {
  chmodSync,
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Errno, SystemError } from '../errno.ts';

/** Writes a whole file with one write(2), replacing what it held. Throws a SystemError. */
export function writeText(path: string, text: string): void {
  attempt(`cannot write ${path}`, () => writeFileSync(path, text));
}

/** Makes a directory if it is missing and gives it exactly `mode`, whatever the umask. Throws a SystemError. */
export function ensureDirectory(path: string, mode: number): void {
  attempt(`cannot make ${path}`, () => {
    makeTree(path, mode);
    chmodSync(path, mode);
  });
}

/**
 * Makes a directory with those above it that are missing; one that is there is fine. Throws as node:fs, whose own way to do this never
 * ends where a directory that is there takes none and says ENOENT: /proc.
 */
export function makeTree(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === 'EEXIST' && isDirectory(path)) return;
    if (code !== 'ENOENT' || above === path || isDirectory(above)) throw error;
    makeTree(above, mode);
    makeTree(path, mode);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Opens a directory for paths relative to it, `/proc/self/fd/N/...`. The caller closes it. Throws a SystemError. */
export function openDirectory(path: string): number {
  return attempt(`cannot open ${path}`, () => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
}

/** Opens a log for appending, new ones readable by this user only. The caller closes it. Throws a SystemError. */
export function openLog(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  return attempt(`cannot open ${path}`, () => openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600));
}

/** Opens the terminal that controls this process; undefined when there is none. `more` are further flags. The caller closes it. */
export function openTerminalFile(more = 0): number | undefined {
  try {
    return openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY | more);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENXIO' || code === 'ENOENT' || code === 'EACCES') return undefined;
    throw error;
  }
}

/** Writes to the terminal that controls this process, as much as it takes at once; false when there is none. */
export function writeToTerminal(text: string): boolean {
  const fd = openTerminalFile(constants.O_NONBLOCK);
  if (fd === undefined) return false;
  try {
    writeSync(fd, text);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EIO') return false;
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Cuts an open file to nothing. Throws a SystemError. */
export function emptyFile(fd: number): void {
  attempt('cannot truncate a file', () => ftruncateSync(fd));
}

/** Closes a descriptor of this module. */
export function closeFile(fd: number): void {
  closeSync(fd);
}

/** Removes a file; a missing one is fine. Throws a SystemError. */
export function removeFile(path: string): void {
  attempt(`cannot remove ${path}`, () => rmSync(path, { force: true }));
}

/** What the call returns; what node complains about with an errno is thrown as a SystemError. `action` says what could not be done. */
export function attempt<T>(action: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined || error instanceof SystemError) throw error;
    throw new SystemError(action, -errno as Errno);
  }
}
