/**
 * What V8 has compiled of a bundle, kept from one start of the program to the next: half of what a start takes beyond Node's own is
 * compiling. A file of it is as good as the program itself, and is believed as little: it lies where no view can write, and counts only
 * if it and the directories above it are this user's alone.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { Script } from 'node:vm';
import { stateDirectory } from '../host/state-directory.ts';
import { UserError } from '../user-error.ts';

/** So many files are kept: one for each version of the program and of Node, and set of V8's options, that was at work lately. */
const MOST_KEPT = 8;
const PARAMETERS = 'exports, require, module, __filename, __dirname';
const { O_RDONLY, O_NOFOLLOW, O_WRONLY, O_CREAT, O_EXCL } = constants;

/**
 * Runs a bundle, a CommonJS file of ASCII, as `require` would; there is no `import()` in it, for which V8 keeps nothing. Throws what the
 * bundle throws, and ENOENT where there is none.
 */
export function loadBundle(path: string): void {
  const [require, module] = [createRequire(path), { exports: {} }];
  // Another file may be put in its place meanwhile.
  const fd = openSync(path, O_RDONLY);
  const [kept, text] = [placeFor(path, fd), readFileSync(fd, 'latin1')];
  closeSync(fd);
  const cachedData = kept === undefined ? undefined : readOwn(kept);
  const script = new Script(`(function (${PARAMETERS}) {${text}\n})`, { filename: path, cachedData });
  if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected === true))
    process.on('exit', () => {
      // Options that were set meanwhile would count as those of what is kept.
      if (kept.endsWith(`-${options()}`)) keep(script, kept);
    });
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
}

/** V8 takes what was made by another version of it, or with other options, for nothing; it does not see that the source is another. */
function placeFor(path: string, fd: number): string | undefined {
  const { dev, ino, size, ctimeNs } = fstatSync(fd, { bigint: true });
  const name = [basename(path), dev, ino, size, ctimeNs, options()].join('-');
  try {
    return `${stateDirectory()}/code/${name}`;
  } catch (error) {
    // There is no home directory.
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** What V8 says of itself and its options before whatever it has compiled. */
function options(): string {
  return new Script('').createCachedData().subarray(0, 16).toString('hex');
}

/** The content of a file that nobody else could have written; undefined where there is none. */
function readOwn(path: string): Buffer | undefined {
  try {
    if (![dirname(dirname(path)), dirname(path)].every(isOwnDirectory)) return undefined;
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW);
    try {
      const found = fstatSync(fd);
      return found.isFile() && isOwn(found) ? readFileSync(fd) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return withoutCache(error);
  }
}

function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && isOwn(found);
}

function isOwn({ uid, mode }: { uid: number; mode: number }): boolean {
  return uid === process.geteuid?.() && (mode & 0o077) === 0;
}

/** Where it cannot be kept, the next start takes as long as this one. */
function keep(script: Script, kept: string): void {
  const directory = dirname(kept);
  const fresh = `${kept}.${process.pid}`;
  try {
    if (!isOwnDirectory(dirname(directory))) return;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!isOwnDirectory(directory)) return;
    write(fresh, () => script.createCachedData());
    renameSync(fresh, kept);
    removeOldest(directory);
  } catch (error) {
    withoutCache(error);
    remove(fresh);
  }
}

function write(path: string, makeData: () => Buffer): void {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const data = makeData();
    for (let at = 0; at < data.length; ) at += writeSync(fd, data, at);
    // V8 would believe a file that a crash has left empty in part.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => `${directory}/${name}`);
  const byAge = files.map((path) => ({ path, at: lstatSync(path).mtimeMs })).sort((one, other) => other.at - one.at);
  for (const { path } of byAge.slice(MOST_KEPT)) remove(path);
}

/** Somebody else may have been faster. */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    withoutCache(error);
  }
}

/** Whatever the system has against it, the program starts; it takes longer. */
function withoutCache(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  return undefined;
}
