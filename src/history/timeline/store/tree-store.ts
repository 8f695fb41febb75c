/**
 * The tree store: an LMDB copy of the override tree, written behind in batches, with the journal offset it covers.
 * A cache: the journal is the truth, and a store that is missing, damaged, or may be torn is rebuilt from it.
 *
 * Nothing is ever synced. A commit survives the death of any process; after a power cut the store is of an earlier
 * boot and is not even opened (stamp.ts). One writer (which holds the session's lock), any number of readers.
 */
import { type Inode, type Staged, TOMBSTONE } from '../../../staging/inode.ts';
import { giveName } from '../../../staging/names/hard-links.ts';
import { OverrideTree, type Place } from '../../../staging/override-tree.ts';
import { releaseMapped } from '../../../sys/memory.ts';
import { S_IFDIR } from '../../../sys/stat.ts';
import type { SessionState } from '../../log/session-state.ts';
import {
  type Environment,
  type EnvironmentOptions,
  isStoreError,
  openEnvironment,
  removeEnvironment,
} from './environment.ts';
import * as keys from './keys.ts';
import { renewStamp } from './stamp.ts';
import * as codec from './tree-codec.ts';

/** What the store knows besides the tree. */
export interface TreeMeta extends SessionState {
  /** Checksum of the journal's line that ends at `journalOffset`: tells whether it is the same journal. */
  readonly journalSum: string;
  /** `Journal.stamp` at that time. */
  readonly journalStamp: string;
}

export class TreeStore {
  readonly #path: string;
  readonly #options: EnvironmentOptions;
  #db: Environment | undefined;

  /**
   * Opens the store at `path` (text). Never fails: a file that cannot be used is told to `onNote`, and the store
   * is empty; without a place to write, it stays so.
   */
  static open(path: string, options: EnvironmentOptions = {}): TreeStore {
    return new TreeStore(path, options);
  }

  private constructor(path: string, options: EnvironmentOptions) {
    this.#path = path;
    this.#options = options;
    this.#db = openEnvironment(path, options);
  }

  /**
   * Writes what changed since the last save, in one transaction, and clears the tree's dirty sets. False (after
   * a note) when that failed; the tree is still dirty then.
   */
  save(tree: OverrideTree, meta: TreeMeta): boolean {
    return this.#transact(tree, (db) => {
      saveDead(db, tree);
      saveInodes(db, tree);
      saveDentries(db, tree);
      saveStamps(db, tree);
      saveMeta(db, tree, meta);
    });
  }

  /** Drops all that is stored, then saves a tree that is dirty as a whole: an empty one, or one fresh from replay. */
  replace(tree: OverrideTree, meta: TreeMeta): boolean {
    return this.#transact(tree, (db) => {
      db.clearSync();
      saveInodes(db, tree);
      saveDentries(db, tree);
      saveStamps(db, tree);
      saveMeta(db, tree, meta);
    });
  }

  /** The tree as last saved; undefined when there is none, or (after a note) it is damaged. */
  load(): { tree: OverrideTree; meta: TreeMeta } | undefined {
    const db = this.#db;
    if (db === undefined) return undefined;
    try {
      return new Loader().load(db);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      this.#options.onNote?.(`tree store: ${error.message}; the journal is read instead`);
      return undefined;
    } finally {
      // A read transaction left open would keep old pages alive for as long as this thread does not pause.
      db.resetReadTxn();
      // All of it was read, and is not read again; a command ends soon anyway.
      if (!this.#options.readOnly) releaseMapped(this.#path);
    }
  }

  /** Throws everything away, the files too: they are damaged, or not of this journal's present. */
  discard(): void {
    void this.#db?.close();
    this.#db = undefined;
    if (this.#options.readOnly) return;
    try {
      removeEnvironment(this.#path);
      this.#db = openEnvironment(this.#path, this.#options);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      // What is left of it tells itself how much of the journal it covers.
      this.#options.onNote?.(`tree store: ${error.message}; it is done without`);
    }
  }

  async close(): Promise<void> {
    await this.#db?.close();
    this.#db = undefined;
  }

  #transact(tree: OverrideTree, write: (db: Environment) => void): boolean {
    const db = this.#db;
    if (db === undefined) return false;
    try {
      // A reader that was killed would keep old pages alive.
      db.readerCheck();
      db.transactionSync(() => write(db));
      renewStamp(this.#path);
    } catch (error) {
      if (!isStoreError(error)) throw error;
      this.#options.onNote?.(`tree store: ${error.message}; it is written again later`);
      return false;
    }
    tree.dirtyInodes.clear();
    tree.dirtyDentries.clear();
    tree.deadIds.length = 0;
    tree.stamps.dirty.clear();
    return true;
  }
}

function saveDead(db: Environment, tree: OverrideTree): void {
  for (const id of tree.deadIds) {
    if (db.removeSync(keys.idKey(keys.KEY_SHARED, id))) continue;
    if (db.removeSync(keys.idKey(keys.KEY_DIRECTORY, id))) removeDentries(db, id);
  }
}

function removeDentries(db: Environment, dir: number): void {
  const range = { start: keys.idKey(keys.KEY_DENTRY, dir), end: keys.idKey(keys.KEY_DENTRY, dir + 1) };
  for (const key of [...db.getKeys(range)]) db.removeSync(key);
}

function saveInodes(db: Environment, tree: OverrideTree): void {
  for (const inode of tree.dirtyInodes) {
    const { staged } = inode;
    if (staged === undefined || !isReachable(inode, tree)) continue;
    const shared = keys.idKey(keys.KEY_SHARED, staged.id);
    if (hasOneName(inode, staged) && inode.parent !== undefined) {
      saveDentry(db, { dir: inode.parent, name: inode.name });
      // It may have had more names before.
      db.removeSync(shared);
    } else {
      const key = inode.type === S_IFDIR ? keys.idKey(keys.KEY_DIRECTORY, staged.id) : shared;
      db.putSync(key, codec.encodeInode(key, inode, staged));
    }
  }
}

/**
 * The inode is kept in its dentry. When it gets a second name, a record of its own, which from then on counts, is
 * written; the first dentry may still hold what it held. A base file with several names always has a record: the
 * one that is left may be in a directory where nothing else is staged.
 */
function hasOneName(inode: Inode, staged: Staged): boolean {
  return inode.type !== S_IFDIR && staged.nlink === 1 && (staged.fingerprint?.nlink ?? 1) === 1;
}

function saveDentries(db: Environment, tree: OverrideTree): void {
  for (const [dir, names] of tree.dirtyDentries) {
    if (!isReachable(dir, tree)) continue;
    for (const name of names) {
      const child = dir.children?.get(name);
      const isSaved = child?.staged !== undefined && tree.dirtyInodes.has(child) && hasOneName(child, child.staged);
      if (!isSaved) saveDentry(db, { dir, name });
    }
  }
}

function saveStamps(db: Environment, { stamps }: OverrideTree): void {
  for (const path of stamps.dirty) {
    const key = keys.stampKey(path);
    const stamp = stamps.get(path);
    if (stamp === undefined) db.removeSync(key);
    else db.putSync(key, codec.encodeStamp(key, path, stamp));
  }
}

function saveDentry(db: Environment, { dir, name }: Place): void {
  if (dir.staged === undefined) return;
  const key = keys.dentryKey(dir.staged.id, name);
  const child = dir.children?.get(name);
  if (child === TOMBSTONE) db.putSync(key, codec.encodeDentry(key, undefined));
  else if (child?.staged === undefined) db.removeSync(key);
  else if (hasOneName(child, child.staged)) db.putSync(key, codec.encodeFullDentry(key, child, child.staged));
  else db.putSync(key, codec.encodeDentry(key, child.staged.id));
}

/** Has a name, or may get one back by a lookup in the base. The others live as long as somebody has them open. */
function isReachable(inode: Inode, tree: OverrideTree): boolean {
  if (inode === tree.root || inode.parent !== undefined) return true;
  const key = linkKey(inode);
  return key !== undefined && tree.linked.get(key) === inode;
}

/** The key in `tree.linked` of an overridden base file with several names, while one is left. */
function linkKey(inode: Inode): string | undefined {
  const { staged } = inode;
  const print = staged?.fingerprint;
  if (staged === undefined || print === undefined || inode.type === S_IFDIR) return undefined;
  return print.nlink > 1 && staged.nlink > 0 ? `${print.dev}:${print.ino}` : undefined;
}

function saveMeta(db: Environment, tree: OverrideTree, meta: TreeMeta): void {
  db.putSync(keys.META, codec.encodeMeta(JSON.stringify({ ...meta, nextId: tree.nextId })));
}

/** Builds the tree in one pass over all keys: meta, directories, files with several names, dentries. */
class Loader {
  readonly #tree = new OverrideTree();
  /** By id; files with one name are not here. */
  readonly #inodes = new Map<number, Inode>([[1, this.#tree.root]]);

  load(db: Environment): { tree: OverrideTree; meta: TreeMeta } | undefined {
    let meta: TreeMeta | undefined;
    for (const { key, value } of db.getRange({ start: keys.META })) {
      const kind = keys.kindOf(key);
      if (kind === keys.KEY_DENTRY) this.#dentry(key, value);
      else if (kind === keys.KEY_STAMP) this.#stamp(key, value);
      else if (kind === keys.KEY_META) meta = this.#meta(key, value);
      else this.#inode(key, value);
    }
    this.#tree.stamps.dirty.clear();
    return meta === undefined ? undefined : { tree: this.#tree, meta };
  }

  #stamp(key: keys.StoreKey, value: Buffer): void {
    const { path, stamp } = codec.decodeStamp(key, value);
    this.#tree.stamps.put(path, stamp);
  }

  #meta(key: keys.StoreKey, value: Buffer): TreeMeta {
    const { nextId, ...meta } = JSON.parse(codec.unseal(key, value).bytes()) as TreeMeta & { nextId: number };
    this.#tree.nextId = nextId;
    return meta;
  }

  #inode(key: keys.StoreKey, value: Buffer): void {
    const inode = codec.decodeInode(key, value);
    const id = keys.idOf(key);
    if (id === 1) {
      this.#tree.root.staged = inode.staged;
      return;
    }
    this.#inodes.set(id, inode);
    const linked = linkKey(inode);
    if (linked !== undefined) this.#tree.linked.set(linked, inode);
  }

  #dentry(key: keys.StoreKey, value: Buffer): void {
    const dir = this.#inodes.get(keys.idOf(key));
    const dentry = codec.decodeDentry(key, value);
    const child = dentry === 'tombstone' ? TOMBSTONE : (this.#inodes.get(dentry.id) ?? dentry.inode);
    if (dir?.children === undefined || child === undefined) throw new RangeError('an inode is missing');
    const name = keys.nameOf(key);
    if (child === TOMBSTONE) dir.children.set(name, TOMBSTONE);
    else giveName(child, { dir, name });
  }
}
