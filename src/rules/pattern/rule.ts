/** A rule as it counts: what it matches, and what it says. */
import type { Decider } from '../asker.ts';
import type { Pattern } from './pattern.ts';

export interface Rule {
  readonly pattern: Pattern;
  readonly decider: Decider;
  /** No other rule counts for what it matches and what is below: see `ownRules` in config/defaults.ts. */
  readonly isFinal?: true;
  /** It is about what the base has under such a name, and says nothing of what was born in the view: see `Rules.forBorn`. */
  readonly isOfBase?: true;
}
