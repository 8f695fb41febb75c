/**
 * The ways in which a whole override tree gives way while processes go on using the view: it became the base's
 * (commit), or another one is shown (travel; abort: an empty one).
 */
import type { Core } from './core.ts';
import { Departed } from './graft/departed.ts';
import { graft, type Shown } from './graft/graft.ts';
import { restage } from './graft/restage.ts';
import type { OverrideTree } from './override-tree.ts';
import { becomeBase, type PlacedObjects } from './rebase.ts';
import { type Committed, type Prints, settlePart } from './settle.ts';

export class Turnover {
  readonly #core: Core;
  readonly #departed = new Departed();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Every name the view has is the base's own. */
  becomeBase(placed: PlacedObjects): void {
    const { tree, base, resolver } = this.#core;
    this.#departed.forget();
    becomeBase(tree, { base, resolver, placed });
  }

  /** A part of what the view has is the base's own. */
  settle(committed: Committed, prints: Prints): void {
    const { tree, base, resolver } = this.#core;
    this.#departed.forget();
    settlePart(tree, committed, { base, resolver, prints });
  }

  /** As `show`, when a commit was taken back: the base changed, and the view is to stay as it is. */
  restage(target: OverrideTree): Shown {
    const { tree, base, resolver, parts } = this.#core;
    base.shed();
    this.#departed.forget();
    const links = new Map(tree.linked);
    resolver.forgetLinkKeys();
    restage(tree, target, { files: parts.files, links });
    return this.show(target);
  }

  /** The view shows `target`, which is used up. */
  show(target: OverrideTree): Shown {
    const { tree, resolver, parts } = this.#core;
    const statOf = this.#core.statOf.bind(this.#core);
    return graft({ tree, resolver, files: parts.files, departed: this.#departed, statOf }, target);
  }
}
