/** Finds the rules that match a path itself: 1,000 of them cost hardly more than one. Pure. */
import type { BytePath, Name } from '../sys/bytes.ts';
import { matches } from './pattern.ts';
import type { Rule } from './rules.ts';

interface Ranked {
  readonly rule: Rule;
  readonly rank: number;
}

const LAYERS: Record<Rule['decider']['layer'], number> = { default: 0, user: 1, session: 2, project: 0 };
/** Bytes of a name by whose beginning or end globs are found. */
const KEY = 2;

export class RuleIndex {
  readonly #exact = new Map<BytePath, Ranked>();
  /** Globs by how the last component of what they match ends or, where that is open, begins; each list strongest first. */
  readonly #byEnd = new Map<string, Ranked[]>();
  readonly #byStart = new Map<string, Ranked[]>();
  /** Those that say nothing of either. */
  readonly #others: Ranked[] = [];

  /** `rules` in the order in which a later one of the same layer beats an earlier one. */
  constructor(rules: readonly Rule[]) {
    const ranked = rules.map((rule, line) => ({ rule, rank: rankOf(rule, line) })).sort((a, b) => b.rank - a.rank);
    for (const one of ranked) {
      const { path, start, end } = one.rule.pattern;
      if (path !== undefined) {
        if (!this.#exact.has(path)) this.#exact.set(path, one);
      } else if (end.length >= KEY) put(this.#byEnd, end.slice(-KEY), one);
      else if (start.length >= KEY) put(this.#byStart, start.slice(0, KEY), one);
      else this.#others.push(one);
    }
  }

  /** The strongest rule that matches the path itself, of which `name` is the last component. */
  own(path: BytePath, name: Name): Rule | undefined {
    let best = this.#exact.get(path);
    if (this.#byEnd.size > 0) best = strongest(this.#byEnd.get(name.slice(-KEY)), { path, name, best });
    if (this.#byStart.size > 0) best = strongest(this.#byStart.get(name.slice(0, KEY)), { path, name, best });
    if (this.#others.length > 0) best = strongest(this.#others, { path, name, best });
    return best?.rule;
  }
}

interface Looking {
  readonly path: BytePath;
  readonly name: Name;
  readonly best: Ranked | undefined;
}

function strongest(globs: readonly Ranked[] | undefined, { path, name, best }: Looking): Ranked | undefined {
  for (const one of globs ?? []) {
    if (best !== undefined && best.rank > one.rank) return best;
    if (matches(one.rule.pattern, path, name)) return one;
  }
  return best;
}

function put(map: Map<string, Ranked[]>, key: string, one: Ranked): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [one]);
  else list.push(one);
}

/** Layer, then exactness, then line. */
function rankOf({ pattern, decider }: Rule, line: number): number {
  const exactness = pattern.path === undefined ? 0 : 1;
  return (LAYERS[decider.layer] * 2 + exactness) * 2 ** 32 + line;
}
