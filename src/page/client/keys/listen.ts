/** Hears every key that nothing else takes. */
import { current } from '../state/store.ts';
import { KEYS } from './keys.ts';

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (current().dialog !== undefined || current().review === undefined) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    const found = KEYS.flatMap(({ keys }) => keys).find(({ keys }) => keys.includes(event.key));
    if (found !== undefined && found.act() !== false) event.preventDefault();
  });
}
