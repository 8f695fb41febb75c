/** Finds the rules that match a path itself: 1,000 of them cost hardly more than one. Pure. */
import type { BytePath, Name } from '../sys/bytes.ts';
import { matches } from './pattern.ts';
import type { Rule } from './rules.ts';

interface Ranked {
  readonly rule: Rule;
  readonly rank: number;
}

const LAYERS: Record<Rule['decider']['layer'], number> = { default: 0, user: 1, session: 2, project: 0 };

export class RuleIndex {
  readonly #exact = new Map<BytePath, Ranked>();
  /** Strongest first. */
  readonly #globs: readonly Ranked[];
  /** Matches every last component that one of the globs can match; undefined: there are none, or one takes any. */
  readonly #last: RegExp | undefined;

  /** `rules` in the order in which a later one of the same layer beats an earlier one. */
  constructor(rules: readonly Rule[]) {
    const ranked = rules.map((rule, line) => ({ rule, rank: rankOf(rule, line) }));
    for (const one of ranked) {
      const { path } = one.rule.pattern;
      if (path === undefined) continue;
      const known = this.#exact.get(path);
      if (known === undefined || known.rank < one.rank) this.#exact.set(path, one);
    }
    this.#globs = ranked.filter(({ rule }) => rule.pattern.path === undefined).sort((a, b) => b.rank - a.rank);
    const lasts = this.#globs.map(({ rule }) => rule.pattern.last);
    const sources = lasts.map((last) => last?.source);
    this.#last = sources.includes(undefined) || sources.length === 0 ? undefined : new RegExp(sources.join('|'), 's');
  }

  /** The strongest rule that matches the path itself, of which `name` is the last component. */
  own(path: BytePath, name: Name): Rule | undefined {
    const exact = this.#exact.get(path);
    if (this.#globs.length === 0 || (this.#last !== undefined && !this.#last.test(name))) return exact?.rule;
    for (const { rule, rank } of this.#globs) {
      if (exact !== undefined && exact.rank > rank) return exact.rule;
      if (matches(rule.pattern, path, name)) return rule;
    }
    return exact?.rule;
  }
}

/** Layer, then exactness, then line. */
function rankOf({ pattern, decider }: Rule, line: number): number {
  const exactness = pattern.path === undefined ? 0 : 1;
  return (LAYERS[decider.layer] * 2 + exactness) * 2 ** 32 + line;
}
