/** Every key of the page: what `?` shows is what is in force. */

import type { Decision, Target } from '../../protocol.ts';
import { decideFocusedLine } from '../diff/line-choice.tsx';
import { entriesBelow } from '../list/directories.ts';
import { openNow, step } from '../list/rows.ts';
import { change, goTo, goToTab } from '../state/place.ts';
import { decide } from '../state/session.ts';
import { current, update } from '../state/store.ts';
import { focusedHunk, focusHunk, focusLine } from './focus.ts';

export interface Key {
  /** As `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  readonly shown: string;
  readonly does: string;
  /** False: there was nothing to do, and the browser may do what it does at this key. */
  readonly act: () => unknown;
}

export interface Keys {
  readonly title: string;
  readonly keys: readonly Key[];
}

const DECIDING: readonly (readonly [key: string, decision: Decision, word: string])[] = [
  ['t', 'take', 'take'],
  ['l', 'leave', 'leave'],
  ['x', 'reject', 'reject'],
];

export const KEYS: readonly Keys[] = [
  {
    title: 'Go',
    keys: [
      key('j', 'the next file', () => step(1, true)),
      key('k', 'the file before', () => step(-1, true)),
      key('n', 'the next hunk', () => focusHunk(1)),
      key('p', 'the hunk before', () => focusHunk(-1)),
      { keys: ['ArrowDown'], shown: '↓', does: 'in a hunk: the next changed line', act: () => focusLine(1) },
      { keys: ['ArrowUp'], shown: '↑', does: 'in a hunk: the changed line before', act: () => focusLine(-1) },
      key('/', 'search', () => focusOn('#search')),
      key('f', 'the list of files', () => focusOn('.list')),
      key('Escape', 'back to the list', leave),
      ...(['changes', 'timeline', 'questions', 'sessions'] as const).map((tab, index) =>
        key(`${index + 1}`, tab, () => goToTab(tab)),
      ),
    ],
  },
  {
    title: 'Decide',
    keys: [
      ...DECIDING.map(([letter, decision, word]) =>
        key(letter, `${word} the line, the hunk, or else the file in which you are`, () => decideHere(decision)),
      ),
      ...DECIDING.map(([letter, decision, word]) =>
        key(letter.toUpperCase(), `${word} all that is open`, () => decideOpen(decision)),
      ),
      key('m', 'a note to the agent, on the line or the file', note),
      key('c', 'show the plan, then commit', () => update({ dialog: 'commit' })),
      key('a', 'throw away what was rejected', () => update({ dialog: 'abort' })),
      key('u', 'undo the last commit or abort', () => update({ dialog: 'undo' })),
    ],
  },
  {
    title: 'Show',
    keys: [
      key('s', 'side by side, or one below the other', () => change({ split: !current().settings.split })),
      key('i', 'ignore white space, or not', () => change({ ignoreSpace: !current().settings.ignoreSpace })),
      key('w', 'wrap long lines, or not', () => change({ wrap: !current().settings.wrap })),
      key('b', 'which command wrote each line', () => change({ blame: !current().settings.blame })),
      key('v', 'a new file beside the deleted one that it is like, or whole', () =>
        change({ similar: !current().settings.similar }),
      ),
      key('h', 'who wrote this file', () => press('#history')),
      key('d', 'directories, or whole paths', () => change({ flat: !current().settings.flat })),
      key('?', 'these keys', () => update({ dialog: 'help' })),
    ],
  },
];

function key(name: string, does: string, act: Key['act']): Key {
  return { keys: [name], shown: name === 'Escape' ? 'Esc' : name, does, act };
}

function focusOn(selector: string): void {
  if (current().place.tab !== 'changes') goTo({ tab: 'changes' });
  document.querySelector<HTMLElement>(selector)?.focus();
}

function press(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

function note(): void {
  const line = document.activeElement?.closest('.half') ?? document.activeElement?.closest('.line');
  const button = line?.querySelector<HTMLElement>('button.number');
  if (button === undefined || button === null) press('#note');
  else button.click();
}

function leave(): void {
  const { place } = current();
  if (focusedHunk() !== undefined) focusOn('.list');
  else if (place.tab !== 'changes' || place.open !== undefined) goTo({ tab: 'changes' });
}

function decideHere(decision: Decision): void {
  if (decideFocusedLine(decision)) return;
  const [open, hunk] = [openNow(), focusedHunk()];
  if (open?.kind === 'entry' && hunk !== undefined) void decide([{ id: open.id, keys: [hunk] }], decision);
  else decideOpen(decision);
}

function decideOpen(decision: Decision): void {
  const open = openNow();
  if (open === undefined) return;
  const targets = ((): readonly Target[] => {
    if (open.kind === 'entry') return [{ id: open.id }];
    return open.kind === 'group' ? [{ group: open.name }] : entriesBelow(open).map(({ id }) => ({ id }));
  })();
  void decide(targets, decision);
}
