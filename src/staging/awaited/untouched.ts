/** What the view shows of the base as it is there: for who reads the base beside the view, and may say nothing else than the view would. */
import { type BytePath, components, join, type Name, ROOT } from '../../sys/bytes.ts';
import type { Core } from '../core.ts';
import { basePath, type Inode, NATURAL, TOMBSTONE } from '../inode.ts';

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
    if (child === TOMBSTONE || !isOwnDirectory(child) || basePath(child) !== path) return NOTHING;
    at = child;
  }
  const isOwnAt = (name: Name, child: Inode): boolean =>
    isOwn(core, child) && (isNaturalAt(child, at, name) || basePath(child) === join(path, name));
  return {
    has(name) {
      const child = at.children?.get(name);
      return child === undefined || (child !== TOMBSTONE && isOwnAt(name, child));
    },
    others() {
      const found: Name[] = [];
      for (const [name, child] of at.children ?? []) {
        if (child !== TOMBSTONE && !isOwnAt(name, child)) found.push(name);
      }
      return found;
    },
  };
}

/** Nothing is staged of it but its times, which follow from what is made in it. */
function isOwnDirectory({ staged }: Inode): boolean {
  return staged === undefined || (!staged.opaque && staged.changed === 0);
}

/** Nothing is staged of it, nobody has it open to write, and as far as is known it has one name. */
function isOwn(core: Core, inode: Inode): boolean {
  if (inode.children !== undefined) return isOwnDirectory(inode);
  return inode.staged === undefined && !core.resolver.hasMoreNames(inode) && !core.arrivals.isWritten(inode);
}

/** Whether the base has it under this name in this directory, which is its own: of the thousands that are no path is made. */
function isNaturalAt(inode: Inode, dir: Inode, name: Name): boolean {
  return inode.base === NATURAL && inode.parent === dir && inode.name === name;
}
