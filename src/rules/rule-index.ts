/** Finds the rules that match a path itself: 1,000 of them cost hardly more than one. Pure. */
import type { BytePath, Name } from '../sys/bytes.ts';
import { appendTo } from '../sys/grouped.ts';
import { matches, onlyDirectory } from './pattern/pattern.ts';
import type { Rule } from './pattern/rule.ts';

interface Ranked {
  readonly rule: Rule;
  readonly rank: number;
}

const LAYERS: Record<Rule['decider']['layer'], number> = { default: 0, user: 1, session: 2, project: 0 };
const FINAL = 3;
/** Bytes of a name by whose beginning or end globs are found: as a number, for which no string has to be made. */
const KEY = 2;

export class RuleIndex {
  readonly #exact = new Map<BytePath, Ranked>();
  /** Globs that are for names in one directory alone, by that. */
  readonly #inDirectory = new Map<BytePath, Ranked[]>();
  /** Others by how the last component of what they match ends or, where that is open, begins; each list strongest first. */
  readonly #byEnd = new Map<number, Ranked[]>();
  readonly #byStart = new Map<number, Ranked[]>();
  /** Those that say nothing of any. */
  readonly #others: Ranked[] = [];

  /** `rules` in the order in which a later one of the same layer beats an earlier one. */
  constructor(rules: readonly Rule[]) {
    const ranked = rules.map((rule, line) => ({ rule, rank: rankOf(rule, line) })).sort((a, b) => b.rank - a.rank);
    for (const one of ranked) {
      const { path, start, end } = one.rule.pattern;
      const directory = onlyDirectory(one.rule.pattern);
      if (path !== undefined) this.#exact.set(path, this.#exact.get(path) ?? one);
      else if (directory !== undefined) appendTo(this.#inDirectory, directory, one);
      else if (end.length >= KEY) appendTo(this.#byEnd, endOf(end), one);
      else if (start.length >= KEY) appendTo(this.#byStart, startOf(start), one);
      else this.#others.push(one);
    }
  }

  /** The strongest rule that matches the path itself, which is that of `name` in `dir`. */
  own(path: BytePath, { dir, name }: { readonly dir: BytePath; readonly name: Name }): Rule | undefined {
    let best = this.#exact.get(path);
    if (this.#inDirectory.size > 0) best = strongest(this.#inDirectory.get(dir), { path, name, best });
    if (this.#byEnd.size > 0) best = strongest(this.#byEnd.get(endOf(name)), { path, name, best });
    if (this.#byStart.size > 0) best = strongest(this.#byStart.get(startOf(name)), { path, name, best });
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

/** The first KEY bytes; what a shorter name gives may be another's, which `matches` finds out. */
function startOf(name: string): number {
  return (name.charCodeAt(0) << 8) | name.charCodeAt(1);
}

/** The last KEY bytes. */
function endOf(name: string): number {
  return (name.charCodeAt(name.length - 2) << 8) | name.charCodeAt(name.length - 1);
}

/** What is final, then layer, then exactness, then line. */
function rankOf({ pattern, decider, isFinal }: Rule, line: number): number {
  const exactness = pattern.path === undefined ? 0 : 1;
  return ((isFinal ? FINAL : LAYERS[decider.layer]) * 2 + exactness) * 2 ** 32 + line;
}
