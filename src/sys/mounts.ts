/**
 * Directories that lie elsewhere on this host than their paths say: what mount(2) would do, for this thread alone, which needs no
 * right. Whoever opens something of the base by its path goes through `hostPath`.
 *
 *     /sources  ->  ~/.local/state/yolofs/sessions/8-1234/sources/root/sources
 */
import type { BytePath, Name } from './bytes.ts';
import { isWithin, splitPath } from './bytes.ts';

/** The type of a mount of a view on the host (`yolofs mount`), as /proc/self/mountinfo has it. */
export const VIEW_TYPE = 'fuse.yolofs';

export interface Mounted {
  /** In the base as the view has it. Its parent is a directory of the host. */
  readonly at: BytePath;
  /** Where it really is: no part of it is a symlink. */
  readonly dir: BytePath;
}

let table: readonly Mounted[] = [];
const names = new Map<BytePath, Name[]>();

/** From now on these count, and no others. */
export function setMounts(mounts: readonly Mounted[]): void {
  table = mounts;
  names.clear();
  for (const { at } of mounts) {
    const split = splitPath(at);
    if (split !== undefined) names.set(split.dir, [...(names.get(split.dir) ?? []), split.name]);
  }
}

/** Where a path of the base is on this host. */
export function hostPath(path: BytePath): BytePath {
  const mounted = mountOf(path);
  return mounted === undefined ? path : ((mounted.dir + path.slice(mounted.at.length)) as BytePath);
}

/** Whether a path lies elsewhere than it says. */
export function isMounted(path: BytePath): boolean {
  return mountOf(path) !== undefined;
}

/** The names in a directory that something is mounted at. */
export function mountsIn(dir: BytePath): readonly Name[] {
  return names.size === 0 ? [] : (names.get(dir) ?? []);
}

/** Whether something is mounted at that very name. */
export function isMountPoint(dir: BytePath, name: Name): boolean {
  return names.size > 0 && names.get(dir)?.includes(name) === true;
}

/** Whether something is mounted by this name, in whatever directory. */
export function isMountName(name: Name): boolean {
  return names.size > 0 && table.some(({ at }) => splitPath(at)?.name === name);
}

function mountOf(path: BytePath): Mounted | undefined {
  for (const mounted of table) if (isWithin(path, mounted.at)) return mounted;
  return undefined;
}
