/** The table `[rules]` of a file: `"PATH or glob" = "state"`. */
import * as v from 'valibot';
import { UserError } from '../../sys/user-error.ts';
import type { Decider } from '../asker.ts';
import { type Places, parsePattern } from '../pattern.ts';
import type { Rule } from '../rules.ts';
import { STATES, type State } from '../states.ts';
import { placeIn } from './parse-table.ts';
import { placesIn } from './toml-place.ts';

/** One line of the table. */
export interface RuleLine {
  readonly text: string;
  readonly state: State;
  /** `FILE:LINE:COLUMN`. */
  readonly place: string;
}

const state = v.picklist(STATES, ({ input }) => {
  if (typeof input === 'object') return 'has to be "PATH" = "state", the path in quotes';
  return `${JSON.stringify(input)} is no state; there are ${STATES.map((one) => `"${one}"`).join(', ')}`;
});

export const ruleTable = v.optional(v.record(v.string(), state, 'has to be a table of rules: "PATH" = "state"'), {});

interface Source {
  readonly text: string;
  readonly file: string;
  readonly places: Places;
}

/** The lines of a table. Throws a UserError for a path or glob that makes no sense. */
export function ruleLines(table: Readonly<Record<string, State>>, { text, file, places }: Source): readonly RuleLine[] {
  const known = placesIn(text, 'rules');
  return Object.entries(table).map(([pattern, said]) => {
    const at = known.get(pattern);
    const place = at === undefined ? placeIn(text, file, ['rules', pattern]) : `${file}:${at.line}:${at.column}`;
    const parsed = parsePattern(pattern, places);
    if (typeof parsed === 'string') throw new UserError(`${place}: rules: '${pattern}' ${parsed}`);
    return { text: pattern, state: said, place };
  });
}

/** The rules that lines of one layer stand for. */
export function rulesOfLines(lines: readonly RuleLine[], layer: Decider['layer'], places: Places): readonly Rule[] {
  return lines.flatMap(({ text, state: said, place }) => {
    const patterns = parsePattern(text, places);
    // ruleLines() has refused the others.
    if (typeof patterns === 'string') return [];
    return patterns.map((pattern) => ({ pattern, decider: { state: said, pattern: text, layer, place } }));
  });
}
