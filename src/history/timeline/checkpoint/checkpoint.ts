/**
 * A checkpoint: an override tree as the mutations that make it out of nothing. Where an epoch ends and something stays
 * staged, these are the first records of the next one.
 *
 *     lost     files with several names in the base, changed through one that went
 *     leave    deepest first, as all paths are still the base's: what the base had and the view hides or covers goes, every
 *              moved base entry gets a temporary name at the root
 *     arrive   parents before children: deletions, what was born in the view, base entries from their temporary names
 *     link     further names
 *     exact    what is staged about directories and linked files: all of the above touched them
 *
 * Temporary names are seen by replay alone. Moves are told as renames, not as paths in the base: so the records also
 * hold where something else than the base is underneath (travel to before a commit).
 */
import type { Inode, Staged } from '../../../staging/inode.ts';
import { basePath, TOMBSTONE } from '../../../staging/inode.ts';
import { isInPlace, stagedPaths } from '../../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { Backing, Mutation, StageKept } from '../../../staging/recorder.ts';
import type { BytePath, Gen, Name } from '../../../sys/bytes.ts';
import { join, ROOT } from '../../../sys/bytes.ts';
import { S_IFDIR } from '../../../sys/stat.ts';
import type { Survey } from './survey.ts';
import { deepestFirst, isShared, survey } from './survey.ts';

const ABSENT: Backing = { kind: 'absent' };

/** The mutations that, replayed over an empty tree, give this one (ids aside). The tree must not change meanwhile. */
export function checkpointOf(tree: OverrideTree): Iterable<Mutation> {
  return new CheckpointWriter(tree).mutations();
}

/**
 * Makes content in the live tree as old as it is in the replayed one: the generation of the checkpoint. The marker
 * that follows opens a later one, so it is copied before it is written.
 */
export function dateContent(tree: OverrideTree, gen: Gen): void {
  const inodes = [...tree.linked.values(), ...[...stagedPaths(tree.root)].map(({ child }) => child)];
  for (const { staged } of inodes) if (staged !== undefined && staged.object !== 0) staged.objectGen = gen;
}

class CheckpointWriter {
  readonly #tree: OverrideTree;
  readonly #survey: Survey;
  /** Moved base entries by the temporary name that they wait under. */
  readonly #waiting = new Map<Inode, BytePath>();
  /** Files that are changed by a name nobody has looked at, with that. */
  readonly #standing: [Inode, BytePath][] = [];
  /** Directories of the view, with their paths. */
  readonly #directories: [Inode, BytePath][] = [];
  #temporary = 0;

  constructor(tree: OverrideTree) {
    this.#tree = tree;
    this.#survey = survey(tree);
  }

  *mutations(): Generator<Mutation> {
    if (isNothing(this.#tree)) return;
    for (const [inode, standing] of this.#survey.unseen) {
      if (standing === undefined) yield* lose(inode);
      else this.#standing.push([inode, standing]);
    }
    yield* this.#leaveAll();
    yield* this.#directory(this.#tree.root, ROOT);
    for (const [inode, { first, more }] of this.#survey.shared) {
      const { ino } = inode;
      for (const path of more) yield { tag: 'L', existing: first, path, ino, of: backingOf(inode) };
      yield* exactly(inode, first);
    }
    for (const [inode, path] of [...this.#standing, ...this.#directories]) yield* exactly(inode, path);
  }

  #temporaryPath(): BytePath {
    this.#temporary += 1;
    return join(ROOT, `.yolofs-carried-${this.#temporary}` as Name);
  }

  *#leaveAll(): Generator<Mutation> {
    const { stamps } = this.#tree;
    const moved = new Map(this.#survey.moved);
    const stamped = [...stamps.entries()].map(([path]) => path);
    for (const path of deepestFirst([...new Set([...moved.keys(), ...stamped])])) {
      const inode = moved.get(path);
      if (inode !== undefined) yield this.#leave(path, inode);
      else yield { tag: 'D', path, hides: true, stamp: stamps.get(path), pre: ABSENT };
    }
  }

  #leave(from: BytePath, inode: Inode): Mutation {
    const to = this.#temporaryPath();
    this.#waiting.set(inode, to);
    return {
      ...{ tag: 'R', from, to, exchange: false, hides: true, ino: inode.ino, pre: backingOf(inode), over: ABSENT },
      ...{ stamp: this.#tree.stamps.get(from), overStamp: undefined },
    };
  }

  *#directory(dir: Inode, path: BytePath): Generator<Mutation> {
    this.#directories.push([dir, path]);
    for (const [name, child] of dir.children ?? []) {
      const at = join(path, name);
      if (child === TOMBSTONE) yield { tag: 'D', path: at, hides: true, stamp: undefined, pre: ABSENT };
      else if (child.staged !== undefined) yield* this.#child({ dir, name }, child, at);
    }
  }

  *#child(place: { dir: Inode; name: Name }, child: Inode, path: BytePath): Generator<Mutation> {
    const isFirst = (this.#survey.shared.get(child)?.first ?? path) === path;
    if (isFirst && !isInPlace(place.dir, place.name, child)) yield* this.#arrive(child, path);
    else if (child.type !== S_IFDIR && !isShared(child)) yield* exactly(child, path);
    if (child.type === S_IFDIR) yield* this.#directory(child, path);
  }

  *#arrive(child: Inode, path: BytePath): Generator<Mutation> {
    const from = this.#waiting.get(child);
    if (from === undefined) {
      yield* exactly(child, path, { original: 'born' });
      return;
    }
    yield {
      ...{ tag: 'R', from, to: path, exchange: false, hides: false, ino: child.ino },
      ...{ pre: backingOf(child), over: ABSENT, stamp: undefined, overStamp: undefined },
    };
    if (child.type !== S_IFDIR && !isShared(child)) yield* exactly(child, path);
  }
}

/** Whether it shows the base as it is: whoever reads the journal sees by that that nothing stays staged (`requests/outcomes.ts`). */
function isNothing({ root, linked, stamps }: OverrideTree): boolean {
  const { changed = 0, attributes = {}, xattrs } = root.staged ?? {};
  const isSame = changed === 0 && Object.keys(attributes).length === 0 && xattrs === undefined;
  return isSame && (root.children?.size ?? 0) + linked.size + stamps.size === 0;
}

/** Its names in the base are found again when somebody looks at them; the one that went took a link along. */
function* lose(inode: Inode): Generator<Mutation> {
  const path = basePath(inode);
  if (path === undefined || inode.staged === undefined) return;
  yield* exactly(inode, path, { nlink: inode.staged.nlink + 1 });
  yield { tag: 'D', path, hides: true, stamp: undefined, pre: backingOf(inode) };
}

/** All that is staged about an inode. */
function* exactly(
  inode: Inode,
  path: BytePath,
  told: { readonly original?: StageKept['original']; readonly nlink?: number } = {},
): Generator<Mutation> {
  const { staged } = inode;
  if (staged === undefined) return;
  const { object, changed, rdev, target, fingerprint } = staged;
  const { original = 'here', nlink = staged.nlink } = told;
  const { type, ino } = inode;
  const pre = original === 'here' ? backingOf(inode) : ABSENT;
  const attributes = { ...staged.attributes };
  const kept: StageKept = {
    tag: 'S',
    how: 'kept',
    path,
    type,
    ino,
    original,
    object,
    nlink,
    changed,
    attributes,
    rdev,
    target,
    fingerprint,
    pre,
  };
  yield kept;
  if (staged.xattrs !== undefined) yield* xattrs(staged, { path, ino, pre: backingOf(inode) });
}

function* xattrs(staged: Staged, of: { path: BytePath; ino: Inode['ino']; pre: Backing }): Generator<Mutation> {
  for (const [name, value] of staged.xattrs ?? []) {
    yield { tag: 'M', ...of, attributes: {}, changed: 0, xattr: { name, value }, fingerprint: undefined };
  }
}

function backingOf(inode: Inode): Backing {
  const path = basePath(inode);
  return path === undefined ? { kind: 'other', type: inode.type } : { kind: 'base', type: inode.type, path };
}
