/** What the page knows, in one place; who shows a part of it is drawn anew when that part is another. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Choice, Failure, GroupName, ReviewReply, ShownEntry } from '../../protocol.ts';

/** What stands in the large part of the page. */
export type Place =
  | { readonly tab: 'changes'; readonly open?: Open }
  | { readonly tab: 'timeline'; readonly compare?: readonly [a: number, b: number] }
  | { readonly tab: 'questions' }
  | { readonly tab: 'sessions' };

/** Of the list: an entry, a group, or a directory with what is below it. */
export type Open =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'group'; readonly name: GroupName }
  | { readonly kind: 'directory'; readonly group: GroupName; readonly path: string };

export interface Settings {
  readonly split: boolean;
  readonly ignoreSpace: boolean;
  readonly wrap: boolean;
  readonly blame: boolean;
  readonly flat: boolean;
  /** Of an added file that is like a deleted one what differs from that, not all of it. */
  readonly similar: boolean;
}

export interface Filter {
  readonly text: string;
  readonly choice: 'all' | ShownEntry['choice'];
  readonly change: 'all' | ShownEntry['change'];
}

export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

/** What is told at the foot of the page until it is put away. */
export interface Message {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
  readonly details: readonly string[];
}

export type DialogName = 'help' | 'commit' | 'abort' | 'undo';

export interface State {
  readonly review?: ReviewReply;
  /** Those that are loaded, of each group in the order of the server. */
  readonly entries: ReadonlyMap<GroupName, readonly ShownEntry[]>;
  /** What was decided here since they were read. */
  readonly choices: ReadonlyMap<string, Choice>;
  readonly place: Place;
  readonly settings: Settings;
  readonly filter: Filter;
  /** Groups and directories of the list whose state is not the usual one. */
  readonly toggled: ReadonlySet<string>;
  readonly questions: number;
  readonly progress?: Progress | undefined;
  readonly messages: readonly Message[];
  readonly dialog?: DialogName | undefined;
  /** Nothing more can be asked: why. */
  readonly ended?: Failure;
  /** Whether there is room for two texts beside each other. */
  readonly isWide: boolean;
  /** Counts what may have changed beyond the version: a decision in another window, a question. */
  readonly round: number;
}

const START: State = {
  entries: new Map(),
  choices: new Map(),
  place: { tab: 'changes' },
  settings: { split: true, ignoreSpace: false, wrap: true, blame: false, flat: false, similar: true },
  filter: { text: '', choice: 'all', change: 'all' },
  toggled: new Set(),
  questions: 0,
  messages: [],
  isWide: true,
  round: 0,
};

/** What is decided of an entry by now. */
export function choiceOf({ id, choice }: ShownEntry, choices: State['choices']): Choice {
  return choices.get(id) ?? choice;
}

let state = START;
const listeners = new Set<() => void>();

export function current(): State {
  return state;
}

export function update(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** A part of the state; draws anew when it is another. */
export function usePart<T>(part: (state: State) => T): T {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const shown = useRef(part(state));
  shown.current = part(state);
  useEffect(() => {
    const listener = (): void => {
      if (!Object.is(part(state), shown.current)) draw(undefined);
    };
    listeners.add(listener);
    listener();
    return () => listeners.delete(listener);
  });
  return shown.current;
}
