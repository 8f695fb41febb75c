/** What happens outside while the view is served: files that change, file systems that are mounted. Lives in the FUSE thread. */
import type { HostTree } from '../../staging/host-tree.ts';
import type { SearchedDirectories } from '../../staging/inode-table.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { Overlay } from '../../staging/overlay.ts';
import type { BaseWatch } from '../../staging/watch/base-watch.ts';
import { MountWatch } from '../../staging/watch/mount-watch.ts';
import { type BytePath, join, ROOT, splitPath } from '../../sys/bytes.ts';
import type { OrderMessage, Orders } from '../orders/orders.ts';

type HostOrder = Extract<OrderMessage, { name: 'lookOutside' | 'echo' | 'echoed' }>;

export class HostEvents {
  readonly mounts = new MountWatch();
  /** What else the kernel must forget when something was mounted or unmounted there. */
  onRemounted: (point: BytePath) => Invalidation[] = () => [];
  readonly #overlay: Overlay;
  readonly #base: HostTree;
  readonly #watch: BaseWatch;
  /** Where this session's view is about to be mounted, or is. */
  #own: BytePath | undefined;

  constructor(overlay: Overlay, base: HostTree, watch: BaseWatch) {
    this.#overlay = overlay;
    this.#base = base;
    this.#watch = watch;
    this.#hideViews();
  }

  /** Orders about what the host has changed: the kernel is told of it before each of their answers. */
  carryOut(
    order: HostOrder,
    tellChanges: (invalidations: readonly Invalidation[]) => void,
  ): Orders[HostOrder['name']]['answer'] {
    const { content, outside } = this.#overlay;
    const returned = order.name === 'echo' ? content.returns.take() : [];
    tellChanges([...returned, ...this.drainWatch(), ...outside.echoes.overtaken()]);
    switch (order.name) {
      case 'lookOutside':
        return null;
      case 'echo':
        return { steps: outside.echoes.take(order.ask.watched), more: outside.echoes.areNoted };
      case 'echoed':
        return { invalidations: outside.echoes.close(), more: outside.echoes.areNoted };
    }
  }

  /** This session's view is about to be mounted there, or no more. */
  mountsAt(point: BytePath | undefined): Invalidation[] {
    const at = splitPath(point ?? this.#own ?? ROOT);
    this.#own = point;
    this.#hideViews();
    return at === undefined ? [] : this.#overlay.outside.changed(at, 'remounted');
  }

  /** What the kernel must forget because the base changed; what happened to these files is no change of them. */
  drainWatch(except?: ReadonlySet<BytePath>): Invalidation[] {
    const { outside } = this.#overlay;
    const found: Invalidation[] = [];
    const searched: SearchedDirectories = {};
    this.#watch.drain({
      changed: (dir, name, what) => {
        if (name === undefined) this.#base.unwatched(dir);
        else if (except?.has(join(dir, name))) return;
        found.push(...outside.changed({ dir, name }, what, searched));
      },
      overflow: () => found.push(...this.#changedAnywhere()),
    });
    found.push(...outside.originals.moved());
    return found;
  }

  /** What the kernel must forget because something was mounted or unmounted. */
  drainMounts(): Invalidation[] {
    const { outside } = this.#overlay;
    const points = this.mounts.drain();
    this.#hideViews();
    return points.flatMap((point) => {
      this.#base.remounted(point);
      this.#watch.remounted(point);
      const at = splitPath(point);
      const found = at === undefined ? outside.overflow() : outside.changed(at, 'remounted');
      return [...this.onRemounted(point), ...found];
    });
  }

  #hideViews(): void {
    this.#base.hideViews(this.#own === undefined ? this.mounts.views : new Set([...this.mounts.views, this.#own]));
  }

  /** Also which directories have moved is not known: nothing that is remembered by path holds. */
  #changedAnywhere(): Invalidation[] {
    this.#base.remounted(ROOT);
    this.#watch.remounted(ROOT);
    return this.#overlay.outside.overflow();
  }
}
