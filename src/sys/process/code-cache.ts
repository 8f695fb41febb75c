/**
 * What V8 has compiled of a bundle, kept from one start of the program to the next: half of what a start takes beyond Node's own is
 * compiling. A file of it is as good as the program itself, and is believed as little: it lies where no view can write, and counts only
 * if it and the directories above it are this user's alone. Its last four bytes are a checksum of the others: V8 looks at none, and a
 * file that a disk has damaged would end each start.
 */
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { Script } from 'node:vm';
import { SystemError } from '../errno.ts';
import { lookAt, makeDirectory, namesIn, readForeign, removeName, savePieces } from '../files/text-files.ts';
import { stateDirectory } from '../host/state-directory.ts';
import { UserError } from '../user-error.ts';

/** So many files are kept: one for each bundle of each version of the program and of Node that was at work lately. */
const MOST_KEPT = 12;
const LONGEST = 64 * 1024 * 1024;
const CHECKSUM = 4;
const PARAMETERS = 'exports, require, module, __filename, __dirname';

/** Takes milliseconds to load, and what an agent waits for starts without. */
function zlib(): typeof import('node:zlib') {
  return createRequire(import.meta.url)('node:zlib') as typeof import('node:zlib');
}

/** A bundle that has been run. */
export interface Bundle {
  readonly exports: unknown;
  /** Keeps what V8 has compiled of it until now, where nothing of it counted; to be called when most of it has been at work. */
  readonly keep: () => void;
}

/**
 * Runs a bundle, a CommonJS file of ASCII, as `require` would; there is no `import()` in it, for which V8 keeps nothing. Throws what the
 * bundle throws, and ENOENT where there is none.
 */
export function loadBundle(path: string): Bundle {
  const [require, module] = [createRequire(path), { exports: {} }];
  // Another file may be put in its place meanwhile.
  const fd = openSync(path, 'r');
  const [kept, text] = [placeFor(path, fd), readFileSync(fd, 'latin1')];
  closeSync(fd);
  const cachedData = kept === undefined ? undefined : read(kept);
  const script = new Script(`(function (${PARAMETERS}) {${text}\n})`, { filename: path, cachedData });
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  const isNew = kept !== undefined && (cachedData === undefined || script.cachedDataRejected === true);
  return {
    exports: module.exports,
    keep: () => {
      // Options that were set meanwhile would count as those of what is kept.
      if (isNew && kept.endsWith(`-${options()}`)) keep(script, kept);
    },
  };
}

/**
 * V8 takes what was made by another version of it, or with other options, for nothing; it does not see that the source is another. Undefined
 * where there is no home directory, or no checksum (Node before 20.15).
 */
function placeFor(path: string, fd: number): string | undefined {
  if (zlib().crc32 === undefined) return undefined;
  const { dev, ino, size, ctimeNs } = fstatSync(fd, { bigint: true });
  const name = [basename(path), dev, ino, size, ctimeNs, options()].join('-');
  try {
    return `${stateDirectory()}/code/${name}`;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** What V8 says of itself and its options before whatever it has compiled. */
function options(): string {
  return new Script('').createCachedData().subarray(0, 16).toString('hex');
}

function read(kept: string): Buffer | undefined {
  const directory = dirname(kept);
  return orNothing(() => {
    if (![dirname(directory), directory].every(isOwnDirectory) || !isOwn(lookAt(kept))) return undefined;
    const bytes = readForeign(kept, LONGEST) ?? Buffer.alloc(0);
    const [data, sum] = [bytes.subarray(0, -CHECKSUM), bytes.subarray(-CHECKSUM)];
    return checksum(data).equals(sum) ? data : undefined;
  });
}

/** Where it cannot be kept, the next start takes as long as this one. */
function keep(script: Script, kept: string): void {
  const directory = dirname(kept);
  orNothing(() => {
    if (!isOwnDirectory(dirname(directory))) return;
    makeDirectory(directory, 0o700);
    if (!isOwnDirectory(directory)) return;
    const data = script.createCachedData();
    savePieces(kept, [data, checksum(data)]);
    removeOldest(directory);
  });
}

function checksum(data: Buffer): Buffer {
  const sum = Buffer.alloc(CHECKSUM);
  sum.writeUInt32LE(zlib().crc32(data));
  return sum;
}

function isOwnDirectory(path: string): boolean {
  const found = lookAt(path);
  return found?.isDirectory() === true && isOwn(found);
}

function isOwn(found: Stats | undefined): boolean {
  return found !== undefined && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

function removeOldest(directory: string): void {
  const paths = namesIn(directory).map((name) => `${directory}/${name}`);
  const byAge = paths.map((path) => ({ path, at: lookAt(path)?.mtimeMs ?? 0 })).sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(MOST_KEPT)) removeName(path);
}

/** Whatever the system has against it, the program starts; it takes longer. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}
