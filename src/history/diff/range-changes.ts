/**
 * The changes of a range of the journal: what `run` says its command did. The same kind of list as the net changes
 * (changes.ts), with the start of the range in place of the base. Its cost follows the range's records, and it has only
 * these to go by: attributes that were changed and put back are `metadata`, what a moved directory holds or covers is
 * not listed. A test checks that both kinds of list agree on everything else.
 */
import type { BaseTree } from '../../staging/base-tree.ts';
import { CHANGED_TIMES } from '../../staging/inode.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Backing, Mutation } from '../../staging/recorder.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components, join, ROOT } from '../../sys/bytes.ts';
import type { Body } from '../log/record.ts';
import { Facts, typeOf } from './facts.ts';
import { hasIdleTimes } from './noise.ts';
import type { PathChange, Side } from './path-change.ts';
import { fileTypeOf } from './path-change.ts';
import type { RangeInode } from './range-state.ts';
import { RangeState } from './range-state.ts';

export interface RangeOptions {
  readonly base: BaseTree;
  readonly store: ObjectStore;
}

/** The changes that records (of live segments, in order) amount to, sorted by path. Throws SystemError as `netChanges`. */
export function rangeChanges(records: Iterable<Body>, options: RangeOptions): Generator<PathChange, void, undefined> {
  const state = new RangeState();
  for (const body of records) {
    if (isMutation(body)) state.apply(body);
  }
  return new RangeWalk(state, new Facts(options.base, options.store)).run();
}

const MUTATIONS: ReadonlySet<string> = new Set<Mutation['tag']>(['S', 'D', 'R', 'L', 'M']);

function isMutation(body: Body): body is Mutation {
  return MUTATIONS.has(body.tag);
}

interface Dentry {
  readonly dir: RangeInode;
  readonly name: Name;
  readonly path: BytePath;
  readonly child: RangeInode;
}

class RangeWalk {
  readonly #state: RangeState;
  readonly #facts: Facts;
  readonly #renamed = new Set<RangeInode>();
  /** Those with a name that stayed, or came along with its directory: any other is a further one. */
  readonly #kept = new Set<RangeInode>();

  constructor(state: RangeState, facts: Facts) {
    this.#state = state;
    this.#facts = facts;
  }

  *run(): Generator<PathChange, void, undefined> {
    for (const dentry of dentriesBelow(this.#state.root)) {
      dentry.child.isShown = true;
      if (isKept(dentry)) this.#kept.add(dentry.child);
    }
    const gone = [...this.#state.start].flatMap(([path, inode]) => (inode.isShown ? [] : [path])).sort();
    let at = 0;
    for (const change of this.#present()) {
      for (; at < gone.length && (gone[at] ?? '') < change.path; at++) yield* this.#deleted(gone[at]);
      yield change;
    }
    for (; at < gone.length; at++) yield* this.#deleted(gone[at]);
  }

  *#present(): Generator<PathChange, void, undefined> {
    const own = this.#difference(ROOT, this.#state.root);
    if (own !== undefined) yield own;
    for (const dentry of dentriesBelow(this.#state.root)) {
      const change = this.#dentry(dentry);
      if (change !== undefined) yield change;
    }
  }

  #dentry(dentry: Dentry): PathChange | undefined {
    const { path, child } = dentry;
    const { origin } = child;
    if (origin === undefined) return this.#made(path, child);
    if (isKept(dentry)) return this.#difference(path, child);
    if (this.#kept.has(child) || this.#renamed.has(child)) return this.#made(path, child);
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
  #difference(path: BytePath, inode: RangeInode): PathChange | undefined {
    const old = inode.old ?? inode.now;
    const same = old === inode.now || this.#facts.same(old, inode.now);
    const changed = hasIdleTimes(path) ? inode.changed & ~CHANGED_TIMES : inode.changed;
    if (same && changed === 0) return undefined;
    const change = same ? 'metadata' : 'modified';
    return { path, change, type: fileTypeOf(typeOf(inode.now)), oldSide: { backing: old }, newSide: sideOf(inode) };
  }

  /** Made in the range, or one more name of something older. */
  #made(path: BytePath, inode: RangeInode): PathChange | undefined {
    const entry = { path, type: fileTypeOf(typeOf(inode.now)), newSide: sideOf(inode) };
    const before = this.#state.start.get(path);
    if (before?.old === undefined) return { ...entry, change: 'added' };
    const old = { backing: before.old };
    const displaced = this.#lostAt(path) === undefined ? ({ displaced: true } as const) : {};
    if (!this.#facts.same(before.old, inode.now)) return { ...entry, change: 'modified', oldSide: old, ...displaced };
    return this.#metadataDiffers(before.old, inode) ? { ...entry, change: 'metadata', oldSide: old } : undefined;
  }

  /** A new file with the old bytes: only if the old one was the base's is it known what else it was. */
  #metadataDiffers(old: Backing, { attributes, changed }: RangeInode): boolean {
    const stat = old.kind === 'base' ? this.#facts.of(old.path) : undefined;
    if (stat === undefined) return changed !== 0;
    const { mode = stat.mode & 0o7777, uid = stat.uid, gid = stat.gid } = attributes ?? {};
    return mode !== (stat.mode & 0o7777) || uid !== stat.uid || gid !== stat.gid;
  }

  *#deleted(path: BytePath | undefined): Generator<PathChange, void, undefined> {
    const old = path === undefined ? undefined : this.#state.start.get(path)?.old;
    // Something else is there now: its own entry says so.
    if (path === undefined || old === undefined || old.kind === 'absent' || this.#at(path) !== undefined) return;
    yield { path, change: 'deleted', type: fileTypeOf(typeOf(old)), oldSide: { backing: old } };
  }

  /** What was at a path at the start and is nowhere at the end. */
  #lostAt(path: BytePath): Backing | undefined {
    const before = this.#state.start.get(path);
    return before === undefined || before.isShown ? undefined : before.old;
  }

  #at(path: BytePath): RangeInode | undefined {
    let at: RangeInode | undefined = this.#state.root;
    for (const name of components(path)) at = at?.child(name) ?? undefined;
    return at;
  }
}

/** Whether an inode is where it was, or came along with its directory. */
function isKept({ dir, name, path, child }: Dentry): boolean {
  return child.origin === path || (dir.origin !== undefined && child.origin === join(dir.origin, name));
}

/** In the byte order of whole paths: what is in `a` comes after `a-b`. */
function* dentriesBelow(root: RangeInode): Generator<Dentry> {
  const stack = [{ dir: root, path: ROOT, order: orderOf(root) }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const { dir, path, order } = level;
    const key = order.pop();
    if (key === undefined) {
      stack.pop();
      continue;
    }
    const isBelow = key.endsWith('/');
    const name = (isBelow ? key.slice(0, -1) : key) as Name;
    const child = dir.child(name);
    if (child == null) continue;
    if (isBelow) stack.push({ dir: child, path: join(path, name), order: orderOf(child) });
    else yield { dir, name, path: join(path, name), child };
  }
}

/** The names in a directory, and those with a slash that have something in them, the last one first. */
function orderOf(dir: RangeInode): string[] {
  const order: string[] = [];
  for (const [name, child] of dir.children ?? []) {
    if (child !== null) order.push(name);
    if (child?.children !== undefined) order.push(`${name}/`);
  }
  return order.sort().reverse();
}

function sideOf(inode: RangeInode): Side {
  return { backing: inode.now, ...inode.attributes };
}
