/** Orders about what the host has changed: the kernel is told of it before each of their answers. */
import type { Invalidation } from '../../staging/invalidation.ts';
import type { LiveView } from '../live-view.ts';
import type { OrderMessage, Orders } from './orders.ts';

type HostOrder = Extract<OrderMessage, { name: 'lookOutside' | 'echo' | 'echoed' }>;

export function followHost(
  live: LiveView,
  order: HostOrder,
  tellChanges: (invalidations: readonly Invalidation[]) => void,
): Orders[HostOrder['name']]['answer'] {
  const { content, outside } = live.overlay;
  tellChanges(order.name === 'echo' ? [...content.returns.take(), ...live.drainWatch()] : live.drainWatch());
  switch (order.name) {
    case 'lookOutside':
      return null;
    case 'echo':
      return { steps: outside.echoes.take(order.ask.watched), more: outside.echoes.areNoted };
    case 'echoed':
      return { invalidations: outside.echoes.close() };
  }
}
