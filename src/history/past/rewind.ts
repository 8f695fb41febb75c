/**
 * The steps of a commit, told as changes of what the view shows: backwards, from the base that the commit left to the one
 * it found, and forwards, for a commit that was undone. Nothing of the base is touched.
 */
import type { BytePath, Ino, Name } from '../../sys/bytes.ts';
import { join, ROOT } from '../../sys/bytes.ts';
import { S_IFREG } from '../../sys/stat.ts';
import { follow } from '../commit/apply/move-step.ts';
import type { Move, Place, Slot, Step } from '../commit/plan/steps.ts';
import { Directory } from '../commit/plan/steps.ts';
import type { Backups } from './backups.ts';
import type { BaseReconstruction } from './base-reconstruction.ts';

/** Makes the base what it was before the commit. Throws a UserError when something of that is not kept. */
export function takeBack(steps: readonly Step[], rebuilt: BaseReconstruction, backups: Backups): void {
  const replay = new StepReplay(steps, rebuilt);
  // What was written into may be in the backups, too, by a name that it has lost.
  for (const step of steps)
    if (step.do === 'rewrite' || (step.do === 'adjust' && !(step.at instanceof Directory))) rebuilt.know(step.path);
  for (const step of steps) if (step.do === 'move') follow(step, step.to);
  for (const step of [...steps].reverse()) {
    replay.takeBack(step, backups);
    if (step.do === 'move') follow(step, step.from);
  }
}

/** Makes the base what it was after the commit. */
export function doAgain(steps: readonly Step[], rebuilt: BaseReconstruction, nextIno: () => Ino): void {
  const replay = new StepReplay(steps, rebuilt);
  for (const step of steps) replay.know(step);
  for (const step of steps) {
    replay.doAgain(step, nextIno);
    if (step.do === 'move') follow(step, step.to);
  }
  for (const step of [...steps].reverse()) if (step.do === 'move') follow(step, step.from);
}

/** Names that steps give to what they move or put away, as long as they are at it. */
export function temporaryNames(steps: readonly Step[]): Set<Name> {
  return new Set(steps.flatMap((step) => (step.do === 'move' ? [step.spare] : [])));
}

class StepReplay {
  readonly #rebuilt: BaseReconstruction;
  /**
   * Temporary names of what is on the move. On disk they are in its old directory, which may be in the backups meanwhile:
   * here they are in the root, which never goes.
   */
  readonly #saved: ReadonlySet<Name>;
  /** Directories that move, with the names that their originals have in the backups if they were copied. */
  readonly #travellers: ReadonlyMap<Directory, Name>;

  constructor(steps: readonly Step[], rebuilt: BaseReconstruction) {
    this.#rebuilt = rebuilt;
    this.#travellers = new Map(
      steps.flatMap((step) => {
        const { directory, kept } = step.do === 'move' && step.why === 'place' ? step : {};
        return directory === undefined || kept === undefined ? [] : [[directory, kept]];
      }),
    );
    this.#saved = new Set(steps.flatMap((step) => (step.do === 'move' && step.why === 'save' ? [step.to.name] : [])));
  }

  /** A file that is changed may lose names before: what goes then is known to be one. */
  know(step: Step): void {
    if (step.do === 'rewrite' || (step.do === 'adjust' && step.id !== undefined && !(step.at instanceof Directory)))
      this.#rebuilt.know(this.#placeOf(step.at));
  }

  takeBack(step: Step, backups: Backups): void {
    const rebuilt = this.#rebuilt;
    switch (step.do) {
      case 'move':
        if (step.why === 'aside') {
          rebuilt.expect(this.#path(step.from), undefined);
          backups.restore(this.#places(step), this.#path(step.from), rebuilt);
        } else {
          if (!this.#saved.has(step.from.name)) rebuilt.expect(this.#path(step.from), undefined);
          this.#move(step.to, step.from);
        }
        return;
      case 'place':
        rebuilt.expect(this.#path(step.at), step);
        if (step.over === undefined) rebuilt.remove(this.#path(step.at));
        else backups.refill(step.kept, this.#path(step.at), rebuilt);
        return;
      case 'make':
        rebuilt.expectMade(this.#path(step.at), step);
        rebuilt.remove(this.#path(step.at));
        return;
      case 'link':
        rebuilt.expectLink(this.#path(step.from), this.#path(step.at));
        rebuilt.remove(this.#path(step.at));
        return;
      case 'rewrite':
        rebuilt.expect(this.#path(step.at), step);
        backups.refill(step.kept, this.#path(step.at), rebuilt, step.before);
        return;
      case 'adjust':
        if (!(step.at instanceof Directory))
          rebuilt.expectTime(this.#path(step.at), step.attributes.mtime ?? step.before.mtime);
        rebuilt.adjust(this.#placeOf(step.at), step.before, step.says === undefined);
        return;
    }
  }

  doAgain(step: Step, nextIno: () => Ino): void {
    const rebuilt = this.#rebuilt;
    switch (step.do) {
      case 'move':
        if (step.why === 'aside') rebuilt.remove(this.#path(step.from));
        else this.#move(step.from, step.to);
        return;
      case 'place':
        this.#placeAgain(step, nextIno);
        return;
      case 'make':
        rebuilt.make(this.#path(step.at), { ino: nextIno(), ...step });
        return;
      case 'link':
        rebuilt.link(this.#path(step.from), this.#path(step.at));
        return;
      case 'rewrite':
        rebuilt.fill(this.#path(step.at), step.object, step.attributes);
        return;
      case 'adjust':
        rebuilt.adjust(this.#placeOf(step.at), step.attributes, step.says === undefined);
        return;
    }
  }

  /** Told as other content of the same file, unless another file took the place of one that keeps its other names, or of no file. */
  #placeAgain(step: Place, nextIno: () => Ino): void {
    const rebuilt = this.#rebuilt;
    const at = this.#path(step.at);
    if (step.over !== undefined && rebuilt.hasPlainFile(at)) {
      // What the base has there may have more, as it had when the commit was planned.
      rebuilt.strip(at, step.attributes);
      rebuilt.fill(at, step.object, step.attributes);
      return;
    }
    if (step.over !== undefined) rebuilt.remove(at);
    rebuilt.make(at, { type: S_IFREG, ino: nextIno(), ...step });
  }

  /**
   * Where the backups may have an original: by a name of its own; or under its temporary one in a directory that was put away
   * after it was copied to another file system, with all that had been deleted in it.
   */
  #places({ kept, from, spare }: Move): (readonly Name[])[] {
    const places: (readonly Name[])[] = kept === undefined ? [] : [[kept]];
    let names = [spare];
    for (let at: Directory | undefined = from.dir; at !== undefined; at = at.parent) {
      const top = this.#travellers.get(at);
      if (top !== undefined) places.push([top, ...names]);
      names = [at.name, ...names];
    }
    return places;
  }

  #move(from: Slot, to: Slot): void {
    const paths = [this.#path(from), this.#path(to)] as const;
    if (this.#saved.has(from.name) || this.#saved.has(to.name)) this.#rebuilt.moveByRoot(...paths);
    else this.#rebuilt.move(...paths);
  }

  #placeOf(at: Slot | Directory): BytePath {
    return at instanceof Directory ? this.#directoryPath(at) : this.#path(at);
  }

  #path({ dir, name }: Slot): BytePath {
    return join(this.#saved.has(name) ? ROOT : this.#directoryPath(dir), name);
  }

  #directoryPath({ parent, name }: Directory): BytePath {
    return parent === undefined ? ROOT : this.#path({ dir: parent, name });
  }
}
