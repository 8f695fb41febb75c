/**
 * What a rule can say of a path. Pure.
 *
 *     state        read     write     seen
 *     allow        yes      yes       yes
 *     read-only    yes      EACCES    yes
 *     ask-write    yes      ask       yes
 *     ask          ask      ask       yes
 *     deny         EACCES   EACCES    yes (stat works, the listing of a directory does not)
 *     hidden       ENOENT   ENOENT    no
 */

export const STATES = ['allow', 'read-only', 'ask-write', 'ask', 'ask-read', 'deny', 'hidden'] as const;
export type State = (typeof STATES)[number];

/** `write` is every change, of a file's content and attributes and of a directory's names. */
export type Access = 'read' | 'write';

/** What a state says to one kind of access. */
export type Answer = 'pass' | 'ask' | 'refuse' | 'absent';

const READ: Record<State, Answer> = {
  allow: 'pass',
  'read-only': 'pass',
  'ask-write': 'pass',
  ask: 'ask',
  'ask-read': 'ask',
  deny: 'refuse',
  hidden: 'absent',
};

const WRITE: Record<State, Answer> = {
  allow: 'pass',
  'read-only': 'refuse',
  'ask-write': 'ask',
  ask: 'ask',
  'ask-read': 'refuse',
  deny: 'refuse',
  hidden: 'absent',
};

export function answerOf(state: State, access: Access): Answer {
  return access === 'read' ? READ[state] : WRITE[state];
}

const STRICTNESS: Record<Answer, number> = { pass: 0, ask: 1, refuse: 2, absent: 3 };

/** Whether `state` gives neither kind of access more freely than `than`: there is no one order of states. */
export function isAtLeastAsStrict(state: State, than: State): boolean {
  return (['read', 'write'] as const).every(
    (access) => STRICTNESS[answerOf(state, access)] >= STRICTNESS[answerOf(than, access)],
  );
}

/** The mildest state that is at least as strict as both: each kind of access gets the stricter answer. */
export function strictest(a: State, b: State): State {
  if (isAtLeastAsStrict(a, b)) return a;
  if (isAtLeastAsStrict(b, a)) return b;
  // What is left are `ask` and `read-only`, each stricter in one kind of access.
  return 'ask-read';
}

/** Whether nobody may even read it, and nobody is asked. */
export function isClosed(state: State): boolean {
  return state === 'deny' || state === 'hidden';
}

/** Whether a file in this state can be opened or not only after each open(2) was looked at. */
export function needsOpen(state: State): boolean {
  return state !== 'allow' && state !== 'deny' && state !== 'hidden';
}

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}
