/**
 * Files as a program that searches them sees them: directories in the order in which the file system has them, contents
 * piece by piece. Paths and names are bytes, one code unit each.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { ENOENT, type Errno } from '../errno.ts';

export type FileKind = 'file' | 'directory' | 'symlink' | 'device';

export interface FoundFile {
  readonly kind: FileKind;
  /** Device and inode number. */
  readonly identity: string;
}

/** What a path leads to, or is. */
export function findFile(path: string, followLink: boolean): FoundFile | Errno {
  return orErrno(() => {
    const look = followLink ? statSync : lstatSync;
    const found = look(Buffer.from(path, 'latin1'), { bigint: true });
    return { kind: kindOf(found), identity: `${found.dev}:${found.ino}` };
  });
}

/** The entries of a directory as it has them; `fs.readdir` would sort them. */
export function listFiles(directory: string): { readonly name: string; readonly kind: FileKind }[] | Errno {
  return orErrno(() => {
    const handle = opendirSync(Buffer.from(directory, 'latin1'), { encoding: 'latin1', bufferSize: 512 });
    try {
      const entries: { name: string; kind: FileKind }[] = [];
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return entries;
    } finally {
      handle.closeSync();
    }
  });
}

/** Opens a file to read it from its beginning. The caller closes it. */
export function openFile(path: string): OpenFile | Errno {
  return orErrno(() => new OpenFile(openSync(Buffer.from(path, 'latin1'), constants.O_RDONLY | constants.O_NOCTTY)));
}

const SCRATCH = Buffer.allocUnsafeSlow(128 * 1024);

/** A descriptor that is read piece by piece. */
export class OpenFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Of a regular file. */
  get size(): number | undefined {
    const found = fstatSync(this.#fd);
    return found.isFile() ? found.size : undefined;
  }

  /** At most so many bytes; none at the end. */
  read(most: number): Uint8Array | Errno {
    return orErrno(() => {
      // Most files are far shorter than what is asked for.
      const piece = most > SCRATCH.length ? Buffer.allocUnsafe(most) : SCRATCH;
      const size = readSync(this.#fd, piece, 0, most, null);
      return piece === SCRATCH ? Buffer.from(SCRATCH.subarray(0, size)) : piece.subarray(0, size);
    });
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function kindOf(entry: BigIntStats | Dirent): FileKind {
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symlink';
  return entry.isFile() ? 'file' : 'device';
}

function orErrno<T>(action: () => T): T | Errno {
  try {
    return action();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    return (-errno || ENOENT) as Errno;
  }
}
