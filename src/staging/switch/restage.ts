/**
 * The inverse of `becomeBase`: what a commit had made the base's is staged again, and the view shows the same as before.
 * So each inode of the live tree is the one that the target has under the same name; it is told what is staged of
 * it now, and goes on being the same file or directory for whoever knows it.
 */
import type { BytePath } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import { S_IFREG } from '../../sys/stat.ts';
import type { ContentFiles } from '../content-files.ts';
import type { Core } from '../core.ts';
import type { Inode } from '../inode.ts';
import { TOMBSTONE } from '../inode.ts';
import type { OverrideTree } from '../override-tree.ts';

export interface Restaged {
  /** Directories that the base has elsewhere now. */
  readonly elsewhere: readonly Inode[];
  /**
   * Whose attributes are other ones now. The base's directories, which were shown before, may have had other times; the number of
   * a file in the base goes to another one there.
   */
  readonly changed: readonly Inode[];
  /** Files that read the base's content, of which times may be other ones now. */
  readonly original: readonly Inode[];
}

/**
 * Makes the live inodes match those of `target`, which is to be shown next. `links`: files of the base with several names, by `dev:ino`, as
 * they were known.
 */
export function restage(core: Core, target: OverrideTree, links: ReadonlyMap<string, Inode>): Restaged {
  const { tree: live, layers } = core;
  const [elsewhere, changed, original]: [Inode[], Inode[], Inode[]] = [[], [], []];
  const becoming = { files: layers.files, elsewhere, changed, original };
  const done = new Set<Inode>();
  for (const [key, wanted] of target.linked) {
    // The target has no name of it: it is found by those that are left in the base.
    const known = wanted.parent === undefined && wanted.staged !== undefined ? links.get(key) : undefined;
    if (known === undefined || known.type !== wanted.type) continue;
    done.add(known);
    become(known, wanted, becoming);
    live.linked.set(key, known);
  }
  const stack: [Inode, Inode][] = [[live.root, target.root]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [dir, source] = pair;
    for (const [name, wanted] of source.children ?? []) {
      const known = dir.children?.get(name);
      if (wanted === TOMBSTONE || wanted.staged === undefined || !known || known.type !== wanted.type) continue;
      if (done.has(known)) continue;
      done.add(known);
      become(known, wanted, becoming);
      if (known.children !== undefined) stack.push([known, wanted]);
    }
  }
  return { elsewhere, changed, original };
}

interface Becoming {
  readonly files: ContentFiles;
  readonly elsewhere: Inode[];
  readonly changed: Inode[];
  readonly original: Inode[];
}

function become(known: Inode, wanted: Inode, { files, elsewhere, changed, original }: Becoming): void {
  if (known.children !== undefined && wanted.base !== undefined) rebase(known, wanted.base, elsewhere);
  known.base = wanted.base;
  known.staged = wanted.staged;
  const ino = wanted.ino || known.ino;
  if (known.children !== undefined || known.ino !== ino) changed.push(known);
  known.ino = ino;
  // The descriptor at hand is of the base's file, for reading only.
  if (known.children === undefined) files.drop(known);
  if (known.type === S_IFREG && known.staged?.object === 0) original.push(known);
}

/** The base has a directory elsewhere, and with it all that is merely known in it. */
function rebase(dir: Inode, path: BytePath, elsewhere: Inode[]): void {
  if (dir.base !== path) elsewhere.push(dir);
  dir.base = path;
  for (const [name, child] of dir.children ?? []) {
    if (child !== TOMBSTONE && child.children !== undefined && child.staged === undefined)
      rebase(child, join(path, name), elsewhere);
  }
}
