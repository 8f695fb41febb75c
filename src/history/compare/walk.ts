/**
 * The walk behind `netChanges` (changes.ts): visits the paths that may have changed and says of each what
 * happened to it.
 */
import type { Inode } from '../../staging/inode.ts';
import { basePath, TOMBSTONE } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join, ROOT } from '../../sys/bytes.ts';
import type { Stat } from '../../sys/stat.ts';
import { isDirectory, S_IFDIR, S_IFMT } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';
import { differenceToBase, differenceToReplaced } from './inode-changes.ts';
import type { Level } from './levels.ts';
import { Frame, naturalLevel } from './levels.ts';
import type { Found } from './origins.ts';
import { isAtHome, Origins } from './origins.ts';
import { OtherNames } from './other-names.ts';
import type { ChangeKind, PathChange } from './path-change.ts';
import { baseEntrySide, baseSide, fileTypeOf, sideOf } from './path-change.ts';

export interface WalkOptions {
  readonly facts: Facts;
  /** List everything in a moved directory, as renamed. */
  readonly expand: boolean;
}

/** What the base has under a name where the view has something else. */
interface Old {
  readonly stat: Stat;
  /** Where the view shows it instead. */
  readonly found: Found | undefined;
}

/** A name under which the view shows something other than the base's own. */
interface Override {
  readonly frame: Frame;
  readonly name: Name;
  readonly path: BytePath;
  readonly old: Old | undefined;
}

export class Walk {
  readonly #root: Inode;
  readonly #facts: Facts;
  readonly #expand: boolean;
  readonly #origins: Origins;
  readonly #others: OtherNames;
  /** Inodes with several names of which one was reported as the new name already. */
  readonly #renamed = new Set<Inode>();

  constructor(tree: OverrideTree, options: WalkOptions) {
    this.#root = tree.root;
    this.#facts = options.facts;
    this.#expand = options.expand;
    this.#origins = new Origins(tree.root, options.facts);
    this.#others = new OtherNames(tree, options.facts);
  }

  *run(): Generator<PathChange, void, undefined> {
    const own = this.#difference(ROOT, this.#root, ROOT);
    if (own !== undefined) yield own;
    const stack = [this.#open(naturalLevel(ROOT, this.#root))];
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const next = frame.next();
      if (next === undefined) stack.pop();
      else if (typeof next === 'object') stack.push(this.#open(next));
      else {
        const change = this.#visit(frame, next);
        if (change !== undefined) yield change;
      }
    }
  }

  #open(level: Level): Frame {
    const others = level.dir === undefined ? new Map<Name, Inode>() : this.#others.in(level.dir);
    return new Frame(level, { facts: this.#facts, expand: this.#expand, others });
  }

  #visit(frame: Frame, name: Name): PathChange | undefined {
    const { dir, path: dirPath, origin: dirOrigin } = frame.level;
    const path = join(dirPath, name);
    const child = frame.others.get(name) ?? dir?.children?.get(name);
    const isStaged = child !== TOMBSTONE && child?.staged !== undefined;
    const home = isStaged && dir?.base !== undefined && isAtHome({ dir, name }, child, this.#facts);
    if (home && dirOrigin === dirPath) return this.#inPlace(frame, name, child);
    const at = { frame, name, path, old: this.#oldAt(frame, name, path) };
    const origin = dirOrigin === undefined ? undefined : join(dirOrigin, name);
    if (isStaged)
      return home && origin !== undefined ? this.#carriedInode(at, child, origin) : this.#overridden(at, child);
    if (child === TOMBSTONE || dirOrigin === undefined || origin === undefined || origin === path)
      return this.#gone(at);
    const stat = this.#facts.at(dirOrigin, name);
    return stat === undefined ? this.#gone(at) : this.#carried(at, origin, stat);
  }

  #oldAt(frame: Frame, name: Name, path: BytePath): Old | undefined {
    if (!frame.level.base || frame.baseNames?.has(name) === false) return undefined;
    const stat = this.#facts.at(frame.level.path, name);
    return stat === undefined ? undefined : { stat, found: this.#origins.elsewhere(path) };
  }

  /** The base's own, at its own place, with something staged about it or below it. */
  #inPlace(frame: Frame, name: Name, child: Inode): PathChange | undefined {
    const path = join(frame.level.path, name);
    if (child.type === S_IFDIR) frame.enterLater(name, naturalLevel(path, child));
    return this.#difference(path, child, path);
  }

  /** Nothing in the view. */
  #gone(at: Override): PathChange | undefined {
    const { path, old } = at;
    if (old === undefined) return undefined;
    this.#enter(at, undefined, undefined);
    if (old.found !== undefined) return undefined;
    return { path, change: 'deleted', type: fileTypeOf(old.stat.mode), oldSide: baseSide(path, old.stat) };
  }

  /** Came along in a moved directory, with nothing staged about it or below it. */
  #carried(at: Override, origin: BytePath, stat: Stat): PathChange | undefined {
    this.#enter(at, undefined, isDirectory(stat.mode) ? origin : undefined);
    const newSide = baseEntrySide(origin, stat.mode & S_IFMT);
    const entry = { path: at.path, type: fileTypeOf(stat.mode), newSide };
    if (this.#expand) return { ...entry, change: 'renamed', from: origin, oldSide: newSide, ...lost(at) };
    return this.#overwritten(at, entry);
  }

  /** Came along in a moved directory, with something staged. */
  #carriedInode(at: Override, child: Inode, origin: BytePath): PathChange | undefined {
    this.#enter(at, child, child.type === S_IFDIR ? origin : undefined);
    if (this.#expand) return this.#renamedFrom(at, child, origin);
    const entry = { path: at.path, type: fileTypeOf(child.type), newSide: sideOf(child) };
    return this.#difference(at.path, child, origin) ?? this.#overwritten(at, entry);
  }

  /** What came along lies where something else was that is lost now: that must not go unsaid. */
  #overwritten(at: Override, entry: Pick<PathChange, 'path' | 'type' | 'newSide'>): PathChange | undefined {
    const { old, path } = at;
    if (old === undefined || old.found !== undefined || entry.newSide === undefined) return undefined;
    const oldSide = baseSide(path, old.stat);
    if (this.#facts.same(oldSide.backing, entry.newSide.backing)) return undefined;
    return { ...entry, change: 'modified', oldSide };
  }

  /** Made here, moved here, or linked here. */
  #overridden(at: Override, child: Inode): PathChange | undefined {
    const origin = basePath(child);
    this.#enter(at, child, child.type === S_IFDIR ? origin : undefined);
    if (origin === undefined) return this.#made(at, child);
    if (origin === at.path) return this.#difference(at.path, child, origin);
    const keptName = this.#origins.atHome(origin) ?? this.#origins.carried(origin);
    if (keptName !== undefined || this.#renamed.has(child)) return this.#made(at, child);
    if ((child.staged?.nlink ?? 1) > 1) this.#renamed.add(child);
    return this.#renamedFrom(at, child, origin);
  }

  #made(at: Override, child: Inode): PathChange | undefined {
    const { path, old } = at;
    const type = fileTypeOf(child.type);
    if (old === undefined) return { path, change: 'added', type, newSide: sideOf(child) };
    const change = differenceToReplaced(child, { path, stat: old.stat }, this.#facts);
    if (change === undefined) return undefined;
    const displaced = old.found === undefined ? {} : ({ displaced: true } as const);
    return { path, change, type, oldSide: baseSide(path, old.stat), newSide: sideOf(child), ...displaced };
  }

  #renamedFrom(at: Override, child: Inode, from: BytePath): PathChange {
    const [oldSide, newSide] = [baseEntrySide(from, child.type), sideOf(child)];
    const type = fileTypeOf(child.type);
    return { path: at.path, change: 'renamed', type, from, oldSide, newSide, ...lost(at) };
  }

  /** The entry of an inode whose base entry is at `origin`, if anything about it differs from that. */
  #difference(path: BytePath, inode: Inode, origin: BytePath): PathChange | undefined {
    const change: ChangeKind | undefined = differenceToBase(inode, origin, this.#facts);
    if (change === undefined) return undefined;
    const oldSide = baseEntrySide(origin, inode.type);
    return { path, change, type: fileTypeOf(inode.type), oldSide, newSide: sideOf(inode) };
  }

  /** Notes the level below a name: what the view's directory has there, and what the base's has lost there. */
  #enter(at: Override, child: Inode | undefined, origin: BytePath | undefined): void {
    const { frame, name, path, old } = at;
    const base = old !== undefined && isDirectory(old.stat.mode);
    let account: Level['account'] = 'none';
    if (base) account = old.found === undefined ? 'all' : (old.found.inode ?? 'none');
    const dir = child?.children === undefined ? undefined : child;
    if (dir === undefined && account === 'none' && !(this.#expand && origin !== undefined)) return;
    frame.enterLater(name, { path, dir, origin, base, account });
  }
}

function lost(at: Override): Pick<PathChange, 'replaced'> {
  const { old, path } = at;
  return old === undefined || old.found !== undefined ? {} : { replaced: baseSide(path, old.stat) };
}
