/** The daemon's log without its words, in which a name may be: when something was told, errors of the system, places in our program. */

import { constants } from 'node:os';

/** The lines of a log that say something, as far as nobody's names are in it. */
export function logFrames(log: string, most: number): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  return lines.slice(-most).map((line) => {
    const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0] ?? '';
    const frame = /\bat (?:async )?(?:new )?([\w.#<>]+)? ?\(?\S*\/(src\/[\w./-]+:\d+:\d+)\)?$/.exec(line);
    const where = frame === null ? [] : [`at ${frame[1] ?? ''} (${frame[2]})`.replace('at  ', 'at ')];
    const errnos = (line.match(/\bE[A-Z]+\b/g) ?? []).filter((word) => Object.hasOwn(constants.errno, word));
    const kind =
      /\b(?:Type|Range|Reference|Syntax|System|User|Conflict|Config)?Error\b|\bJournal(?:Damaged|InDoubt)\b/.exec(
        line,
      )?.[0];
    const told = [time, ...where, ...(kind === undefined ? [] : [kind]), ...new Set(errnos)].filter(
      (word) => word !== '',
    );
    return `${told.join(' ')} (${line.length} characters)`.trim();
  });
}
