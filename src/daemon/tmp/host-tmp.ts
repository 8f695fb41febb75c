/**
 * Files of the person's in the host's /tmp, which the view does not see, as it has a /tmp of its own: of those that a rule of the person's
 * names, and opens, the view gets a copy under the same name, and another one when such a file is new. What else lies there (of other
 * agents, too) stays out of sight; what the view has under that name already stays, and the real file is never changed.
 */
import { matches, type Pattern } from '../../rules/pattern/pattern.ts';
import { type Rule, Rules } from '../../rules/rules.ts';
import { answerOf } from '../../rules/states.ts';
import { type BytePath, isWithin, join, label, type Name, toBytePath, toBytes } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { type Copied, copyIn } from '../../sys/files/copy-in.ts';
import { namesIn, realPath } from '../../sys/files/text-files.ts';
import { log } from '../../sys/log.ts';

const EVERY_MS = 1000;
/** Of a file: a screenshot, a log, a patch. */
export const LARGEST = 64 * 2 ** 20;
/** Files; what a glob names beyond that is not copied. */
const MOST = 200;

export class HostTmp {
  readonly #at = realPath('/tmp');
  readonly #dir: string | undefined;
  readonly #copied = new Map<string, Copied>();
  readonly #failed = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #rules = new Rules([]);
  #patterns: readonly Pattern[] = [];

  /** `dir`: where the host finds the view's own /tmp; undefined: it has none. */
  constructor(dir: string | undefined, rules: readonly Rule[]) {
    this.#dir = dir;
    this.#timer = setInterval(() => this.look(), EVERY_MS);
    this.#timer.unref();
    this.handle(rules);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Other rules count from now on; what was copied stays. */
  handle(rules: readonly Rule[]): void {
    this.#rules = new Rules(rules);
    const at = toBytePath(this.#at ?? '/tmp');
    this.#patterns = rules
      .filter(({ pattern, decider: { layer } }) => /^(?:user|session)$/.test(layer) && isWithin(pattern.under, at))
      .map(({ pattern }) => pattern)
      // What links lead to has rules, too, and perhaps somebody else has made the link.
      .filter(({ path, text }) => path === undefined || path === toBytes(text));
    this.look();
  }

  /** Copies what is new by now. */
  look(): void {
    const [at, dir] = [this.#at, this.#dir];
    if (at === undefined || dir === undefined || this.#patterns.length === 0) return;
    const isShown = (name: string): boolean => this.#isOpen(join(toBytePath(at), toBytes(name) as Name));
    this.#unlessRefused('what is there', () => {
      for (const name of namesIn(at).filter(isShown).slice(0, MOST)) {
        this.#unlessRefused(label(toBytes(name)), () => {
          const copied = copyIn({ from: `${at}/${name}`, dir, name, most: LARGEST }, this.#copied.get(name));
          if (copied !== undefined) this.#copied.set(name, copied);
        });
      }
    });
  }

  /** What the system refuses is told once: this is done again each second, and nobody waits for it. */
  #unlessRefused(what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (!this.#failed.has(what)) log(`${what} of the host's /tmp is not shown: ${error.message}`);
      this.#failed.add(what);
    }
  }

  /** Whether a rule of the person's is for it, and it may be read without a question. */
  #isOpen(path: BytePath): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1) as Name;
    if (!this.#patterns.some((pattern) => matches(pattern, path, name))) return false;
    return answerOf(this.#rules.stateOf(path), 'read') === 'pass';
  }
}
