/**
 * The net difference between two states of one session: any two override trees over one base, also when neither follows
 * from the other. Between the base, an empty tree, and the view it is what `status` lists and `diff` shows. A generator,
 * sorted by the bytes of the path, one entry a path. Each path is looked at from both sides:
 *
 *     a state: an inode of its override tree | carried along in a moved directory | the base entry | nothing
 *
 * What a state shows nowhere any more is deleted. What it shows elsewhere is renamed there (added, if it has its old
 * name, too), and nothing is said at the path it left. What came along in a moved directory has an entry of its own only
 * if it differs itself. What was made and deleted again leaves nothing to say. A deletion in a moved directory is listed
 * where it was before: that is the path that goes.
 *
 * Bytes are compared where sizes are equal. Times count only where somebody set them (`Staged.changed`). Of a changed
 * file with hard links those are listed that lie in directories with changes (link-names.ts).
 *
 * The walk visits the paths at which the states may differ. Its cost follows what is staged in either state, and what is
 * in directories that only one of them has.
 */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import { OverrideTree } from '../../staging/override-tree.ts';
import { type BytePath, join, type Name, ROOT } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import { type Difference, differenceInPlace, differenceInTime } from './differences.ts';
import { Facts } from './facts.ts';
import { PathOrder } from './levels.ts';
import { LinkNames } from './link-names.ts';
import { Names } from './names.ts';
import { changedOf, contentOf, keyOf, type Node, toSide } from './node.ts';
import { baseEntrySide, fileTypeOf, type PathChange, type Side } from './path-change.ts';
import { type Located, State } from './state.ts';

export type { ChangeKind, FileType, PathChange, Side } from './path-change.ts';

/** Two states, and what they lie over. */
export interface StatesOptions {
  readonly before: OverrideTree;
  readonly after: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** Also list everything in a moved directory, as renamed; for a diff, which only knows files. */
  readonly expand?: boolean;
  /** Of the same base and store, with what is known of them already. */
  readonly facts?: Facts;
}

/** Yields the changes that lead from one state to another, sorted by path. Throws SystemError when the base cannot be read. */
export function stateChanges(options: StatesOptions): Generator<PathChange, void, undefined> {
  return new StateWalk(options).run();
}

export interface ChangesOptions extends Omit<StatesOptions, 'before' | 'after'> {
  /** Of the view. */
  readonly tree: OverrideTree;
}

/** Yields the changes that lead from the base to the view. Throws SystemError when the base cannot be read. */
export function netChanges(options: ChangesOptions): Generator<PathChange, void, undefined> {
  const { tree, ...others } = options;
  return stateChanges({ ...others, before: new OverrideTree(), after: tree });
}

/** How many net changes there are, or at least `most`: there it stops counting. */
export function countChanges(options: ChangesOptions, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const _ of netChanges(options)) {
    count += 1;
    if (count >= most) break;
  }
  return count;
}

/** A directory path, seen from both sides. */
interface Level {
  readonly path: BytePath;
  /** The directory that the earlier state has there, and where the later one has it. */
  readonly a: Node | undefined;
  readonly aAfter: Located | undefined;
  /** The directory that the later state has there, and where the earlier one had it. */
  readonly b: Node | undefined;
  readonly bBefore: Located | undefined;
}

/** One path, with what both states have there. */
interface Spot {
  readonly level: Level;
  readonly name: Name;
  readonly path: BytePath;
  readonly a: Node | undefined;
}

class StateWalk {
  readonly #facts: Facts;
  readonly #before: State;
  readonly #after: State;
  readonly #names: Names;
  readonly #links: LinkNames;
  readonly #expand: boolean;

  constructor({ before, after, base, store, expand, facts = new Facts(base, store) }: StatesOptions) {
    this.#facts = facts;
    this.#before = new State(before, this.#facts);
    this.#after = new State(after, this.#facts);
    this.#names = new Names(this.#before, this.#after);
    this.#links = new LinkNames([this.#before, this.#after], this.#facts);
    this.#expand = expand === true;
  }

  *run(): Generator<PathChange, void, undefined> {
    const [a, b] = [this.#before.root, this.#after.root];
    const own = entry({ path: ROOT, a, b }, differenceInTime(a, b, this.#facts));
    if (own !== undefined) yield own;
    const root: Level = { path: ROOT, a, b, aAfter: { path: ROOT, node: b }, bBefore: { path: ROOT, node: a } };
    const stack = [this.#open(root)];
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const next = frame.order.next();
      if (next === undefined) stack.pop();
      else if (typeof next === 'object') stack.push(this.#open(next));
      else {
        const change = this.#visit(frame, next);
        if (change !== undefined) yield change;
      }
    }
  }

  #open(level: Level): Frame {
    const names = [...this.#namesOf(level)].sort();
    for (const [state, dir] of [
      [this.#before, level.a],
      [this.#after, level.b],
    ] as const) {
      if (dir !== undefined) state.prepare(dir, names.length);
    }
    return { level, order: new PathOrder(names) };
  }

  /** Names at which the states may differ. */
  #namesOf({ a, b, aAfter, bBefore, path }: Level): Set<Name> {
    const names = new Set<Name>();
    const add = (more: Iterable<Name>): void => {
      for (const name of more) names.add(name);
    };
    if (a !== undefined) add(aAfter === undefined ? this.#before.names(a) : this.#before.staged(a));
    if (aAfter !== undefined) add(this.#after.staged(aAfter.node));
    const lists = bBefore === undefined || (this.#expand && bBefore.path !== path);
    if (b !== undefined) add(lists ? this.#after.names(b) : this.#after.staged(b));
    if (bBefore !== undefined) add(this.#before.staged(bBefore.node));
    for (const dir of [a, b]) if (dir !== undefined) add(this.#links.in(dir));
    return names;
  }

  #visit(frame: Frame, name: Name): PathChange | undefined {
    const { level } = frame;
    const path = join(level.path, name);
    const a = level.a === undefined ? undefined : this.#before.child(level.a, name);
    const b = level.b === undefined ? undefined : this.#after.child(level.b, name);
    const spot = { level, name, path, a };
    if (a === undefined && b === undefined) return undefined;
    if (a !== undefined && b !== undefined && keyOf(a) === keyOf(b)) return this.#inPlace(frame, spot, b);
    this.#enter(frame, spot, b);
    if (b !== undefined) return this.#arrived(spot, b);
    if (a === undefined || this.#names.livesOn({ path, node: a })) return undefined;
    return { path, change: 'deleted', type: fileTypeOf(a.type), oldSide: this.#side(this.#before, a) };
  }

  /** The same thing in both states. */
  #inPlace(frame: Frame, { path, name, a }: Spot, b: Node): PathChange | undefined {
    if (a === undefined) return undefined;
    if (b.type === S_IFDIR && (a.inode !== undefined || b.inode !== undefined)) {
      const [aAfter, bBefore] = [
        { path, node: b },
        { path, node: a },
      ];
      frame.order.enterLater(name, { path, a, b, aAfter, bBefore });
    }
    return entry({ path, a, b }, differenceInTime(a, b, this.#facts));
  }

  /** Made here, moved here, linked here, or here because its directory is. */
  #arrived(spot: Spot, b: Node): PathChange | undefined {
    const { path, level } = spot;
    const { from, carried } = this.#names.cameFrom({ path, node: b }, level.bBefore);
    if (from === undefined) return this.#isOverNothing(b) ? this.#overNothing(spot, b) : this.#made(spot, b);
    if (!carried || this.#expand) return this.#renamed(spot, b, from);
    const change = differenceInTime(from.node, b, this.#facts);
    return entry({ path, a: from.node, b }, change) ?? this.#covered(spot, b);
  }

  /** Whether it overrides a base entry that somebody has taken away meanwhile. */
  #isOverNothing({ inode, origin }: Node): boolean {
    return inode !== undefined && origin !== undefined && this.#facts.of(origin) === undefined;
  }

  /** That is no reason to take it for new: it goes on being a change of what was there. */
  #overNothing({ path, name, level }: Spot, b: Node): PathChange | undefined {
    const { origin: from = path, type } = b;
    const sides = { type: fileTypeOf(type), oldSide: baseEntrySide(from, type), newSide: toSide(b) };
    const along = level.b?.origin === undefined || this.#expand ? undefined : join(level.b.origin, name);
    const isInPlace = from === path || from === along;
    if (!isInPlace) return { path, change: 'renamed', from, ...sides };
    return contentOf(b).kind === 'base' && changedOf(b) === 0 ? undefined : { path, change: 'modified', ...sides };
  }

  #made(spot: Spot, b: Node): PathChange | undefined {
    const { path, a } = spot;
    const newSide = this.#side(this.#after, b);
    if (a === undefined) return { path, change: 'added', type: fileTypeOf(b.type), newSide };
    const change = entry({ path, a, b }, differenceInPlace(a, b, this.#facts));
    return change === undefined || this.#lost(spot) !== undefined ? change : { ...change, displaced: true };
  }

  #renamed(spot: Spot, b: Node, from: Located): PathChange {
    const { path } = spot;
    const [oldSide, newSide] = [toSide(from.node), toSide(b)];
    const lost = this.#lost(spot);
    const entry = { path, change: 'renamed', type: fileTypeOf(b.type), from: from.path, oldSide, newSide } as const;
    return lost === undefined ? entry : { ...entry, replaced: toSide(lost) };
  }

  /** What came along lies where something else was that is lost now: that must not go unsaid. */
  #covered(spot: Spot, b: Node): PathChange | undefined {
    const lost = this.#lost(spot);
    if (lost === undefined) return undefined;
    const [oldSide, newSide] = [toSide(lost), toSide(b)];
    if (this.#facts.same(oldSide.backing, newSide.backing)) return undefined;
    return { path: spot.path, change: 'modified', type: fileTypeOf(b.type), oldSide, newSide };
  }

  /** What the earlier state has at a path and the later one nowhere. */
  #lost({ a, path }: Spot): Node | undefined {
    return a === undefined || this.#names.livesOn({ path, node: a }) ? undefined : a;
  }

  /** Notes the level below a path whose two sides are not one thing. */
  #enter(frame: Frame, { path, name, a }: Spot, b: Node | undefined): void {
    const [was, is] = [directory(a), directory(b)];
    if (was === undefined && is === undefined) return;
    const aAfter = was === undefined ? undefined : this.#after.locate(was)[0];
    const bBefore = is === undefined ? undefined : this.#before.locate(is)[0];
    frame.order.enterLater(name, { path, a: was, b: is, aAfter, bBefore });
  }

  #side(state: State, node: Node): Side {
    const side = toSide(node);
    if (node.type !== S_IFDIR) return side;
    return { ...side, empty: !state.names(node).some((name) => state.child(node, name) !== undefined) };
  }
}

interface Frame {
  readonly level: Level;
  readonly order: PathOrder<Level>;
}

function directory(node: Node | undefined): Node | undefined {
  return node?.type === S_IFDIR ? node : undefined;
}

/** The entry of a path at which both states have something. */
function entry(
  { path, a, b }: { readonly path: BytePath; readonly a: Node; readonly b: Node },
  change: Difference,
): PathChange | undefined {
  if (change === undefined) return undefined;
  return { path, change, type: fileTypeOf(b.type), oldSide: toSide(a), newSide: toSide(b) };
}
