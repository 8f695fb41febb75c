/** Whether the view shows a base entry where the base has it. */

import type { Inode } from '../../staging/inode.ts';
import { basePath, TOMBSTONE } from '../../staging/inode.ts';
import { isInPlace } from '../../staging/names/staged-names.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';

/** As `isInPlace`, or the base itself has the file under this name too (a hard link of its own): nothing moved. */
export function isAtHome(at: { dir: Inode; name: Name }, child: Inode, facts: Facts): boolean {
  return isInPlace(at.dir, at.name, child) || isOtherBaseName(at, child, facts);
}

function isOtherBaseName(at: { dir: Inode; name: Name }, child: Inode, facts: Facts): boolean {
  if (at.dir.base === undefined || child.type === S_IFDIR || (child.staged?.fingerprint?.nlink ?? 1) < 2) return false;
  const path = basePath(child);
  const original = path === undefined ? undefined : facts.of(path);
  const here = original === undefined ? undefined : facts.at(at.dir.base, at.name);
  return here !== undefined && here.ino === original?.ino && here.dev === original.dev;
}

/** Whether the view shows a base entry at its own place. */
export function isShownAtHome(root: Inode, path: BytePath, facts: Facts): boolean {
  let at = root;
  for (const name of components(path)) {
    const child = at.children?.get(name);
    if (child === TOMBSTONE || (child === undefined && at.children === undefined)) return false;
    if (child?.staged === undefined) return true;
    if (!isAtHome({ dir: at, name }, child, facts)) return false;
    at = child;
  }
  return true;
}
