/**
 * The store as somebody has it who only looks: files that lie elsewhere (originals that a commit has kept) are read as
 * if they were objects, under ids that no object has, instead of being copied into the store.
 */
import type { BaseTree } from '../../staging/base-tree.ts';
import { ObjectStore } from '../../staging/object-store.ts';
import { type BytePath, type ObjectId, toText } from '../../sys/bytes.ts';
import * as libc from '../../sys/libc.ts';
import { hostPath } from '../../sys/mounts.ts';

/** Above all that a session ever numbers. */
const FIRST = 2 ** 52;

export class LendingStore extends ObjectStore {
  readonly #base: BaseTree;
  readonly #paths: BytePath[] = [];
  readonly #ids = new Map<BytePath, ObjectId>();

  /** The store at a directory (text path); other files are read through `base`. Throws SystemError. */
  constructor(path: string, base: BaseTree) {
    super(path);
    this.#base = base;
  }

  /** The id under which the file at a path can be read: always the same one. */
  lend(path: BytePath): ObjectId {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const id = (FIRST + this.#paths.length) as ObjectId;
    this.#paths.push(path);
    this.#ids.set(path, id);
    return id;
  }

  override open(object: ObjectId): number {
    const path = this.#paths[object - FIRST];
    return path === undefined ? super.open(object) : this.#base.openRead(path);
  }

  override placeOf(object: ObjectId): string {
    const path = this.#paths[object - FIRST];
    return path === undefined ? super.placeOf(object) : toText(hostPath(path));
  }

  override statInto(object: ObjectId, into: Buffer): number {
    if (object < FIRST) return super.statInto(object, into);
    const fd = this.open(object);
    if (fd < 0) return fd;
    const result = libc.fstatxInto(fd, into);
    libc.close(fd);
    return result;
  }
}
