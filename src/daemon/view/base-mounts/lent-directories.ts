/**
 * The FUSE thread's side of base mounts: which of them may be there, and which have to go since rules have changed, another tree is shown
 * or something was mounted on the host.
 */
import type { Identities } from '../../../rules/identities.ts';
import type { Judge } from '../../../rules/judge.ts';
import { rulesFor } from '../../../rules/revoke.ts';
import { type Rule, Rules } from '../../../rules/rules.ts';
import { answerOf } from '../../../rules/states.ts';
import type { BaseTree } from '../../../staging/base-tree.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import type { NodePaths } from '../../../staging/names/node-paths.ts';
import { type BytePath, type Ino, isWithin } from '../../../sys/bytes.ts';
import type { Plain } from './survey.ts';

/** The base, and what rules say of it. */
export interface RuledBase {
  readonly judge: Judge;
  readonly identities: Identities;
  readonly nodePaths: NodePaths;
  readonly base: Pick<BaseTree, 'numberOf'>;
}

interface Lent {
  readonly path: BytePath;
  /** The rules by which everything in it may be read. */
  readonly rules: string;
  /** Files that have names elsewhere. */
  readonly linked: readonly Ino[];
}

export class LentDirectories {
  readonly #ruled: RuledBase;
  readonly #lent = new Map<BytePath, Lent>();
  /** Those that have to go, but may have been mounted only after the kernel was told. */
  readonly #recalled = new Set<BytePath>();

  constructor(ruled: RuledBase) {
    this.#ruled = ruled;
  }

  /** By `rules` everything in `found` may be read: those that are to be mounted now. */
  lend(found: readonly Plain[], rules: readonly Rule[]): readonly BytePath[] {
    const surveyed = new Rules(rules);
    const { base } = this.#ruled;
    const all = found.map(({ path, linked }): Lent => {
      const numbers = linked.map(({ dev, ino }) => base.numberOf(dev, ino) as Ino);
      return { path, rules: rulesFor(surveyed, path), linked: numbers };
    });
    const fresh = all.filter((one) => !this.#lent.has(one.path) && this.#isSafe(one));
    for (const one of fresh) {
      this.#recalled.delete(one.path);
      this.#lent.set(one.path, one);
    }
    return fresh.map(({ path }) => path);
  }

  /** They are mounted now: what the kernel must forget of them, as they had to go meanwhile. */
  lentNow(): Invalidation[] {
    const found = [...this.#recalled].flatMap((path) => this.#nameOf(path));
    this.#recalled.clear();
    return found;
  }

  /** What the kernel must forget, so that they are mounted no more. */
  recall(): Invalidation[] {
    return this.#recall((one) => !this.#isSafe(one));
  }

  /** Something was mounted or unmounted on the host. */
  remounted(point: BytePath): Invalidation[] {
    return this.#recall(({ path }) => isWithin(point, path) || isWithin(path, point));
  }

  #recall(hasToGo: (one: Lent) => boolean): Invalidation[] {
    const going = [...this.#lent.values()].filter(hasToGo);
    for (const { path } of going) {
      this.#lent.delete(path);
      this.#recalled.add(path);
    }
    return going.flatMap(({ path }) => this.#nameOf(path));
  }

  #isSafe({ path, rules, linked }: Lent): boolean {
    const { judge, identities, nodePaths } = this.#ruled;
    if (rulesFor(judge.rules, path) !== rules || !nodePaths.isUntouched(path)) return false;
    return linked.every((ino) => answerOf(identities.stateOfIno(ino), 'read') === 'pass');
  }

  /** The kernel unmounts what lies on a name that it forgets, in every mount namespace. */
  #nameOf(path: BytePath): Invalidation[] {
    const [at] = this.#ruled.nodePaths.below(path);
    if (at?.view !== path || at.parent === 0) return [];
    return [{ kind: 'entry', parent: at.parent, name: at.name }];
  }
}
