/**
 * The changes of a range of the journal: what `run` says its command did, and `diff A..B` shows. The same kind of
 * list as the net changes (changes.ts), with the start of the range in place of the base. Its cost follows the
 * range's records; what a moved directory holds is not listed.
 */
import type { BaseTree } from '../staging/base-tree.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import type { Backing, Mutation } from '../staging/recorder.ts';
import type { BytePath, Name } from '../sys/bytes.ts';
import { components, join, ROOT } from '../sys/bytes.ts';
import { Facts, typeOf } from './compare/facts.ts';
import type { FoldInode } from './compare/fold.ts';
import { Fold } from './compare/fold.ts';
import type { PathChange, Side } from './compare/path-change.ts';
import { fileTypeOf } from './compare/path-change.ts';
import type { Body } from './record.ts';

export interface RangeOptions {
  readonly base: BaseTree;
  readonly store: ObjectStore;
}

/** The changes that records (of live segments, in order) amount to, sorted by path. Throws SystemError as `netChanges`. */
export function rangeChanges(records: Iterable<Body>, options: RangeOptions): PathChange[] {
  const fold = new Fold();
  for (const body of records) {
    if (isMutation(body)) fold.apply(body);
  }
  return new RangeWalk(fold, new Facts(options.base, options.store)).run();
}

const MUTATIONS: ReadonlySet<string> = new Set<Mutation['tag']>(['S', 'D', 'R', 'L', 'M']);

function isMutation(body: Body): body is Mutation {
  return MUTATIONS.has(body.tag);
}

interface Dentry {
  readonly dir: FoldInode;
  readonly name: Name;
  readonly path: BytePath;
  readonly child: FoldInode;
}

class RangeWalk {
  readonly #fold: Fold;
  readonly #facts: Facts;
  readonly #changes: PathChange[] = [];
  /** Every inode that has a name at the end. */
  readonly #shown = new Set<FoldInode>();
  readonly #renamed = new Set<FoldInode>();

  constructor(fold: Fold, facts: Facts) {
    this.#fold = fold;
    this.#facts = facts;
  }

  run(): PathChange[] {
    const { root, start } = this.#fold;
    const dentries = [...dentriesBelow(root, ROOT)].sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { child } of dentries) this.#shown.add(child);
    this.#push(this.#difference(ROOT, root));
    for (const dentry of dentries) this.#push(this.#dentry(dentry));
    for (const [path, inode] of start) {
      if (!this.#shown.has(inode) && inode.old !== undefined) this.#push(this.#deleted(path, inode.old));
    }
    return this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #push(change: PathChange | undefined): void {
    if (change !== undefined) this.#changes.push(change);
  }

  #dentry({ dir, name, path, child }: Dentry): PathChange | undefined {
    const { origin } = child;
    if (origin === undefined) return this.#made(path, child);
    const came = dir.origin === undefined ? undefined : join(dir.origin, name);
    if (origin === path || origin === came) return this.#difference(path, child);
    if (this.#isAt(origin, child) || this.#renamed.has(child)) return this.#made(path, child);
    this.#renamed.add(child);
    const replaced = this.#lostAt(path);
    return {
      path,
      change: 'renamed',
      type: fileTypeOf(typeOf(child.now)),
      from: origin,
      oldSide: { backing: child.old ?? child.now },
      newSide: sideOf(child),
      ...(replaced === undefined ? {} : { replaced: { backing: replaced } }),
    };
  }

  /** An inode that is where it was, or came along with its directory. */
  #difference(path: BytePath, inode: FoldInode): PathChange | undefined {
    const old = inode.old ?? inode.now;
    const same = old === inode.now || this.#facts.same(old, inode.now);
    if (same && inode.changed === 0) return undefined;
    const change = same ? 'metadata' : 'modified';
    return { path, change, type: fileTypeOf(typeOf(inode.now)), oldSide: { backing: old }, newSide: sideOf(inode) };
  }

  /** Made in the range, or one more name of something older. */
  #made(path: BytePath, inode: FoldInode): PathChange | undefined {
    const entry = { path, type: fileTypeOf(typeOf(inode.now)), newSide: sideOf(inode) };
    const before = this.#fold.start.get(path);
    if (before?.old === undefined) return { ...entry, change: 'added' };
    const old = { backing: before.old };
    const displaced = this.#lostAt(path) === undefined ? ({ displaced: true } as const) : {};
    if (!this.#facts.same(before.old, inode.now)) return { ...entry, change: 'modified', oldSide: old, ...displaced };
    return this.#metadataDiffers(before.old, inode) ? { ...entry, change: 'metadata', oldSide: old } : undefined;
  }

  /** A new file with the old bytes: only if the old one was the base's is it known what else it was. */
  #metadataDiffers(old: Backing, { attributes, changed }: FoldInode): boolean {
    const stat = old.kind === 'base' ? this.#facts.of(old.path) : undefined;
    if (stat === undefined) return changed !== 0;
    const { mode = stat.mode & 0o7777, uid = stat.uid, gid = stat.gid } = attributes;
    return mode !== (stat.mode & 0o7777) || uid !== stat.uid || gid !== stat.gid;
  }

  #deleted(path: BytePath, old: Backing): PathChange | undefined {
    // Something else is there now: its own entry says so.
    if (old.kind === 'absent' || this.#at(path) !== undefined) return undefined;
    return { path, change: 'deleted', type: fileTypeOf(typeOf(old)), oldSide: { backing: old } };
  }

  /** What was at a path at the start and is nowhere at the end. */
  #lostAt(path: BytePath): Backing | undefined {
    const before = this.#fold.start.get(path);
    return before === undefined || this.#shown.has(before) ? undefined : before.old;
  }

  #isAt(path: BytePath, inode: FoldInode): boolean {
    return this.#at(path) === inode;
  }

  #at(path: BytePath): FoldInode | undefined {
    let at: FoldInode | undefined = this.#fold.root;
    for (const name of components(path)) at = at?.children.get(name) ?? undefined;
    return at;
  }
}

function* dentriesBelow(dir: FoldInode, path: BytePath): Generator<Dentry> {
  for (const [name, child] of dir.children) {
    if (child === null) continue;
    const at = join(path, name);
    yield { dir, name, path: at, child };
    yield* dentriesBelow(child, at);
  }
}

function sideOf(inode: FoldInode): Side {
  const { mode, uid, gid } = inode.attributes;
  return { backing: inode.now, mode, uid, gid };
}
