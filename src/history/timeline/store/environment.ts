/** Opening the LMDB file of the tree store, if it can be trusted. */
import { createRequire } from 'node:module';
import type * as Lmdb from 'lmdb';
import type { RootDatabase, RootDatabaseOptions } from 'lmdb';
import { SystemError } from '../../../sys/errno.ts';
import { lookAt, removeTree } from '../../../sys/files/text-files.ts';
import { keyEncoder, type StoreKey } from './keys.ts';
import { isStamped, renewStamp, stampFile } from './stamp.ts';

/**
 * Loaded at once, as npm may have put another version in its place later; but pure, so that a bundle in which nobody opens a store, the
 * daemon's main thread, does not load it.
 */
const lmdb = /* @__PURE__ */ loadLmdb();

/** Values that are read are valid until the next is read. */
export type Environment = RootDatabase<Buffer, StoreKey>;

export interface EnvironmentOptions {
  readonly readOnly?: boolean;
  /** Told, in a sentence, why the store could not be used. */
  readonly onNote?: ((text: string) => void) | undefined;
}

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
    if (!isStamped(path)) {
      if (lookAt(path) !== undefined) options.onNote?.('tree store: not as it was left; the journal is read instead');
      if (options.readOnly) return undefined;
      removeEnvironment(path);
    }
    const db = lmdb.open<Buffer, StoreKey>(path, { ...OPTIONS, readOnly: options.readOnly === true });
    // Opening for writing may have written already.
    if (!options.readOnly) renewStamp(path);
    return db;
  } catch (error) {
    if (!isStoreError(error)) throw error;
    options.onNote?.(`tree store: ${error.message}; the journal is read instead`);
    return undefined;
  }
}

/** Removes the files, so that the next open starts with an empty store. */
export function removeEnvironment(path: string): void {
  for (const file of [stampFile(path), path, `${path}-lock`]) removeTree(file);
}

/** Whether an error tells about the files or the disk (LMDB's carry a number as code), not about a defect of ours. */
export function isStoreError(error: unknown): error is Error {
  if (error instanceof SystemError || error instanceof RangeError) return true;
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/** From its one file: its modules, one by one, take as long again. */
function loadLmdb(): typeof Lmdb {
  return createRequire(import.meta.url)('lmdb') as typeof Lmdb;
}
