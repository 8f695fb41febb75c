/**
 * The steps of a commit, told as changes of what the view shows: backwards, from the base that the commit left to the one
 * it found, and forwards, for a commit that was undone. Nothing of the base is touched.
 */
import type { Ino } from '../../sys/bytes.ts';
import { type BytePath, join, ROOT } from '../../sys/bytes.ts';
import { S_IFREG } from '../../sys/stat.ts';
import { follow } from '../apply/move-step.ts';
import type { Slot, Step } from '../steps.ts';
import { Directory } from '../steps.ts';
import type { Attic } from './attic.ts';
import type { Ground } from './ground.ts';

/** Makes the ground what it was before the commit. Throws a UserError when something of that is not kept. */
export function takeBack(steps: readonly Step[], ground: Ground, attic: Attic): void {
  for (const step of steps) if (step.do === 'move') follow(step, step.to);
  for (const step of [...steps].reverse()) {
    takeStepBack(step, ground, attic);
    if (step.do === 'move') follow(step, step.from);
  }
}

/** Makes the ground what it was after the commit. */
export function doAgain(steps: readonly Step[], ground: Ground, nextIno: () => Ino): void {
  for (const step of steps) {
    doStepAgain(step, ground, nextIno);
    if (step.do === 'move') follow(step, step.to);
  }
  for (const step of [...steps].reverse()) if (step.do === 'move') follow(step, step.from);
}

function takeStepBack(step: Step, ground: Ground, attic: Attic): void {
  switch (step.do) {
    case 'move':
      if (step.why === 'aside') attic.restore(step.kept, pathOf(step.from), ground);
      else ground.move(pathOf(step.to), pathOf(step.from));
      return;
    case 'place':
      if (step.over === undefined) ground.remove(pathOf(step.at));
      else attic.refill(step.kept, pathOf(step.at), ground);
      return;
    case 'make':
    case 'link':
      ground.remove(pathOf(step.at));
      return;
    case 'rewrite':
      attic.refill(step.kept, pathOf(step.at), ground, step.before);
      return;
    case 'adjust':
      ground.adjust(placeOf(step.at), step.before, step.says === undefined);
      return;
  }
}

function doStepAgain(step: Step, ground: Ground, nextIno: () => Ino): void {
  switch (step.do) {
    case 'move':
      if (step.why === 'aside') ground.remove(pathOf(step.from));
      else ground.move(pathOf(step.from), pathOf(step.to));
      return;
    case 'place':
      if (step.over !== undefined) ground.fill(pathOf(step.at), step.object, step.attributes);
      else ground.make(pathOf(step.at), { type: S_IFREG, ino: nextIno(), ...step });
      return;
    case 'make':
      ground.make(pathOf(step.at), { ino: nextIno(), ...step });
      return;
    case 'link':
      ground.link(pathOf(step.from), pathOf(step.at));
      return;
    case 'rewrite':
      ground.fill(pathOf(step.at), step.object, step.attributes);
      return;
    case 'adjust':
      ground.adjust(placeOf(step.at), step.attributes, step.says === undefined);
      return;
  }
}

function placeOf(at: Slot | Directory): BytePath {
  return at instanceof Directory ? directoryPath(at) : pathOf(at);
}

function pathOf({ dir, name }: Slot): BytePath {
  return join(directoryPath(dir), name);
}

function directoryPath({ parent, name }: Directory): BytePath {
  return parent === undefined ? ROOT : join(directoryPath(parent), name);
}
