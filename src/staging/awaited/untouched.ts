/** What the view shows of the base as it is there: for who reads the base beside the view, and may say nothing else than the view would. */
import { type BytePath, components, join, type Name, ROOT } from '../../sys/bytes.ts';
import type { Core } from '../core.ts';
import { basePath, type Inode, TOMBSTONE } from '../inode.ts';

/** Of the names in one directory. */
export interface Untouched {
  has(name: Name): boolean;
  /** Names that the view shows there for which that does not hold; undefined: it holds for none. */
  others(): Name[] | undefined;
}

const NOTHING: Untouched = { has: () => false, others: () => undefined };
const EVERYTHING: Untouched = { has: () => true, others: () => [] };

/**
 * Of which names in a directory of the view that holds: nothing is staged at them or above, nobody has them open to write, and
 * as far as is known they are the only names of what they stand for. What the base does not have counts as untouched, too.
 */
export function untouchedIn(core: Core, dir: BytePath): Untouched {
  let at = core.tree.root;
  let path = ROOT;
  for (const name of components(dir)) {
    const child = at.children?.get(name);
    // Neither staged nor known to the kernel: so is all that is below.
    if (child === undefined) return EVERYTHING;
    path = join(path, name);
    if (child === TOMBSTONE || !isOwnDirectory(child, path)) return NOTHING;
    at = child;
  }
  const isTouched = (name: Name, child: Inode | null): boolean =>
    child === TOMBSTONE || !isOwn(core, child, join(path, name));
  return {
    has(name) {
      const child = at.children?.get(name);
      return child === undefined || !isTouched(name, child);
    },
    others: () =>
      [...(at.children ?? [])].flatMap(([name, child]) =>
        child !== TOMBSTONE && isTouched(name, child) ? [name] : [],
      ),
  };
}

/** Its times follow from what is made in it. */
function isOwnDirectory(inode: Inode, path: BytePath): boolean {
  const { staged } = inode;
  return basePath(inode) === path && (staged === undefined || (!staged.opaque && staged.changed === 0));
}

function isOwn(core: Core, inode: Inode, path: BytePath): boolean {
  if (inode.children !== undefined) return isOwnDirectory(inode, path);
  const isShared = core.resolver.hasMoreNames(inode) || core.arrivals.isWritten(inode);
  return inode.staged === undefined && basePath(inode) === path && !isShared;
}
