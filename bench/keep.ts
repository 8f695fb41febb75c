/** The file in results/ that a run of `npm run bench` writes, as a whole or row by row. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { originOf, resultsFile } from './keep-figures.ts';
import type { Measured } from './measure.ts';
import type { Extra } from './report.ts';

export interface KeptRow extends Measured {
  readonly commit: string;
}

interface Kept {
  readonly rows: readonly KeptRow[];
  readonly figures: readonly Extra[];
}

/** Writes what was measured; what the day's file has of other rows stays. */
export function keep(rows: readonly Measured[], figures: readonly Extra[]): void {
  const origin = originOf();
  const { commit } = origin;
  const file = resultsFile('', origin);
  const old: Kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : { rows: [], figures: [] };
  const kept = {
    ...origin,
    rows: merged(
      old.rows,
      rows.map((row) => ({ ...row, commit })),
      ({ row }) => row,
    ),
    figures: merged(old.figures, figures, ({ name }) => name),
  };
  writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`);
}

/** The new ones in the places of those of the same name, the others at the end. */
function merged<T>(old: readonly T[], added: readonly T[], nameOf: (one: T) => string): T[] {
  const byName = new Map([...old, ...added].map((one) => [nameOf(one), one]));
  return [...byName.values()];
}
