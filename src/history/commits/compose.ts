/**
 * What is staged after a commit was taken back: all that the commit had applied, and what was done since. Both are
 * told as changes of the view, so one after the other gives the tree; only what they say about the base is out of date.
 */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { Inode, Staged } from '../../staging/inode.ts';
import { basePath, fingerprintOf, TOMBSTONE } from '../../staging/inode.ts';
import { type Mark, markOfDirectory, markOfFile, markOfTree } from '../../staging/marks.ts';
import { OverrideTree } from '../../staging/override-tree.ts';
import type { StageKept } from '../../staging/recorder.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join, splitPath } from '../../sys/bytes.ts';
import { isDirectory, S_IFDIR, S_IFMT, type Stat } from '../../sys/stat.ts';
import { UserError } from '../../sys/user-error.ts';
import { stagedPaths } from '../carry/survey.ts';
import type { Journal } from '../journal.ts';
import type { JournalRecord } from '../record.ts';
import { Replayer } from '../replay.ts';
import { currentEpoch, type Epoch, liveSegments, type Segment, segmentsOf, type Timeline } from '../segments.ts';

/**
 * The tree after the undo of commit `number`, the last that is not undone. Marks and fingerprints in it are not true
 * yet, see `refresh`. Throws UserError when it cannot be told, JournalDamaged.
 */
export function treeAfterUndo(journal: Journal, timeline: Timeline, number: number): OverrideTree {
  const epoch = timeline.filter(({ ended }) => ended === 'commit')[number - 1];
  if (epoch === undefined) throw new UserError(`commit ${number} is not in the journal`);
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  for (const record of recordsOf(journal, liveSegments(epoch))) replayer.apply(record);
  const committed = new Map(stagedOf(tree).map((inode) => [inode, keep(inode)]));
  for (const record of recordsOf(journal, since(journal, epoch, currentEpoch(timeline)))) {
    replayer.apply(record);
    if (record.body.tag === 'S' && record.body.how === 'kept') restore(tree, record.body, committed);
  }
  return tree;
}

function* recordsOf(journal: Journal, segments: readonly Segment[]): Generator<JournalRecord> {
  for (const { start, end } of segments) {
    for (const { record } of journal.scan({ from: start, to: end })) yield hiding(record);
  }
}

function stagedOf(tree: OverrideTree): Inode[] {
  return [...new Set([tree.root, ...tree.linked.values(), ...[...stagedPaths(tree.root)].map(({ child }) => child)])];
}

function keep({ staged }: Inode): Staged | undefined {
  return staged && { ...staged, attributes: { ...staged.attributes }, xattrs: staged.xattrs && new Map(staged.xattrs) };
}

/** What was told exactly was told as differences from the base, which the commit had made: they add to what it applied. */
function restore(tree: OverrideTree, body: StageKept, committed: ReadonlyMap<Inode, Staged | undefined>): void {
  const at = splitPath(body.path);
  const inode = at === undefined ? tree.root : tree.place(body.path).dir.children?.get(at.name);
  const before = inode ? committed.get(inode) : undefined;
  if (inode?.staged === undefined || before === undefined || body.original !== 'here') return;
  const { staged } = inode;
  staged.attributes = { ...before.attributes, ...body.attributes };
  staged.changed |= before.changed;
  staged.opaque = before.opaque;
  staged.target ??= before.target;
  staged.rdev ||= before.rdev;
  staged.xattrs = before.xattrs && new Map(before.xattrs);
  if (staged.object !== 0) return;
  staged.object = before.object;
  staged.objectGen = before.objectGen;
}

/** What was done after the commit. What it carried is part of what was staged before it. */
function since(journal: Journal, before: Epoch, present: Epoch): Segment[] {
  const [scanned] = journal.scan({ from: before.end, only: new Set(['K']) });
  const commit = scanned?.record.body;
  const live = liveSegments(present);
  if (commit?.tag !== 'K' || (commit.carried ?? 0) === 0) return live;
  const [carried] = segmentsOf(present);
  if (present.start === scanned?.next && live[0]?.start === carried?.start) return live.slice(1);
  throw new UserError(
    'this commit was of selected paths, and the rest was given up or committed since',
    'there is no telling any more what belongs to it',
  );
}

/** A name that goes may have something in the older base: it stays hidden, until `refresh` knows better. */
function hiding(record: JournalRecord): JournalRecord {
  const { body } = record;
  return body.tag === 'D' || body.tag === 'R' ? { ...record, body: { ...body, hides: true } } : record;
}

/** Makes what a tree says about the base true again: fingerprints, marks, and which names there are to hide. */
export function refresh(tree: OverrideTree, base: BaseTree): void {
  const homes = new Map<BytePath, Inode>();
  const seen = stagedOf(tree);
  tree.linked.clear();
  for (const inode of seen) {
    const path = basePath(inode);
    if (path !== undefined) homes.set(path, inode);
    if (inode.staged?.fingerprint !== undefined) refreshPrint(tree, inode, path && statOf(base, path));
  }
  const paths = [...tree.marks.entries()].map(([path]) => path);
  tree.marks.clear();
  const marks = new MarkMaker(base, homes);
  for (const path of paths) {
    const mark = marks.of(path);
    if (mark !== undefined) tree.marks.put(path, mark);
  }
  pruneTombstones(tree, base);
}

function refreshPrint(tree: OverrideTree, inode: Inode, stat: Stat | undefined): void {
  const { staged } = inode;
  if (staged === undefined) return;
  staged.fingerprint = stat && fingerprintOf(stat);
  if (stat !== undefined && stat.nlink > 1) tree.linked.set(`${stat.dev}:${stat.ino}`, inode);
}

/** Hides nothing, and would be taken for a deletion. */
function pruneTombstones(tree: OverrideTree, base: BaseTree): void {
  const directories = [tree.root, ...[...stagedPaths(tree.root)].map(({ child }) => child)];
  for (const dir of directories) {
    for (const [name, child] of dir.children ?? []) {
      if (child !== TOMBSTONE) continue;
      if (dir.base === undefined || typeof base.stat(dir.base, name) === 'number') dir.children?.delete(name);
    }
  }
}

class MarkMaker {
  readonly #base: BaseTree;
  readonly #homes: ReadonlyMap<BytePath, Inode>;

  constructor(base: BaseTree, homes: ReadonlyMap<BytePath, Inode>) {
    this.#base = base;
    this.#homes = homes;
  }

  /** undefined: the base has nothing there. */
  of(path: BytePath): Mark | undefined {
    const stat = statOf(this.#base, path);
    if (stat === undefined) return undefined;
    if (!isDirectory(stat.mode)) return markOfFile(stat.mode & S_IFMT, fingerprintOf(stat));
    // What has moved travels along with all that is in it.
    return this.#homes.get(path)?.type === S_IFDIR ? markOfDirectory(stat.ino) : this.#tree(path, stat);
  }

  #tree(path: BytePath, stat: Stat): Mark {
    const entries: [Name, Mark][] = [];
    const listed = this.#base.list(path);
    for (const { name } of typeof listed === 'number' ? [] : listed) {
      const child = join(path, name);
      // A directory that was moved out is not a part of this one any more.
      if (this.#homes.get(child)?.type === S_IFDIR) continue;
      const mark = this.of(child);
      if (mark !== undefined) entries.push([name, mark]);
    }
    return markOfTree(markOfDirectory(stat.ino), entries);
  }
}

function statOf(base: BaseTree, path: BytePath): Stat | undefined {
  const stat = base.statPath(path);
  return typeof stat === 'number' ? undefined : stat;
}
