/** Which rule an answer becomes that is to hold from now on. */
import type { Access, State } from '../states.ts';

/**
 * The state that says the same to the next access of this kind, and about the other kind nothing laxer than `state`,
 * which had to ask. (Where reading is asked about, there is no state that refuses changes alone.)
 */
export function lastingState(state: State, access: Access, allow: boolean): State {
  if (allow) return access === 'write' ? 'allow' : 'ask-write';
  return access === 'write' && state === 'ask-write' ? 'read-only' : 'deny';
}
