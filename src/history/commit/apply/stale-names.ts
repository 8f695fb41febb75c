/**
 * After a crash: names that only a client of NFS remembers. One that is killed in a rename(2) which the server carries out knows
 * the file by both names from then on. rename(2) between the two does nothing, as between hard links, and stat(2) is
 * answered from memory; only to rename the old one to a third asks the server, who says that it is not there.
 */
import type { Name } from '../../../sys/bytes.ts';
import { ENOENT } from '../../../sys/errno.ts';
import { isDirectory } from '../../../sys/stat.ts';
import type { Step } from '../plan/steps.ts';
import type { At } from './attributes.ts';
import { besideOf } from './move-step.ts';
import { copyOf } from './place-step.ts';
import { renameToFree } from './rename.ts';
import { must, openSpot, type Spot, statAt } from './spot.ts';
import { beside, keptAt, objectAt, type StepContext } from './step-context.ts';

/** A name that a step gives or takes, and a free one beside it. */
interface Named {
  readonly at: At;
  readonly away: At;
}

/** Returns whether there may have been some. May be repeated. Throws SystemError. */
export function dropStaleNames(steps: readonly Step[], context: StepContext): boolean {
  let found = false;
  for (const step of steps) {
    const names = namesOf(step, context);
    for (const { at, away } of names) {
      // An earlier attempt was cut short.
      if (statAt(context, at) === undefined && statAt(context, away) !== undefined) must(renameToFree(away, at));
    }
    for (const name of doublesAmong(names, context)) {
      found = true;
      ask(name);
    }
  }
  return found;
}

/** Those of a file that has one name, or of a directory, and is found at two of them. */
function doublesAmong(names: readonly Named[], context: StepContext): Named[] {
  const byIdentity = new Map<string, Named[]>();
  for (const named of names) {
    const stat = statAt(context, named.at);
    if (stat === undefined || (!isDirectory(stat.mode) && stat.nlink > 1)) continue;
    const key = `${stat.dev}:${stat.ino}`;
    byIdentity.set(key, [...(byIdentity.get(key) ?? []), named]);
  }
  return [...byIdentity.values()].filter((same) => same.length > 1).flat();
}

/** The name goes, if it is remembered only; else it stays. */
function ask({ at, away }: Named): void {
  const errno = renameToFree(at, away);
  if (errno === ENOENT) return;
  must(errno);
  must(renameToFree(away, at));
}

/** All names between which the renames of a step go, each once. */
function namesOf(step: Step, context: StepContext): Named[] {
  const found = new Map<string, Named>();
  for (const [i, spot] of spotsOf(step, context).entries()) {
    const at = openSpot(context, spot);
    if (typeof at === 'number') continue;
    const { dirfd, name } = at;
    const key = `${dirfd}/${name}`;
    const away = 'dir' in spot && 'spare' in step ? `${step.spare}-${i}` : `${name}-${i}`;
    if (!found.has(key)) found.set(key, { at, away: { dirfd, name: away as Name } });
  }
  return [...found.values()];
}

function spotsOf(step: Step, context: StepContext): readonly Spot[] {
  if (step.do === 'place') {
    const { at, spare, kept, object } = step;
    return [at, beside(at, spare), copyOf(step), keptAt(context, kept), objectAt(context, object)];
  }
  if (step.do !== 'move') return [];
  const { from, to, spare, kept } = step;
  return [from, besideOf(step), to, beside(to, spare), ...(kept === undefined ? [] : [keptAt(context, kept)])];
}
