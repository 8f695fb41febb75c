/**
 * The rules of a session, and what they say of a path. Pure.
 *
 *     trusted: defaults < the user's file < the session's own     project: .yolofs.toml
 *         nearest rule that matches the path or an ancestor           likewise
 *                          \                                         /
 *                           the stricter of both, read and write apart
 *
 * And `.yolofs` is hidden wherever it is, and so is what a rule hides that is `final`, whatever rules say: sessions, also those of other
 * projects, are no business of what runs in one.
 *
 * Among trusted rules that match at the same depth a later layer beats an earlier one, then an exact path beats a glob,
 * then the later line wins. The project's rules come from a repository: they can only take away.
 */
import { SESSION_DIR } from '../history/layout.ts';
import { type BytePath, isWithin, type Name, ROOT, splitPath } from '../sys/bytes.ts';
import type { Decider } from './asker.ts';
import { exactPattern, mayMatchBelow, mayMatchName, type Pattern, reachesOnly } from './pattern/pattern.ts';
import type { Rule } from './pattern/rule.ts';
import { RuleIndex } from './rule-index.ts';
import { type NameSet, RuleNames } from './rule-names.ts';
import { isAtLeastAsStrict, isClosed, needsOpen, type State, strictest } from './states.ts';

export type { Rule } from './pattern/rule.ts';

/** The nearest rule of each side. */
interface Nearest {
  readonly trusted: Rule;
  readonly project: Rule | undefined;
}

export interface Explanation {
  readonly state: State;
  /** The rule that decides. */
  readonly rule: Decider;
  /** What the project's file says and may not: it would be laxer. */
  readonly ignored: Decider | undefined;
}

/** What lies in a `.yolofs`. */
const SESSIONS: Nearest = {
  trusted: {
    isFinal: true,
    pattern: exactPattern(ROOT, `**/${SESSION_DIR}`),
    decider: { state: 'hidden', pattern: `**/${SESSION_DIR}`, layer: 'default' },
  },
  project: undefined,
};

/** Where no rule says anything. */
const NO_RULE: Rule = {
  pattern: exactPattern(ROOT, '/'),
  decider: { state: 'allow', pattern: '/', layer: 'default' },
};

const MOST_CACHED = 20_000;

export class Rules {
  /** In order: defaults, the user's, the session's, the project's; within a file as written. */
  readonly all: readonly Rule[];
  /** Whether anything can be hidden. */
  readonly hides: boolean;
  /** Whether anything can be denied. */
  readonly denies: boolean;
  /** Whether either. */
  readonly closes: boolean;
  readonly #trusted: RuleIndex;
  readonly #project: RuleIndex;
  readonly #names: RuleNames;
  readonly #directories = new Map<BytePath, Nearest>();
  #forBorn: Rules | undefined;
  /** A lookup asks for its name, and the node that it finds once more for the same path. */
  #latest: { readonly path: BytePath; readonly state: State } | undefined;

  constructor(all: readonly Rule[]) {
    this.all = all;
    this.denies = all.some(({ decider }) => decider.state === 'deny');
    this.hides = all.some(({ decider }) => decider.state === 'hidden');
    this.closes = this.denies || this.hides;
    this.#names = new RuleNames(all);
    this.#trusted = new RuleIndex(all.filter(({ decider }) => decider.layer !== 'project'));
    this.#project = new RuleIndex(all.filter(({ decider }) => decider.layer === 'project'));
  }

  /** The rules for what was born in the view, and holds nothing but what was put there. */
  get forBorn(): Rules {
    this.#forBorn ??= this.all.some(({ isOfBase }) => isOfBase)
      ? new Rules(this.all.filter(({ isOfBase }) => !isOfBase))
      : this;
    return this.#forBorn;
  }

  stateOf(path: BytePath): State {
    if (this.#latest?.path === path) return this.#latest.state;
    const state = this.#find(path);
    this.#latest = { path, state };
    return state;
  }

  /** Of a name: of what the base has not under it, but elsewhere (`baseOf`) or not at all, another rule may decide (`forBorn`). */
  stateOfName(path: BytePath, baseOf: () => BytePath | undefined): State {
    const said = this.stateOf(path);
    const own = isClosed(said) ? this.forBorn.stateOf(path) : said;
    if (own === said) return said;
    const base = baseOf();
    const original = base === undefined ? own : this.stateOf(base);
    return isClosed(original) ? strictest(own, original) : own;
  }

  #find(path: BytePath): State {
    const at = splitPath(path);
    // What most files have is what their directory has.
    const { trusted, project } = at === undefined ? this.#nearestOfDirectory(path) : this.#nearest(path, at);
    return project === undefined ? trusted.decider.state : strictest(trusted.decider.state, project.decider.state);
  }

  /** Which names in `dir` rules may be for themselves; the state of all others is that of `dir`. */
  namesIn(dir: BytePath): NameSet {
    return this.#names.of(dir);
  }

  explain(path: BytePath): Explanation {
    const { trusted, project } = this.#nearestOfDirectory(path);
    const base = trusted.decider.state;
    if (project === undefined) return { state: base, rule: trusted.decider, ignored: undefined };
    const state = strictest(base, project.decider.state);
    if (state === base) {
      return { state, rule: trusted.decider, ignored: base === project.decider.state ? undefined : project.decider };
    }
    return { state, rule: project.decider, ignored: undefined };
  }

  /** What trusted rules alone say: what the project's file is measured by. */
  trustedStateOf(path: BytePath): State {
    return this.#nearestOfDirectory(path).trusted.decider.state;
  }

  /** Whether rules hide what is called so, in whatever directory; what is built in is no secret. */
  hidesSomewhere(name: Name): boolean {
    const isFor = (pattern: Pattern): boolean => {
      if (pattern.path !== undefined) return splitPath(pattern.path)?.name === name;
      return pattern.last !== undefined && mayMatchName(pattern, name);
    };
    return this.all.some(
      ({ pattern, decider: { state, layer } }) => state === 'hidden' && layer !== 'default' && isFor(pattern),
    );
  }

  /** Whether any file at or below `path` may be in a state that each open(2) has to be asked about. */
  needsOpenBelow(path: BytePath): boolean {
    if (needsOpen(this.stateOf(path))) return true;
    return this.all.some(({ pattern, decider }) => needsOpen(decider.state) && mayMatchBelow(pattern, path));
  }

  /** Whether something below `path` may be written freely, so that an empty directory there is only the way to it. */
  leadsToAllowed(path: BytePath): boolean {
    return this.all.some(({ pattern, decider }) => {
      if (decider.state !== 'allow' || decider.layer === 'project' || !isWithin(pattern.under, path)) return false;
      return pattern.path === undefined || (pattern.path !== path && this.stateOf(pattern.path) === 'allow');
    });
  }

  /** Whether a directory may go from one place to another without anything below it getting a laxer state by that. */
  mayMove(from: BytePath, to: BytePath): boolean {
    const onlyThere = this.#onlyBelow(to, from);
    const isOvertaken = ({ state }: Decider): boolean =>
      onlyThere.some(({ decider }) => !isAtLeastAsStrict(decider.state, state));
    return this.all.every((rule) => {
      const { pattern, decider } = rule;
      if (decider.state === 'allow') return true;
      if (pattern.path === undefined) {
        return !reachesOnly(pattern, from, to) && !isOvertaken(decider);
      }
      if (!mayMatchBelow(pattern, from) || this.#sideOf(pattern.path, decider) !== rule) return true;
      const there = this.#sideOf(`${to}${pattern.path.slice(from.length)}` as BytePath, decider);
      const isStricter = isAtLeastAsStrict(there?.decider.state ?? 'allow', decider.state);
      return isStricter && !isOvertaken(decider);
    });
  }

  /** The nearest rule of the project's, or of the others: each side is to be as strict as before by itself. */
  #sideOf(path: BytePath, { layer }: Decider): Rule | undefined {
    const { trusted, project } = this.#nearestOfDirectory(path);
    return layer === 'project' ? project : trusted;
  }

  /** Rules for something below `to`, which are none for the like below `from`: one that is laxer could come first there. */
  #onlyBelow(to: BytePath, from: BytePath): readonly Rule[] {
    return this.all.filter(
      ({ pattern }) => (isWithin(pattern.under, to) && pattern.under !== to) || reachesOnly(pattern, to, from),
    );
  }

  #nearest(path: BytePath, at: { dir: BytePath; name: Name }): Nearest {
    if (at.name === SESSION_DIR) return SESSIONS;
    const trusted = this.#trusted.own(path, at);
    const project = this.#project.own(path, at);
    if (trusted === undefined && project === undefined) return this.#nearestOfDirectory(at.dir);
    if (trusted?.isFinal) return { trusted, project: undefined };
    const above = this.#nearestOfDirectory(at.dir);
    if (above.trusted.isFinal) return above;
    return { trusted: trusted ?? above.trusted, project: project ?? above.project };
  }

  #nearestOfDirectory(path: BytePath): Nearest {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const at = splitPath(path);
    const found = at === undefined ? this.#nearestOfRoot() : this.#nearest(path, at);
    if (this.#directories.size >= MOST_CACHED) this.#directories.clear();
    this.#directories.set(path, found);
    return found;
  }

  #nearestOfRoot(): Nearest {
    const at = { dir: ROOT, name: '' as Name };
    return { trusted: this.#trusted.own(ROOT, at) ?? NO_RULE, project: this.#project.own(ROOT, at) };
  }
}
