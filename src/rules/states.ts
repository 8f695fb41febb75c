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

export const STATES = ['allow', 'read-only', 'ask-write', 'ask', 'deny', 'hidden'] as const;
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
  deny: 'refuse',
  hidden: 'absent',
};

const WRITE: Record<State, Answer> = {
  allow: 'pass',
  'read-only': 'refuse',
  'ask-write': 'ask',
  ask: 'ask',
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

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}
