/** A rule as it counts: what it matches, and what it says. */
import type { Decider } from '../asker.ts';
import type { Pattern } from './pattern.ts';

export interface Rule {
  readonly pattern: Pattern;
  readonly decider: Decider;
  /** No other rule counts for what it matches and what is below: see `ownRules` in config/defaults.ts. */
  readonly isFinal?: true;
}
