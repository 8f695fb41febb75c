/** Numbers, sizes and kinds as words. */
import type { ChangeKind, Choice, Decision, GroupName, ShownEntry } from '../../protocol.ts';

export const GROUP_NAMES: Readonly<Record<GroupName, string>> = {
  project: 'Your project',
  outside: 'Outside of the project',
  git: "Git's own files",
  agent: "The agent's own state",
  cache: 'Caches and logs',
  ignored: 'What git ignores',
};

/** What is folded is closed at first, what is not is open. */
export function isOpenAtFirst(name: GroupName): boolean {
  return name === 'project' || name === 'outside';
}

/** What a change is, in a letter and a word. */
export const CHANGES: Readonly<Record<ChangeKind, readonly [sign: string, word: string]>> = {
  added: ['A', 'added'],
  modified: ['M', 'modified'],
  deleted: ['D', 'deleted'],
  renamed: ['R', 'renamed'],
  metadata: ['P', 'only permissions or attributes'],
};

/** What was decided, by a sign and a word: never by colour alone. */
export const CHOICES: Readonly<Record<Choice, readonly [sign: string, word: string]>> = {
  take: ['✓', 'taken'],
  leave: ['○', 'left staged'],
  reject: ['✗', 'rejected'],
  mixed: ['◐', 'decided in part'],
};

export const DECISIONS: readonly { readonly decision: Decision; readonly label: string; readonly sign: string }[] = [
  { decision: 'take', label: 'Take', sign: '✓' },
  { decision: 'leave', label: 'Leave', sign: '○' },
  { decision: 'reject', label: 'Reject', sign: '✗' },
];

export function count(number: number, one: string, more = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : more}`;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

export function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** What came and what went, where that is known. */
export function amountOf({ added, removed, size: bytes }: ShownEntry): string {
  if (added !== undefined || removed !== undefined) return `+${added ?? 0} −${removed ?? 0}`;
  return bytes === undefined ? '' : size(bytes);
}

/** Of today the time alone. */
export function when(time: string): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return isToday ? clock : `${date.toLocaleDateString('en-CA')} ${clock}`;
}
