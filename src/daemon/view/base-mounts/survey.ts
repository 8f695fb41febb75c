/**
 * Which directories of the host may be mounted into the view as they are (README.md): everything in them may be read by the rules, and
 * nothing can be changed by this user. Looks at each name below some directories, once.
 */
import type { NameSet } from '../../../rules/rule-names.ts';
import { type Rule, Rules } from '../../../rules/rules.ts';
import { answerOf } from '../../../rules/states.ts';
import { parseDirents } from '../../../staging/dirents.ts';
import { type BytePath, isWithin, join, type Name, splitPath } from '../../../sys/bytes.ts';
import { appendTo } from '../../../sys/grouped.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, S_IFDIR, S_IFLNK, S_IFMT, S_IFREG, STATX_SIZE, type Stat } from '../../../sys/stat.ts';

/** Who would read and write there. */
export interface User {
  readonly uid: number;
  readonly groups: readonly number[];
}

export interface SurveyAsk {
  readonly roots: readonly BytePath[];
  readonly rules: readonly Rule[];
  readonly user: User;
  /** What has to stay as it is: mount points, the project, places of the session. */
  readonly kept: readonly BytePath[];
}

/** A directory that may be mounted, and nothing in it stands against that. */
export interface Plain {
  readonly path: BytePath;
  /** Files of it that have further names elsewhere: a rule may be for one of these. */
  readonly linked: readonly { readonly dev: number; readonly ino: number }[];
}

interface Bounds {
  /** Names that are looked at: the rest is left to the view. */
  readonly names: number;
  readonly mounts: number;
  /** A directory with less in it is not worth a mount. */
  readonly least: number;
}

export const BOUNDS: Bounds = { names: 1_000_000, mounts: 16, least: 100 };

/** The sticky bit. */
const S_ISVTX = 0o1000;
const READ_BIT = 0o4;
const WRITE_BIT = 0o2;
const EXECUTE_BIT = 0o1;

/** A directory as it was found. */
class Looked {
  readonly path: BytePath;
  readonly inside: Looked[] = [];
  /** Whether what lies directly in it stands against a mount. */
  isOdd = false;
  /** Whether this user may change its names: a mount point there would stand in the way. */
  isOpen = false;
  names = 0;

  constructor(path: BytePath) {
    this.path = path;
  }

  isPlain(): boolean {
    return !this.isOdd && this.inside.every((each) => each.isPlain());
  }

  /** It and all below it. */
  *all(): Generator<Looked> {
    yield this;
    for (const each of this.inside) yield* each.all();
  }

  count(): number {
    return this.inside.reduce((sum, each) => sum + each.count(), this.names);
  }
}

/** Names of a file with several that were found, and where. */
interface Links {
  readonly dev: number;
  readonly ino: number;
  missing: number;
  /** Whether one of them may not be read. */
  isClosed: boolean;
  readonly directories: Set<Looked>;
}

/** The directories, none within another; those with most in them. */
export function survey(ask: SurveyAsk, bounds = BOUNDS): Plain[] {
  return new Survey(ask, bounds).run();
}

class Survey {
  readonly #ask: SurveyAsk;
  readonly #bounds: Bounds;
  readonly #rules: Rules;
  readonly #kept: ReadonlySet<BytePath>;
  readonly #links = new Map<string, Links>();
  readonly #statx = Buffer.alloc(STATX_SIZE);
  readonly #dirents = Buffer.allocUnsafe(64 * 1024);
  #left: number;

  constructor(ask: SurveyAsk, bounds: Bounds) {
    this.#ask = ask;
    this.#bounds = bounds;
    this.#rules = new Rules(ask.rules);
    this.#kept = new Set(ask.kept);
    this.#left = bounds.names;
  }

  run(): Plain[] {
    const looked = this.#ask.roots.flatMap((root) => this.#root(root) ?? []);
    const linked = new Map<Looked, Links[]>();
    for (const links of this.#links.values()) {
      for (const each of links.directories) {
        if (links.isClosed) each.isOdd = true;
        else if (links.missing > 0) appendTo(linked, each, links);
      }
    }
    const { least, mounts } = this.#bounds;
    const found = looked.flatMap(plainIn).map((each) => ({ each, names: each.count() }));
    const worth = found.filter(({ names }) => names >= least).sort((a, b) => b.names - a.names);
    return worth.slice(0, mounts).map(({ each }) => {
      const files = [...each.all()].flatMap((one) => linked.get(one) ?? []);
      return { path: each.path, linked: files.map(({ dev, ino }) => ({ dev, ino })) };
    });
  }

  #root(path: BytePath): Looked | undefined {
    if (this.#ask.kept.some((kept) => isWithin(path, kept))) return undefined;
    for (let above = splitPath(path); above !== undefined; above = splitPath(above.dir)) {
      const stat = this.#stat(libc.AT_FDCWD, above.dir);
      // What is not one's own cannot be moved where that bit is set.
      const isSticky = stat !== undefined && (stat.mode & S_ISVTX) !== 0 && stat.uid !== this.#ask.user.uid;
      if (stat === undefined || (this.#may(stat, WRITE_BIT) && !isSticky)) return undefined;
    }
    const stat = this.#stat(libc.AT_FDCWD, path);
    return stat !== undefined && typeOf(stat) === S_IFDIR ? this.#directory(path, stat) : undefined;
  }

  #directory(path: BytePath, stat: Stat): Looked {
    const looked = new Looked(path);
    looked.isOpen = this.#may(stat, WRITE_BIT);
    looked.isOdd = looked.isOpen || this.#kept.has(path) || !this.#isReadable(path);
    if (looked.isOdd && !looked.isOpen) return looked;
    const fd = libc.openAt(libc.AT_FDCWD, path, libc.O_RDONLY | libc.O_DIRECTORY | libc.O_NOFOLLOW | libc.O_CLOEXEC);
    // Where nobody may list, names may still be known.
    if (fd < 0) looked.isOdd = this.#may(stat, EXECUTE_BIT) || this.#may(stat, READ_BIT);
    if (fd < 0) return looked;
    try {
      this.#names(looked, fd, stat.dev);
    } finally {
      libc.close(fd);
    }
    return looked;
  }

  #names(looked: Looked, fd: number, device: number): void {
    const ruled = this.#rules.namesIn(looked.path);
    for (const name of this.#list(fd)) {
      const stat = this.#left-- > 0 ? this.#stat(fd, name) : undefined;
      if (stat === undefined) looked.isOdd = true;
      else if (!this.#isClosed(looked.path, name, ruled)) this.#look(looked, { name, stat, device });
      else {
        looked.isOdd = true;
        if (stat.nlink > 1) this.#count(looked, stat).isClosed = true;
      }
    }
  }

  #look(looked: Looked, { name, stat, device }: { name: Name; stat: Stat; device: number }): void {
    looked.names += 1;
    switch (typeOf(stat)) {
      case S_IFLNK:
        return;
      case S_IFDIR:
        if (stat.dev === device) looked.inside.push(this.#directory(join(looked.path, name), stat));
        else looked.isOdd = true;
        return;
      case S_IFREG:
        if (this.#may(stat, WRITE_BIT)) looked.isOdd = true;
        if (stat.nlink > 1) this.#count(looked, stat);
        return;
      default:
        // Whoever connects to a socket there, or opens a pipe, would meet a program of the host.
        looked.isOdd = true;
    }
  }

  #count(looked: Looked, { dev, ino, nlink }: Stat): Links {
    const key = `${dev}:${ino}`;
    const links = this.#links.get(key) ?? { dev, ino, missing: nlink, isClosed: false, directories: new Set() };
    links.missing -= 1;
    links.directories.add(looked);
    this.#links.set(key, links);
    return links;
  }

  #isClosed(dir: BytePath, name: Name, ruled: NameSet): boolean {
    return ruled.has(name) && !this.#isReadable(join(dir, name));
  }

  #isReadable(path: BytePath): boolean {
    return answerOf(this.#rules.stateOf(path), 'read') === 'pass';
  }

  /** Whoever owns it may give it any permission. */
  #may({ uid, gid, mode }: Stat, bit: number): boolean {
    const { user } = this.#ask;
    if (uid === user.uid) return true;
    return ((mode & bit) | (user.groups.includes(gid) ? (mode >> 3) & bit : 0)) !== 0;
  }

  #stat(dirfd: number, name: string): Stat | undefined {
    return libc.statxInto(dirfd, name, this.#statx) < 0 ? undefined : decodeStatx(this.#statx);
  }

  #list(fd: number): Name[] {
    const names: Name[] = [];
    for (let length = libc.getdents(fd, this.#dirents); length > 0; length = libc.getdents(fd, this.#dirents)) {
      for (const { name } of parseDirents(this.#dirents, length)) names.push(name);
    }
    return names;
  }
}

function typeOf({ mode }: Stat): number {
  return mode & S_IFMT;
}

/** The uppermost directories that have nothing odd in them. */
function plainIn(looked: Looked): Looked[] {
  if (looked.isPlain()) return [looked];
  return looked.isOpen ? [] : looked.inside.flatMap(plainIn);
}
