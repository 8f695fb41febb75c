/**
 * What a commit has put into its backups, brought into the view as content of its own. They are copied (shared
 * extents where the file system can), so that an undo or gc may take the backups away. The view stands still meanwhile.
 *
 * A deleted name of a file with hard links lies in the backups as one of its names, and what is written to the file outside
 * shows there, too. It comes back as one where a commit since has written to the file by another name; otherwise as a
 * file of its own, and what was staged of it then shows under that name alone.
 */

import { copyContent } from '../../staging/copy-content.ts';
import type { Time } from '../../staging/inode.ts';
import { objectPath } from '../../staging/object-store.ts';
import type { BytePath, Ino, Name, ObjectId } from '../../sys/bytes.ts';
import { join, label } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { Stat } from '../../sys/stat.ts';
import { isDirectory, isRegular, isSymlink, S_IFMT } from '../../sys/stat.ts';
import { UserError } from '../../sys/user-error.ts';
import { applyToOurs, attributesOf, type FileAttributes } from '../commit/apply/attributes.ts';
import type { Facts } from '../diff/facts.ts';
import { restoredIno } from '../log/session-state.ts';
import { WHERE_TO_GO } from '../timeline/destination.ts';
import { type BaseReconstruction, hasSeveralNames } from './base-reconstruction.ts';

interface Content {
  readonly size: number;
  readonly mtime: Time | undefined;
}

export interface BackupsOptions {
  /** The directory of a commit's backups. */
  readonly path: BytePath;
  readonly facts: Facts;
  readonly numbers: { nextObject(): ObjectId; nextIno(): Ino };
  /** Names that the commit gave to what it moved or put away. */
  readonly temporary: ReadonlySet<Name>;
  /** Gives the content of a file an id under which it can be read; by default it is copied into the store. */
  readonly lend?: ((path: BytePath) => ObjectId) | undefined;
}

export class Backups {
  readonly #path: BytePath;
  readonly #facts: Facts;
  readonly #numbers: BackupsOptions['numbers'];
  readonly #temporary: ReadonlySet<Name>;
  readonly #lend: BackupsOptions['lend'];

  constructor({ path, facts, numbers, temporary, lend }: BackupsOptions) {
    this.#temporary = temporary;
    this.#path = path;
    this.#facts = facts;
    this.#numbers = numbers;
    this.#lend = lend;
  }

  /**
   * Puts a backup, with all that is in it, at a path where nothing is. `places`: where it may be, as names below the
   * backups. Throws a UserError when it is not kept.
   */
  restore(places: readonly (readonly Name[])[], to: BytePath, rebuilt: BaseReconstruction): void {
    const paths = places.map((names) => names.reduce(join, this.#path));
    const path = paths.find((place) => this.#facts.of(place) !== undefined) ?? this.#path;
    if (path === this.#path) throw notKept(to);
    this.#restore(path, this.#stat(path, to), { to, rebuilt });
  }

  /** Gives a file the content of a backup, and its attributes or those that it had instead. Throws as `restore`. */
  refill(kept: Name, to: BytePath, rebuilt: BaseReconstruction, attributes?: FileAttributes): void {
    const path = join(this.#path, kept);
    const stat = this.#stat(path, to);
    if (rebuilt.rejoin(to, stat)) return;
    if (isRegular(stat.mode)) {
      // The time of the content is the object's own, until a record says otherwise.
      const { mtime, ...others } = attributes ?? this.#attributes(path, stat);
      if (attributes === undefined) rebuilt.strip(to, others);
      rebuilt.fill(to, this.#import(path, { size: stat.size, mtime }), others);
      return;
    }
    rebuilt.remove(to);
    this.#restore(path, stat, { to, rebuilt });
  }

  #restore(path: BytePath, stat: Stat, { to, rebuilt }: { to: BytePath; rebuilt: BaseReconstruction }): void {
    if (rebuilt.rejoin(to, stat)) return;
    const attributes = this.#attributes(path, stat);
    // The base may have the file under other names, and this is one more file now.
    const ino = hasSeveralNames(stat) ? this.#numbers.nextIno() : restoredIno(stat.ino);
    const made = { type: stat.mode & S_IFMT, ino, rdev: stat.rdev, attributes };
    const { mtime } = attributes;
    if (isRegular(stat.mode)) rebuilt.make(to, { ...made, object: this.#import(path, { size: stat.size, mtime }) });
    else if (isSymlink(stat.mode)) rebuilt.make(to, { ...made, target: this.#target(path) });
    else rebuilt.make(to, made);
    if (!isDirectory(stat.mode)) return;
    for (const { name } of this.#facts.list(path) ?? []) {
      // Another backup, which has a step of its own.
      if (this.#temporary.has(name)) continue;
      const child = join(path, name);
      this.#restore(child, this.#stat(child, to), { to: join(to, name), rebuilt });
    }
    // What was put in it has changed its times.
    rebuilt.adjust(to, attributes, true);
  }

  #target(path: BytePath): string {
    const target = this.#facts.base.readlink(path);
    if (typeof target === 'number') throw new SystemError(`cannot read ${label(path)}`, target);
    return target;
  }

  #stat(path: BytePath, to: BytePath): Stat {
    const stat = this.#facts.of(path);
    if (stat !== undefined) return stat;
    throw notKept(to);
  }

  #attributes(path: BytePath, stat: Stat): FileAttributes {
    const xattrs = this.#facts.xattrNames(path).flatMap((name) => {
      const value = this.#facts.xattr(path, name);
      return value === undefined ? [] : [{ name, value, carried: true }];
    });
    return { ...attributesOf(stat), xattrs };
  }

  /** The content as an object of the store. */
  #import(path: BytePath, { size, mtime }: Content): ObjectId {
    if (this.#lend !== undefined) return this.#lend(path);
    const { base, store } = this.#facts;
    const from = base.openRead(path);
    if (from < 0) throw new SystemError(`cannot read ${label(path)}`, -from as Errno);
    try {
      const made = store.createNext(() => this.#numbers.nextObject());
      if (typeof made === 'number') throw new SystemError('cannot make a content object', made);
      const { object, fd } = made;
      const errno = copyContent(from, fd, size);
      libc.close(fd);
      if (errno === OK) applyToOurs({ dirfd: store.dirfd, name: objectPath(object) }, { mtime });
      if (errno === OK) return object;
      store.remove(object);
      throw new SystemError(`cannot copy ${label(path)}`, errno);
    } finally {
      libc.close(from);
    }
  }
}

function notKept(to: BytePath): UserError {
  return new UserError(`what ${label(to)} was before a later commit is no longer kept`, WHERE_TO_GO);
}
