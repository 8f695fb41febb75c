/**
 * Base entries that we have touched and that are what they were. Moving a file and moving it back gives it a new ctime, as does
 * taking away one of its names (gc, of what a commit had put away), and to a comparison with what it was that looks like
 * somebody's change. So before that the base entries are written down, and when it is done, or a commit or an undo was taken back, by the
 * same process or by the one that comes after a crash, also the ctime that each of them ended up with.
 *
 * One line a file: path, its fingerprint before, and the ctime that it got, or `-`.
 */
import type { BaseTree } from '../../../staging/base-tree.ts';
import type { Fingerprint, Time } from '../../../staging/inode.ts';
import { fingerprintOf } from '../../../staging/inode.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { ROOT } from '../../../sys/bytes.ts';
import { SystemError } from '../../../sys/errno.ts';
import { removeFile } from '../../../sys/files/files.ts';
import { readText, saveText } from '../../../sys/files/text-files.ts';
import * as fields from '../../log/fields.ts';

/** A file of the base, as it was compared. */
export interface Original {
  readonly path: BytePath;
  readonly print: Fingerprint;
}

/** A file that we have taken a name from, and the ctime that it got. */
export interface Touched {
  readonly print: Fingerprint;
  readonly after: Time;
}

interface OwnChange extends Original {
  /** The ctime it has from us; undefined while the commit is under way. */
  readonly after: Time | undefined;
}

export class OwnChanges {
  readonly #file: string;
  #changes: readonly OwnChange[];
  #known: ReadonlyMap<string, Fingerprint>;

  /** Reads what is known; `file` is a text path. */
  constructor(file: string) {
    this.#file = file;
    this.#changes = (readText(file) ?? '').split('\n').filter(Boolean).flatMap(decodeChange);
    this.#known = index(this.#changes);
  }

  /** Before the first step of a commit: these it may touch. */
  begin(originals: readonly Original[]): void {
    if (originals.length === 0) return;
    this.#save([...this.#changes, ...originals.map((original) => ({ ...original, after: undefined }))]);
  }

  /** After a commit was taken back: what it touched is what it was before, but for its ctime. */
  finalise(base: BaseTree): void {
    if (!this.isPending) return;
    this.#save(
      this.#changes.flatMap((change) => (change.after === undefined ? finalisedChange(change, base) : change)),
    );
  }

  /** These got another ctime from us, whether `begin` was told of them or not. */
  note(touched: readonly Touched[]): void {
    if (touched.length === 0) return;
    const known = new Set(touched.map(({ print }) => keyOf(print, print.ctime)));
    const others = this.#changes.filter(
      ({ print, after }) => after !== undefined || !known.has(keyOf(print, print.ctime)),
    );
    this.#save([...others, ...touched.map((change) => ({ ...change, path: ROOT }))]);
  }

  /** After a commit of everything: nothing is compared any more with what was before. */
  done(): void {
    if (this.#changes.length > 0) this.#save([]);
  }

  /**
   * After a commit of a part, or an undo: what it touched is the base's now, but for files that have another ctime by it and of which
   * a name may be staged (`touched`, and `left`, found by their path). In one step: until then, who dies has left what `begin` was told.
   */
  donePart(base: BaseTree, touched: readonly Touched[] = [], left: readonly Original[] = []): void {
    const others = this.#changes.filter(({ after }) => after !== undefined);
    const finalised = left.flatMap((original) => finalisedChange({ ...original, after: undefined }, base));
    const noted = touched.map((change) => ({ ...change, path: ROOT }));
    if (others.length < this.#changes.length || noted.length + finalised.length > 0)
      this.#save([...others, ...noted, ...finalised]);
  }

  /** Whether a commit was cut short and nobody has looked after it yet: what the base has is ours then, or half ours. */
  get isPending(): boolean {
    return this.pending.length > 0;
  }

  /** What `begin` was told of, and nobody has looked after yet. */
  get pending(): readonly Original[] {
    return this.#changes.filter(({ after }) => after === undefined);
  }

  /** Whether nothing is known. */
  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** What a file looked like before we touched it. */
  before(print: Fingerprint): Fingerprint {
    return this.versions(print).at(-1) ?? print;
  }

  /** What a file looks like, and before each time that we touched it: it may have been overridden at any of them. */
  versions(print: Fingerprint): readonly Fingerprint[] {
    const found = [print];
    for (let at = print; found.length <= this.#known.size; found.push(at)) {
      const earlier = this.#known.get(keyOf(at, at.ctime));
      if (earlier === undefined || !isSame(earlier, at)) break;
      at = { ...at, ctime: earlier.ctime };
    }
    return found;
  }

  #save(ownChanges: readonly OwnChange[]): void {
    this.#changes = ownChanges;
    this.#known = index(ownChanges);
    try {
      if (ownChanges.length === 0) removeFile(this.#file);
      else saveText(this.#file, ownChanges.map(encodeChange).join(''));
    } catch (error) {
      // On a full disk it is known as long as this process lives.
      if (!(error instanceof SystemError)) throw error;
    }
  }
}

function finalisedChange(change: OwnChange, base: BaseTree): OwnChange[] {
  const stat = base.statPath(change.path);
  const now = typeof stat === 'number' ? undefined : fingerprintOf(stat);
  if (now === undefined || !isSame(now, change.print) || isSameTime(now.ctime, change.print.ctime)) return [];
  return [{ ...change, after: now.ctime }];
}

function index(ownChanges: readonly OwnChange[]): Map<string, Fingerprint> {
  return new Map(ownChanges.flatMap(({ print, after }) => (after === undefined ? [] : [[keyOf(print, after), print]])));
}

function keyOf({ dev, ino }: Fingerprint, ctime: Time): string {
  return `${dev}:${ino}:${fields.encodeTime(ctime)}`;
}

/** But for the ctime. */
function isSame(a: Fingerprint, b: Fingerprint): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && isSameTime(a.mtime, b.mtime);
}

function isSameTime(a: Time, b: Time): boolean {
  return a.sec === b.sec && a.nsec === b.nsec;
}

function encodeChange({ path, print, after }: OwnChange): string {
  const time = after === undefined ? fields.NONE : fields.encodeTime(after);
  return `${fields.encodeBytes(path)}\t${fields.encodeFingerprint(print)}\t${time}\n`;
}

/** Nothing for a line that was not written to its end. */
function decodeChange(line: string): OwnChange[] {
  const [path = '', field = '', time = ''] = line.split('\t');
  try {
    const print = fields.decodeFingerprint(field);
    const after = time === fields.NONE ? undefined : fields.decodeTime(time);
    return print === undefined ? [] : [{ path: fields.decodePath(path), print, after }];
  } catch (error) {
    if (error instanceof fields.FieldError) return [];
    throw error;
  }
}
