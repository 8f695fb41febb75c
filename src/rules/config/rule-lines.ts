/** The table `[rules]` of a file: `"PATH or glob" = "state"`. */
import * as v from 'valibot';
import { ConfigError, type UserError } from '../../sys/user-error.ts';
import type { Decider } from '../asker.ts';
import { type Places, parsePattern } from '../pattern/pattern.ts';
import type { Rule } from '../rules.ts';
import { STATES, type State } from '../states.ts';
import { placeIn } from './parse-table.ts';
import { placesIn } from './toml-place.ts';

const MOST_LINES = 2_000;
const MOST_GLOBS = 100;
const LONGEST_GLOB = 256;

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
    if (typeof parsed === 'string') throw new ConfigError(`${place}: rules: '${pattern}' ${parsed}`);
    return { text: pattern, state: said, place };
  });
}

/**
 * What a project's file may have: it is somebody else's, and each glob is held against the names that the view looks up. Throws a
 * UserError that names the line that is too much.
 */
export function checkProjectLines(lines: readonly RuleLine[], places: Places): void {
  const tooMuch = (place: string, what: string): UserError =>
    new ConfigError(
      `${place}: rules: ${what}`,
      `what is too much for a project's file can be in your own, ~/.config/yolofs/config.toml`,
    );
  let globs = 0;
  for (const [at, { text, place }] of lines.entries()) {
    if (at >= MOST_LINES) throw tooMuch(place, `a project's file has ${MOST_LINES} rules at most`);
    const patterns = parsePattern(text, places);
    const mine = typeof patterns === 'string' ? [] : patterns.filter(({ path }) => path === undefined);
    if (mine.length > 0 && text.length > LONGEST_GLOB)
      throw tooMuch(place, `a glob of a project's file has ${LONGEST_GLOB} characters at most`);
    globs += mine.length;
    if (globs > MOST_GLOBS)
      throw tooMuch(place, `a project's file has ${MOST_GLOBS} globs at most, each alternative in braces being one`);
  }
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
