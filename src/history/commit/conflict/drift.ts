/** Conflicts as a list of changes shows them, each at the change that it is about. */
import type { BytePath } from '../../../sys/bytes.ts';
import type { PathChange } from '../../diff/changes.ts';
import type { Conflict } from './conflict.ts';

type Listed = Pick<PathChange, 'path' | 'change' | 'from'>;

export class Drift {
  readonly #conflicts: readonly Conflict[];
  readonly #byPath: ReadonlyMap<BytePath, Conflict>;
  readonly #byOriginal: ReadonlyMap<BytePath, Conflict>;
  readonly #told = new Set<Conflict>();

  constructor(conflicts: readonly Conflict[]) {
    this.#conflicts = conflicts;
    this.#byPath = new Map(conflicts.map((conflict) => [conflict.to ?? conflict.path, conflict]));
    this.#byOriginal = new Map(conflicts.map((conflict) => [conflict.original, conflict]));
  }

  get isEmpty(): boolean {
    return this.#conflicts.length === 0;
  }

  /** The conflict that a change of the list is about. What was deleted, or moved, is listed by its place in the base. */
  of({ path, change, from }: Listed): Conflict | undefined {
    if (this.isEmpty) return undefined;
    const original = from ?? (change === 'deleted' ? path : undefined);
    const found = this.#byPath.get(path) ?? (original === undefined ? undefined : this.#byOriginal.get(original));
    if (found !== undefined) this.#told.add(found);
    return found;
  }

  /** Conflicts that no change was about so far: a directory that both sides have made is none, nor is what both now lack. */
  get untold(): readonly Conflict[] {
    return this.#conflicts.filter((conflict) => !this.#told.has(conflict));
  }
}
