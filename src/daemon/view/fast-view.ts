/**
 * The second mount of the view, which covers the project: the same tree by a connection without OPEN, so that rules cost
 * nothing where they allow everything. Lives in the FUSE thread.
 */
import type { FileSystem } from '../../fuse/filesystem.ts';
import type { Judge } from '../../rules/judge.ts';
import { OpenlessFileSystem } from '../../rules/openless.ts';
import { reachOf } from '../../rules/revoke.ts';
import type { Rule } from '../../rules/rules.ts';
import { needsOpen } from '../../rules/states.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { Overlay } from '../../staging/overlay.ts';
import { type BytePath, isWithin, type Name, type NodeId } from '../../sys/bytes.ts';
import { S_IFDIR, S_IFMT } from '../../sys/stat.ts';

const NONE = 0 as NodeId;
const ROOT = 1 as NodeId;

export class FastView {
  readonly fs: OpenlessFileSystem;
  readonly #overlay: Overlay;
  readonly #judge: Judge;
  /** The directory that it covers, held as long as the view is served. */
  #root = NONE;

  constructor(overlay: Overlay, judge: Judge) {
    this.#overlay = overlay;
    this.#judge = judge;
    this.fs = new OpenlessFileSystem(overlay, judge, overlay.nodePaths);
  }

  /**
   * Takes a directory of the view for its root. 0: there is none at that path without a symlink in the way, or a rule
   * needs OPEN below.
   */
  hold(path: BytePath): NodeId {
    const { rules } = this.#judge;
    if (path === '/' || rules.needsOpenBelow(path) || rules.stateOf(path) !== 'allow') return NONE;
    this.#root = directoryAt(this.#overlay, path);
    return this.#root;
  }

  /**
   * Rules have changed. If they need OPEN below the root, the mount has to go: what is returned takes it off the view
   * (the kernel unmounts what lies on a name that is invalidated, in every namespace), and what has been read by it. `changed`:
   * the rules that are new or gone.
   */
  *unmountIfNeeded(changed: readonly Rule[]): Generator<Invalidation> {
    const { nodePaths } = this.#overlay;
    const at = this.#root === NONE ? undefined : nodePaths.whereIs(this.#root);
    if (at?.view === undefined || !this.#judge.rules.needsOpenBelow(at.view)) return;
    // Once only: a second time would take the view from under whoever is there by the first mount.
    if (!this.fs.isLeftBehind) yield { kind: 'entry', parent: at.parent, name: at.name };
    this.fs.isLeftBehind = true;
    for (const nodes of [reachOf(changed, nodePaths), nodePaths.elsewhere()]) {
      for (const { nodeId, isDirectory, view } of nodes) {
        const isBelow = view !== undefined && !isDirectory && isWithin(view, at.view);
        if (isBelow && needsOpen(this.#judge.states.stateOf(nodeId))) yield { kind: 'inode', nodeId };
      }
    }
  }
}

/** The node of a directory, with one lookup reference to it. */
function directoryAt(fs: FileSystem, path: BytePath): NodeId {
  let at = ROOT;
  for (const name of path.slice(1).split('/')) {
    const entry = fs.lookup(at, name as Name);
    if (at !== ROOT) fs.forget(at, 1);
    if (typeof entry === 'number' || !('stat' in entry)) return NONE;
    at = entry.nodeId;
    if ((entry.stat.mode & S_IFMT) === S_IFDIR) continue;
    fs.forget(at, 1);
    return NONE;
  }
  return at;
}
