/**
 * Where the directories that steps move are at this moment. After a crash nobody remembers how far the steps came, so
 * the base is asked: a directory is where its identity is found, among the places that the steps give it.
 */

import { besideOf } from '../apply/move-step.ts';
import { holds, isInCopy, statAt } from '../apply/spot.ts';
import type { StepContext } from '../apply/step-context.ts';
import { keptAt } from '../apply/step-context.ts';
import type { Directory, Identity, Move, Slot, Step } from '../plan/steps.ts';

interface Candidate {
  readonly slot: Slot;
  /** A name that only we give: what is there is meant, also when it came along in a copy. */
  readonly isOurs: boolean;
  readonly identities: readonly (Identity | undefined)[];
}

/** Sets every moved directory of the steps to its present place. Throws SystemError when that cannot be told. */
export function locateDirectories(steps: readonly Step[], context: StepContext): void {
  const moved = new Map<Directory, Move[]>();
  for (const step of steps) {
    if (step.do !== 'move' || step.directory === undefined) continue;
    const moves = moved.get(step.directory) ?? [];
    moves.push(step);
    moved.set(step.directory, moves);
  }
  const locator = new Locator(moved, context);
  for (const directory of moved.keys()) locator.locate(directory);
}

class Locator {
  readonly #candidates: ReadonlyMap<Directory, Candidate[]>;
  readonly #bench: StepContext;
  readonly #found = new Set<Directory>();
  readonly #searching = new Set<Directory>();

  constructor(moved: ReadonlyMap<Directory, readonly Move[]>, context: StepContext) {
    this.#bench = context;
    this.#candidates = new Map([...moved].map(([directory, moves]) => [directory, candidatesOf(moves, context)]));
  }

  locate(directory: Directory): void {
    const candidates = this.#candidates.get(directory);
    if (candidates === undefined) {
      if (directory.parent !== undefined) this.locate(directory.parent);
      return;
    }
    if (this.#found.has(directory) || this.#searching.has(directory)) return;
    this.#searching.add(directory);
    const found = candidates.find((candidate) => this.#isAt(candidate));
    this.#searching.delete(directory);
    if (found === undefined) return;
    this.#found.add(directory);
    directory.parent = found.slot.dir;
    directory.name = found.slot.name;
    if (!holds(this.#bench, found.slot, [found.identities[0]])) this.#bench.copies.add(directory);
    this.#bench.directories.forget();
  }

  #isAt({ slot, isOurs, identities }: Candidate): boolean {
    // Nothing lies below itself, so a place below what is being searched for is not the one.
    if (this.#isBelowSearched(slot.dir)) return false;
    this.locate(slot.dir);
    if (this.#isBelowSearched(slot.dir)) return false;
    if (isOurs) return statAt(this.#bench, slot) !== undefined;
    return (
      holds(this.#bench, slot, identities) ||
      (isInCopy(this.#bench, slot.dir) && statAt(this.#bench, slot) !== undefined)
    );
  }

  #isBelowSearched(directory: Directory): boolean {
    for (let at: Directory | undefined = directory; at !== undefined; at = at.parent) {
      if (this.#searching.has(at)) return true;
    }
    return false;
  }
}

/** The latest place first: where an original was copied, the copy is what later steps work in. */
function candidatesOf(moves: readonly Move[], context: StepContext): Candidate[] {
  const candidates: Candidate[] = [];
  for (const step of moves) {
    const identities = [step.id, context.notes.noted(step, 'old')];
    if (candidates.length === 0) candidates.push({ slot: step.from, isOurs: false, identities });
    if (step.why === 'aside') candidates.push({ slot: besideOf(step), isOurs: true, identities });
    const withCopy = [...identities, context.notes.noted(step, 'new')];
    candidates.push({ slot: step.to, isOurs: step.why !== 'place', identities: withCopy });
    if (step.why === 'aside' && step.kept !== undefined) {
      candidates.push({ slot: keptAt(context, step.kept), isOurs: true, identities });
    }
  }
  return candidates.reverse();
}
