/**
 * Where paths of this process lie on the file system that its root is on: what the one who serves that calls them. In a mount namespace
 * of its own a program may have mounted anything anywhere.
 */
import { readFileSync, realpathSync } from 'node:fs';

interface Mount {
  /** Of the file system, as the kernel counts. */
  readonly device: string;
  /** Which of its directories is mounted. */
  readonly root: string;
  readonly at: string;
}

export class ViewPlaces {
  readonly #mounts: readonly Mount[];
  readonly #points: ReadonlySet<string>;
  readonly #device: string | undefined;
  readonly #directories = new Map<string, string | undefined>();

  /** Of file systems of this type and name alone. */
  constructor(type: string, name: string) {
    this.#mounts = readMounts(type, name);
    this.#points = new Set(this.#mounts.map(({ at }) => at));
    const root = this.#mounts.findLast(({ at }) => at === '/');
    this.#device = root?.root === '/' ? root.device : undefined;
  }

  /** Of a path whose last component may be anything; undefined where that is somewhere else, or cannot be told. Bytes. */
  of(path: string): string | undefined {
    const slash = path.lastIndexOf('/');
    const dir = this.#directory(slash < 0 ? '.' : path.slice(0, slash + 1));
    const name = path.slice(slash + 1);
    if (dir === undefined || name === '' || name === '.' || name === '..') return this.leadsTo(path);
    const place = dir === '/' ? `/${name}` : `${dir}/${name}`;
    return this.#points.has(place) ? undefined : this.#lying(place);
  }

  /** Of what a path leads to, links followed. */
  leadsTo(path: string): string | undefined {
    const dir = this.#directory(path);
    return dir === undefined ? undefined : this.#lying(dir);
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

  #directory(path: string): string | undefined {
    if (!this.#directories.has(path)) this.#directories.set(path, resolved(path));
    return this.#directories.get(path);
  }
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
    return at === '' ? [] : [{ device: isMeant ? device : '', root: plain(root), at: plain(at) }];
  });
}

/** The kernel writes spaces and the like as octal numbers. */
function plain(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
