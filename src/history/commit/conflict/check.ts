/**
 * Finds what has changed outside of what the view overrides, by comparing the base with what it was when a place was
 * first overridden: fingerprints of files that are in their place, stamps of names that are gone (staging/base-stamps.ts), and
 * no stamp where there was nothing.
 *
 * Both sides having deleted something is no conflict. A moved directory takes along whatever is in it, so only what it
 * is itself is compared; of a deleted one everything.
 *
 * The ctime catches an edit that keeps size and mtime, but where a file system counts it in ticks (before Linux 6.13) an
 * edit of the same size within one tick of the override is not seen. The hash of a stamp is 49 bits without a secret: it
 * finds accidents, not somebody who can choose inode numbers and ctimes.
 */

import type { BaseStamp } from '../../../staging/base-stamps.ts';
import { isMoved, stampOfFile, typeOfStamp, UNKNOWN } from '../../../staging/base-stamps.ts';
import type { Dentry, Fingerprint, Inode, Staged } from '../../../staging/inode.ts';
import { basePath, fingerprintOf, TOMBSTONE } from '../../../staging/inode.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import { allSteps } from '../../../sys/all-steps.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, ROOT } from '../../../sys/bytes.ts';
import { isDirectory, S_IFDIR, S_IFMT } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import { listIfCheap } from '../../diff/levels.ts';
import { isAtHome } from '../../diff/origins.ts';
import type { Conflict, Ours, Theirs } from './conflict.ts';
import type { Original, OwnChanges } from './own-changes.ts';
import { stages, type TodaysStamps } from './todays-stamps.ts';

export interface CheckOptions {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  /** What we have touched ourselves. */
  readonly ownChanges?: OwnChanges | undefined;
}

export interface Checked {
  /** In the order of their paths. */
  readonly conflicts: readonly Conflict[];
  /** Files of the base that a commit may touch and that are what they were. */
  readonly originals: readonly Original[];
}

/** Compares everything that the view overrides. Throws SystemError when the base cannot be read. */
export function checkBase(options: CheckOptions): Checked {
  return allSteps(checkInSteps(options));
}

/** The same, a step for each name and each stamp. */
export function* checkInSteps(options: CheckOptions): Generator<undefined, Checked> {
  const check = new Check(options);
  const conflicts: Conflict[] = [];
  for (const found of check.run()) {
    if (found !== undefined) conflicts.push(found);
    yield;
  }
  conflicts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { conflicts, originals: check.originals };
}

/** A directory of the view on the walk. */
interface Visit {
  readonly dir: Inode;
  readonly path: BytePath;
  /** What happened to its base entry, which should be a directory. */
  readonly lost: 'deleted' | 'replaced' | undefined;
  /** The names the base has in it, if they were listed. */
  readonly baseNames: ReadonlySet<Name> | undefined;
}

/** A name of the view over a place of the base that has a stamp. */
interface Taken {
  readonly path: BytePath;
  readonly child: Dentry;
}

class Check {
  readonly originals: Original[] = [];
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  readonly #versions: (print: Fingerprint) => readonly Fingerprint[];
  /** Stamps as they would be made now, and as they would have been before we touched anything. */
  readonly #stages: readonly TodaysStamps[];
  readonly #taken = new Map<BytePath, Taken>();
  readonly #appeared: Conflict[] = [];
  /** Base entries that the view shows elsewhere, by their path in the base: where. */
  readonly #moved = new Map<BytePath, BytePath>();

  constructor({ tree, facts, ownChanges }: CheckOptions) {
    this.#tree = tree;
    this.#facts = facts;
    this.#versions = ownChanges === undefined ? (print) => [print] : ownChanges.versions.bind(ownChanges);
    this.#stages = stages({ facts, stamps: tree.stamps }, ownChanges);
  }

  /** Undefined where a name or a stamp was compared, and there is none. */
  *run(): Generator<Conflict | undefined> {
    yield* this.#directory(this.#tree.root, ROOT);
    // A base entry without a stamp: it moved out of a directory whose stamp it is in, and takes along what it is now.
    for (const conflict of this.#appeared) if (!this.#moved.has(conflict.original)) yield conflict;
    for (const [original, stamp] of this.#tree.stamps.entries()) {
      const theirs = this.#changed(original, stamp);
      if (theirs !== undefined) yield* this.#stamped(original, theirs, stamp);
      yield;
    }
  }

  *#directory(dir: Inode, path: BytePath): Generator<Conflict | undefined> {
    const staged = [...(dir.children ?? [])].filter(([, child]) => isAsked(dir, child));
    const { base } = dir;
    const lost = base === undefined ? undefined : this.#lost(base);
    if (lost !== undefined && base !== undefined && (dir.staged?.changed ?? 0) !== 0)
      yield { path, original: base, ours: 'metadata', theirs: lost };
    const isPresent = base !== undefined && lost === undefined;
    const baseNames = isPresent ? listIfCheap(base, staged.length, this.#facts) : undefined;
    for (const [name, child] of staged) yield* this.#name({ dir, path, lost, baseNames }, name, child);
  }

  *#name(visit: Visit, name: Name, child: Dentry): Generator<Conflict | undefined> {
    const path = join(visit.path, name);
    const home = child !== TOMBSTONE && isAtHome({ dir: visit.dir, name }, child, this.#facts);
    if (!home) yield* this.#overridden(visit, name, { path, child });
    else if (child.type !== S_IFDIR) yield* this.#inPlace(child, path);
    yield;
    if (child?.children !== undefined) yield* this.#directory(child, path);
  }

  /** A name that does not show what the base has under it. */
  *#overridden({ dir, lost, baseNames }: Visit, name: Name, taken: Taken): Generator<Conflict> {
    const { path, child } = taken;
    const origin = child === TOMBSTONE ? undefined : basePath(child);
    if (origin !== undefined) this.#moved.set(origin, path);
    if (dir.base === undefined) return;
    const original = join(dir.base, name);
    const ours: Ours = child === TOMBSTONE ? 'deleted' : origin === undefined ? 'added' : 'renamed';
    if (this.#tree.stamps.get(original) !== undefined) this.#taken.set(original, taken);
    else if (lost === undefined && baseNames?.has(name) !== false && this.#facts.at(dir.base, name) !== undefined)
      this.#appeared.push({ path, original, ours, theirs: 'appeared' });
    if (lost !== undefined && child !== TOMBSTONE) yield { path, original, ours, theirs: lost };
  }

  /** A file that overrides its own base entry. */
  *#inPlace(child: Inode, path: BytePath): Generator<Conflict> {
    const original = basePath(child);
    const { staged } = child;
    if (staged?.fingerprint === undefined || original === undefined || !isTouched(staged)) return;
    const was = stampOfFile(child.type, staged.fingerprint);
    const theirs = this.#compare(original, was);
    const ours = staged.object === 0 ? 'metadata' : 'modified';
    if (theirs !== undefined) yield { path, original, ours, theirs, was, print: staged.fingerprint };
  }

  /** A place with a stamp is not what it was. */
  *#stamped(original: BytePath, theirs: Theirs, was: BaseStamp): Generator<Conflict> {
    const taken = this.#taken.get(original);
    const path = taken?.path ?? original;
    const to = this.#moved.get(original);
    if (to !== undefined) yield { path, original, ours: 'renamed', theirs, was, to };
    else if (taken?.child) yield { path, original, ours: 'replaced', theirs, was };
    else if (theirs !== 'deleted') yield { path, original, ours: 'deleted', theirs, was };
  }

  #lost(base: BytePath): 'deleted' | 'replaced' | undefined {
    const stat = this.#facts.of(base);
    if (stat === undefined) return 'deleted';
    return isDirectory(stat.mode) ? undefined : 'replaced';
  }

  #changed(original: BytePath, stamp: BaseStamp): Theirs | undefined {
    return stamp === UNKNOWN ? undefined : this.#compare(original, stamp);
  }

  #compare(original: BytePath, stamp: BaseStamp): Theirs | undefined {
    const stat = this.#facts.of(original);
    if (stat === undefined) return 'deleted';
    if ((stat.mode & S_IFMT) !== typeOfStamp(stamp)) return 'replaced';
    if (isDirectory(stat.mode)) {
      const which = isMoved(stamp) ? 'moved' : 'deleted';
      return this.#stages.some((stamps) => stamps.of(original, stat, which) === stamp) ? undefined : 'modified';
    }
    const print = fingerprintOf(stat);
    if (!this.#versions(print).some((version) => stampOfFile(stat.mode, version) === stamp)) return 'modified';
    this.originals.push({ path: original, print });
    return undefined;
  }
}

/** Whether a name may have to do with the base: it is staged, and not of a file born in a directory born in the view. */
function isAsked(dir: Inode, child: Dentry): boolean {
  if (child === TOMBSTONE) return true;
  if (child.staged === undefined) return false;
  return dir.base !== undefined || child.base !== undefined || child.children !== undefined;
}

/** Whether a commit would write anything about the inode. */
function isTouched({ object, changed, attributes, xattrs }: Staged): boolean {
  const { ctime: _, ...others } = attributes;
  return object !== 0 || changed !== 0 || xattrs !== undefined || Object.keys(others).length > 0;
}
