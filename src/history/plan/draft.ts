/** A plan in the making: steps sorted into phases, and what stands in the way. */
import { randomBytes } from 'node:crypto';
import type { Inode } from '../../staging/inode.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { isWithin } from '../../sys/bytes.ts';
import type { Directory, Slot } from '../apply/directories.ts';
import type { Facts } from '../compare/facts.ts';
import type { Step } from '../steps.ts';
import type { Departures } from './departures.ts';
import { DirectoryMap } from './directory-map.ts';

/** In the order in which they are carried out; planner.ts says why. */
export const PHASES = ['keep', 'rewrite', 'save', 'aside', 'place', 'link', 'adjust', 'finish'] as const;
export type Phase = (typeof PHASES)[number];

/** Why a commit cannot be carried out; nothing has been changed. */
export interface Problem {
  readonly path: BytePath;
  readonly reason: string;
}

export class Draft {
  readonly facts: Facts;
  readonly departures: Departures;
  readonly project: BytePath;
  readonly directories = new DirectoryMap();
  readonly problems: Problem[] = [];
  /** Directories that change their parent: their own `..` is written to. */
  readonly travellers = new Map<Directory, BytePath>();
  /** Permission bits that directories of the base shall have in the end. */
  readonly modes = new Map<Directory, number>();
  readonly #phases = new Map<Phase, Step[]>(PHASES.map((phase) => [phase, []]));
  readonly #random = randomBytes(4).toString('hex');
  #names = 0;

  constructor(options: { facts: Facts; departures: Departures; project: BytePath }) {
    this.facts = options.facts;
    this.departures = options.departures;
    this.project = options.project;
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

  /** Every step, in order. */
  steps(): Step[] {
    return PHASES.flatMap((phase) => this.#phases.get(phase) ?? []);
  }

  /** Notes that steps will change entries of a directory of the view. */
  works(dir: Inode, directory: Directory): void {
    if (dir.base !== undefined) this.directories.worked.set(directory, dir.base);
  }

  /** Gives a base entry a temporary name beside its own; undefined when it must not be moved. */
  setAside(entry: { path: BytePath; why: 'save' | 'aside' }): Slot | undefined {
    const { path, why } = entry;
    const from = this.directories.work(path);
    if (from === undefined || isWithin(this.project, path)) {
      this.refuse(path, 'this directory holds the session itself; it cannot be moved or deleted');
      return undefined;
    }
    const to = { dir: from.dir, name: this.spareName() };
    const superseded = this.departures.isSuperseded(path);
    this.add(why, { do: 'move', why, path, from, to, directory: this.directories.known(path), superseded });
    return to;
  }
}
