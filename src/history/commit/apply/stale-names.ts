/**
 * After a crash: names that only a client of NFS remembers. One that is killed in a rename(2) which the server carries out knows
 * the file by both names from then on. rename(2) between the two does nothing, as between hard links, and stat(2) is
 * answered from memory; only to rename the old one to a third asks the server, who says that it is not there.
 */
import type { Name } from '../../../sys/bytes.ts';
import { ENOENT } from '../../../sys/errno.ts';
import { appendTo } from '../../../sys/grouped.ts';
import { isDirectory } from '../../../sys/stat.ts';
import type { Step } from '../plan/steps.ts';
import type { Slot } from './directories.ts';
import { besideOf } from './move-step.ts';
import { copyOf } from './place-step.ts';
import { must, type Spot, shift, statAt } from './spot.ts';
import { beside, keptAt, objectAt, type StepContext } from './step-context.ts';

/** A name that a step gives or takes, and a free one beside it. */
interface Named {
  readonly spot: Spot;
  readonly away: Spot;
}

/** Returns whether there may have been some. May be repeated. Throws SystemError. */
export function dropStaleNames(steps: readonly Step[], context: StepContext): boolean {
  let found = false;
  for (const step of steps) {
    const names = namesOf(step, context);
    for (const { spot, away } of names) {
      // An earlier attempt was cut short.
      if (statAt(context, spot) === undefined && statAt(context, away) !== undefined) must(shift(context, away, spot));
    }
    for (const name of doublesAmong(names, context)) {
      found = true;
      ask(name, context);
    }
  }
  return found;
}

/** Those of a file that has one name, or of a directory, and is found at two of them. */
function doublesAmong(names: readonly Named[], context: StepContext): Named[] {
  const byIdentity = new Map<string, Named[]>();
  for (const named of names) {
    const stat = statAt(context, named.spot);
    if (stat === undefined || (!isDirectory(stat.mode) && stat.nlink > 1)) continue;
    const key = `${stat.dev}:${stat.ino}`;
    appendTo(byIdentity, key, named);
  }
  return [...byIdentity.values()].filter((same) => same.length > 1).flat();
}

/** The name goes, if it is remembered only; else it stays. */
function ask({ spot, away }: Named, context: StepContext): void {
  const errno = shift(context, spot, away);
  if (errno === ENOENT) return;
  must(errno);
  must(shift(context, away, spot));
}

/** All names between which the renames of a step go, each once. */
function namesOf(step: Step, context: StepContext): Named[] {
  if (step.do !== 'place' && step.do !== 'move') return [];
  const slots = slotsOf(step, context).filter(
    (one, i, all) => all.findIndex(({ dir, name }) => dir === one.dir && name === one.name) === i,
  );
  const names: Named[] = slots.map((spot, i) => ({ spot, away: beside(spot, `${step.spare}-${i}`) }));
  if (step.do === 'move') return names;
  const object = objectAt(context, step.object);
  return [...names, { spot: object, away: { ...object, name: `${object.name}-away` as Name } }];
}

function slotsOf(step: Extract<Step, { do: 'place' | 'move' }>, context: StepContext): readonly Slot[] {
  const { spare } = step;
  if (step.do === 'place') return [step.at, beside(step.at, spare), copyOf(step), keptAt(context, step.kept)];
  const kept = step.kept === undefined ? [] : [keptAt(context, step.kept)];
  return [step.from, besideOf(step), step.to, beside(step.to, spare), ...kept];
}
