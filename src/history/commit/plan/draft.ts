/** A plan in the making: steps sorted into phases, and what stands in the way. */
import { randomBytes } from 'node:crypto';
import type { Inode } from '../../../staging/inode.ts';
import type { ObjectStore } from '../../../staging/object-store.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { isWithin } from '../../../sys/bytes.ts';
import * as libc from '../../../sys/libc.ts';
import type { Stat } from '../../../sys/stat.ts';
import { decodeStatx, isRegular, STATX_SIZE } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import type { Directory, Slot } from '../apply/directories.ts';
import { DirectoryMap } from './directory-map.ts';
import type { MovesOut } from './moves-out.ts';
import type { Identity, Looks, Seen, Step } from './steps.ts';

/** In the order in which they are carried out; planner.ts says why. */
const PHASES = ['keep', 'rewrite', 'save', 'aside', 'place', 'link', 'adjust', 'finish'] as const;
export type Phase = (typeof PHASES)[number];

/** Why a commit cannot be carried out; nothing has been changed. */
export interface Problem {
  readonly path: BytePath;
  readonly reason: string;
}

export class Draft {
  readonly facts: Facts;
  readonly movesOut: MovesOut;
  readonly project: BytePath;
  /** Where backups go. */
  readonly backups: Directory;
  readonly directories = new DirectoryMap();
  readonly problems: Problem[] = [];
  /** Directories that change their parent: their own `..` is written to. */
  readonly travellers = new Map<Directory, BytePath>();
  /** Directories that the base had when they were first overridden, has no more, and gets again. */
  readonly restored = new Set<Directory>();
  /** Permission bits that directories of the base shall have in the end. */
  readonly modes = new Map<Directory, number>();
  readonly #phases = new Map<Phase, Step[]>(PHASES.map((phase) => [phase, []]));
  readonly #random = randomBytes(8).toString('hex');
  readonly #backupsDevice: number;
  #names = 0;
  #kept = 0;

  constructor(options: { facts: Facts; movesOut: MovesOut; project: BytePath; backups: BytePath }) {
    this.facts = options.facts;
    this.movesOut = options.movesOut;
    this.project = options.project;
    this.backups = this.directories.ofBase(options.backups);
    this.#backupsDevice = deviceOf(options.facts.store);
  }

  add(phase: Phase, step: Step): void {
    this.#phases.get(phase)?.push(step);
  }

  refuse(path: BytePath, reason: string): void {
    this.problems.push({ path, reason });
  }

  /** A name that nothing has; unlike any that a person would choose, and telling where it comes from. */
  spareName(): Name {
    this.#names += 1;
    return `.yolofs-${this.#random}-${this.#names}` as Name;
  }

  /** A free name in the backups. */
  keptName(): Name {
    this.#kept += 1;
    return String(this.#kept) as Name;
  }

  /** Every step, in order. */
  steps(): Step[] {
    return PHASES.flatMap((phase) => {
      const steps = this.#phases.get(phase) ?? [];
      return phase === 'aside' ? steps.map((step) => this.#withDirectory(step)) : steps;
    });
  }

  /** A directory that goes, and that something was planned in afterwards. */
  #withDirectory(step: Step): Step {
    if (step.do !== 'move' || step.directory !== undefined) return step;
    const directory = this.directories.known(step.path);
    return directory === undefined ? step : { ...step, directory };
  }

  /** Notes that steps will change entries of a directory of the view. */
  works(dir: Inode, directory: Directory): void {
    if (dir.base !== undefined && !this.restored.has(directory)) this.directories.worked.set(directory, dir.base);
  }

  /**
   * Takes a base entry away from its name: to a temporary one beside it (`save`), or to the backups, if that is on the
   * same file system. Returns where it is then; undefined when it must not be moved.
   */
  setAside(entry: { path: BytePath; why: 'save' | 'aside'; stat: Stat }): Slot | undefined {
    const { path, why, stat } = entry;
    const from = this.directories.work(path);
    if (from === undefined || isWithin(this.project, path)) {
      this.refuse(path, 'this directory holds the session itself; it cannot be moved or deleted');
      return undefined;
    }
    const spare = this.spareName();
    const kept = why === 'aside' ? this.keptName() : undefined;
    const near = kept === undefined || stat.dev !== this.#backupsDevice;
    const to = near ? { dir: from.dir, name: spare } : { dir: this.backups, name: kept };
    const superseded = this.movesOut.isSuperseded(path);
    const what = { id: identityOf(stat), looks: looksOf(stat), directory: this.directories.known(path), superseded };
    const seen = why === 'aside' ? seenAlone(stat) : undefined;
    this.add(why, { do: 'move', why, path, from, to, spare, kept, seen, ...what });
    return to;
  }
}

export function identityOf({ dev, ino }: Stat): Identity {
  return { dev, ino };
}

/** Of a regular file with one name. By another name an earlier step may change it. */
export function seenAlone(stat: Stat): Seen | undefined {
  return isRegular(stat.mode) && stat.nlink === 1 ? seenOf(stat) : undefined;
}

export function seenOf({ size, mtimeSec, mtimeNsec }: Stat): Seen {
  return { size, mtime: { sec: mtimeSec, nsec: mtimeNsec } };
}

export function looksOf({ size, mtimeSec, mtimeNsec, mode, uid, gid }: Stat): Looks {
  return { size, mtime: { sec: mtimeSec, nsec: mtimeNsec }, mode: mode & 0o7777, uid, gid };
}

/** The device that the store and the backups are on. */
function deviceOf(store: ObjectStore): number {
  const statx = Buffer.alloc(STATX_SIZE);
  return libc.fstatxInto(store.dirfd, statx) < 0 ? -1 : decodeStatx(statx).dev;
}
