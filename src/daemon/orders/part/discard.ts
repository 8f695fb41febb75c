/** What is thrown away of what a commit leaves staged, together with the commit: both count, or neither. */
import { dateContent } from '../../../history/timeline/checkpoint/checkpoint.ts';
import type { Checkpoint } from '../../../history/timeline/checkpoint/records.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import type { Shown } from '../../../staging/switch/switch-tree.ts';
import type { Gen } from '../../../sys/bytes.ts';
import type { LiveSession } from '../live-session.ts';
import type { HunkWish } from './chosen.ts';
import { withoutHunks } from './hunk-commit.ts';
import type { Following } from './part.ts';
import { abortCheckpoint, countGivenUp } from './selected.ts';

export class Discard implements Following {
  readonly #session: LiveSession;
  readonly #wishes: readonly HunkWish[];
  #left = new OverrideTree();
  #changes = 0;

  /** `wishes`: by their keys once the commit is done. */
  constructor(session: LiveSession, wishes: readonly HunkWish[]) {
    this.#session = session;
    this.#wishes = wishes;
  }

  /** How many changes are no more. */
  get changes(): number {
    return this.#changes;
  }

  /** Throws as `withoutHunks`. */
  checkpointOf(rest: OverrideTree): Checkpoint {
    const session = { ...this.#session, tree: rest };
    const { left, paths } = withoutHunks(session, this.#wishes);
    this.#changes = countGivenUp(session, left.tree);
    this.#left = left.tree;
    return abortCheckpoint(left.tree, paths, this.#session.history.generation);
  }

  /** Once the live tree is the rest, and all is recorded. */
  show(): Shown {
    const { history, overlay } = this.#session;
    dateContent(this.#left, (history.generation - 1) as Gen);
    return overlay.treeSwitch.show(this.#left);
  }
}
