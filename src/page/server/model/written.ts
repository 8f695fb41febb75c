/** Which command wrote which lines of a file, for the page. */
import type { Side } from '../../../history/diff/changes.ts';
import type { Facts } from '../../../history/diff/facts.ts';
import { splitLines } from '../../../history/diff/text/hunks.ts';
import { loadSide } from '../../../history/diff/text/load.ts';
import { label } from '../../../sys/bytes.ts';
import type { BlameRange } from '../../protocol.ts';
import type { Opened } from '../host.ts';
import type { ModelEntry } from './entry.ts';

/** None for what is no text. */
export function blameOf({ change }: ModelEntry, opened: Opened, facts: Facts): BlameRange[] {
  const { path, oldSide, newSide, displaced } = change;
  const before = oldSide === undefined || displaced === true ? [] : linesIn(oldSide, facts);
  const after = newSide && linesIn(newSide, facts);
  if (before === undefined || after === undefined) return [];
  return opened
    .blame()
    .linesOf(path, { before, after }, facts)
    .map(({ command, ...range }) => ({ ...range, ...(command === '' ? {} : { command: label(command) }) }));
}

/** Undefined: there is none, or it is no text. */
function linesIn(side: Side, facts: Facts): string[] | undefined {
  const content = loadSide(side, facts);
  return content.kind === 'text' ? splitLines(content.text) : undefined;
}
