/**
 * Where paths of this process lie on the file system that its root is on: what the one who serves that calls them. In a mount namespace
 * of its own a program may have mounted anything anywhere.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { fromMountText } from './mount-text.ts';

interface Mount {
  /** Of the file system, as the kernel counts. */
  readonly device: string;
  /** Which of its directories is mounted. */
  readonly root: string;
  readonly at: string;
}

/** A directory of this process that lies there. */
export interface Directory {
  /** With no link in it. */
  readonly path: string;
  readonly lies: string;
  /** Whether something is mounted at a name in it. */
  readonly isOver: (name: string) => boolean;
}

export class ViewPlaces {
  readonly #mounts: readonly Mount[];
  readonly #device: string | undefined;
  readonly #directories = new Map<string, Directory | undefined>();

  /** Of file systems of this type and name alone. */
  constructor(type: string, name: string) {
    this.#mounts = readMounts(type, name);
    const root = this.#mounts.findLast(({ at }) => at === '/');
    this.#device = root?.root === '/' ? root.device : undefined;
  }

  /** Of a path whose last component may be anything; undefined where that is somewhere else, or cannot be told. Bytes. */
  of(path: string): string | undefined {
    const { dir, name } = parted(path);
    if (name === '' || name === '.' || name === '..') return this.leadsTo(path);
    const found = this.directory(dir);
    return found === undefined || found.isOver(name) ? undefined : joined(found.lies, name);
  }

  /** Of what a path leads to, links followed. */
  leadsTo(path: string): string | undefined {
    return this.directory(path)?.lies;
  }

  /** Of a directory below which nothing else is mounted, if no link is its name; undefined otherwise, or where that cannot be told. */
  bare(path: string): string | undefined {
    const lies = this.of(path);
    const { dir, name } = parted(path);
    const above = this.directory(dir);
    if (above === undefined || lies === undefined || lies !== joined(above.lies, name)) return undefined;
    const own = joined(above.path, name);
    return this.#mounts.some(({ at }) => at.startsWith(`${own}/`)) ? undefined : lies;
  }

  /** What a path leads to, if it lies there. Asked once for all that is in it. */
  directory(path: string): Directory | undefined {
    if (!this.#directories.has(path)) {
      const real = resolved(path);
      const lies = real === undefined ? undefined : this.#lying(real);
      const isHere = real !== undefined && lies !== undefined;
      this.#directories.set(path, isHere ? { path: real, lies, isOver: this.#pointsIn(real) } : undefined);
    }
    return this.#directories.get(path);
  }

  #pointsIn(dir: string): (name: string) => boolean {
    const points = this.#mounts
      .filter(({ at }) => above(at) === dir)
      .map(({ at }) => at.slice(at.lastIndexOf('/') + 1));
    const names = new Set(points);
    return (name) => names.has(name);
  }

  #lying(path: string): string | undefined {
    let best: Mount | undefined;
    for (const mount of this.#mounts) {
      const isOver = mount.at === '/' || path === mount.at || path.startsWith(`${mount.at}/`);
      if (isOver && mount.at.length >= (best?.at.length ?? 0)) best = mount;
    }
    if (best === undefined || best.device !== this.#device || best.device === '') return undefined;
    const below = best.at === '/' ? path : path.slice(best.at.length);
    return best.root === '/' ? below || '/' : `${best.root}${below === '/' ? '' : below}`;
  }
}

function above(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

/** Its directory as it is written, and the last component. */
function parted(path: string): { readonly dir: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { dir: slash < 0 ? '.' : path.slice(0, slash + 1), name: path.slice(slash + 1) };
}

function joined(dir: string, name: string): string {
  return dir === '/' ? `/${name}` : `${dir}/${name}`;
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync.native(Buffer.from(path, 'latin1'), { encoding: 'latin1' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** All of them, in the order in which they were made; of another type, without a device. None where /proc does not say. */
function readMounts(type: string, name: string): readonly Mount[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , device = '', root = '', at = ''] = before.split(' ');
    const [kind, source] = after.split(' ');
    const isMeant = kind === type && source === name;
    return at === '' ? [] : [{ device: isMeant ? device : '', root: fromMountText(root), at: fromMountText(at) }];
  });
}
