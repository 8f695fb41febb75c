/** Which rule an answer becomes that is to hold from now on. */
import type { Access, State } from '../states.ts';

const ALLOWED: Record<Access, Partial<Record<State, State>>> = {
  read: { ask: 'ask-write', 'ask-read': 'read-only' },
  write: { ask: 'allow', 'ask-write': 'allow' },
};

const DENIED: Record<Access, Partial<Record<State, State>>> = {
  read: {},
  write: { ask: 'ask-read', 'ask-write': 'read-only' },
};

/** Where `state` had to ask: the one that says the same to the next access of this kind, and asks about the other as before. */
export function lastingState(state: State, access: Access, allow: boolean): State {
  return (allow ? ALLOWED : DENIED)[access][state] ?? (allow ? 'allow' : 'deny');
}
