/** Opening the LMDB file of the tree store, and telling when it must not be opened. */
import { open, type RootDatabase, type RootDatabaseOptions } from 'lmdb';
import { bootId } from '../../sys/boot-id.ts';
import { SystemError } from '../../sys/errno.ts';
import { lookAt, readText, removeTree, writeNewText } from '../../sys/text-files.ts';
import { keyEncoder, type StoreKey } from './keys.ts';

/** Values that are read are valid until the next is read. */
export type Environment = RootDatabase<Buffer, StoreKey>;

export interface EnvironmentOptions {
  readonly readOnly?: boolean;
  /** Told, in a sentence, why the store could not be used. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** Version of keys and values; a store of another version is rebuilt. */
const VERSION = 2;
/** Address space, not memory: ten million changed files take 4 GiB. */
const MAP_SIZE = 64 * 2 ** 30;
const OPTIONS: RootDatabaseOptions = {
  noSync: true,
  maxDbs: 1,
  mapSize: MAP_SIZE,
  encoding: 'binary',
  // Values are not copied on the way: that would be most of the work of loading a large tree.
  encoder: { encode: (value: Buffer) => value, decode: (value: Buffer) => value },
  keyEncoder,
};

/**
 * Opens the environment at `path` (text). A writer replaces one it cannot trust by an empty one; undefined when
 * there is nothing to read, or nothing can be written. Never throws for what may be wrong with the files.
 */
export function openEnvironment(path: string, options: EnvironmentOptions): Environment | undefined {
  try {
    if (!isOfThisBoot(path)) {
      if (options.readOnly) return undefined;
      startAnew(path);
    }
    if (options.readOnly && lookAt(path) === undefined) return undefined;
    return openSound(path, options) ?? reopen(path, options);
  } catch (error) {
    if (!isStoreError(error)) throw error;
    options.onNote?.(`tree store: ${error.message}`);
    return undefined;
  }
}

/** Removes the files, so that the next open starts with an empty store. */
export function startAnew(path: string): void {
  for (const file of [path, `${path}-lock`, bootFile(path)]) removeTree(file);
  writeNewText(bootFile(path), bootLine(), 0o600);
}

/** Whether an error tells about the files or the disk (LMDB's carry a number as code), not about a defect of ours. */
export function isStoreError(error: unknown): error is Error {
  if (error instanceof SystemError || error instanceof RangeError) return true;
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

function reopen(path: string, options: EnvironmentOptions): Environment | undefined {
  if (options.readOnly) return undefined;
  startAnew(path);
  return open(path, OPTIONS);
}

/** Undefined, after a note, when the file is no environment or is shorter than its own page count says. */
function openSound(path: string, options: EnvironmentOptions): Environment | undefined {
  let db: Environment;
  try {
    db = open(path, { ...OPTIONS, readOnly: options.readOnly === true });
  } catch (error) {
    if (!isStoreError(error)) throw error;
    options.onNote?.(`tree store: ${error.message}; it is rebuilt from the journal`);
    return undefined;
  }
  if (isComplete(path, db)) return db;
  void db.close();
  options.onNote?.('tree store: its file was cut short; it is rebuilt from the journal');
  return undefined;
}

/** The map must not be read beyond the end of the file: that would be a SIGBUS. */
function isComplete(path: string, db: Environment): boolean {
  const stats = db.getStats() as { readonly lastPageNumber: number; readonly pageSize: number };
  db.resetReadTxn();
  return (lookAt(path)?.size ?? 0) >= (stats.lastPageNumber + 1) * stats.pageSize;
}

function bootFile(path: string): string {
  return `${path}-boot`;
}

/** Nothing is synced, so what an earlier boot wrote may have reached the disk in part. */
function isOfThisBoot(path: string): boolean {
  return bootId() !== undefined && readText(bootFile(path)) === bootLine();
}

function bootLine(): string {
  return `yolofs tree ${VERSION}, written in boot ${bootId() ?? 'unknown'}\n`;
}
