/** The screen as lines: the list beside the file, or above it where the terminal is narrow. Only what is visible is made. */
import type { Said } from '../../../review/pick/decisions.ts';
import type { Paint } from '../../text/terminal.ts';
import { cut, cutStart, pad, wrappedAtWords } from './cells.ts';
import type { PageLine } from './page.ts';
import type { Row } from './rows.ts';
import type { ReviewScreen } from './screen.ts';

export interface Brush extends Paint {
  /** Where the person is. */
  reverse(text: string): string;
  /** Goes to a column, from 1, whatever the terminal takes for the width of what is before it. */
  column(number: number): string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const NARROW = 80;
const MARKS: Readonly<Record<Said | 'mixed', string>> = { take: '[+]', reject: '[-]', leave: '[.]', mixed: '[~]' };
const KEYS = [
  't take  l leave  r reject  n next hunk  c commit  ? keys  q quit',
  't take l leave r reject c commit ? keys',
];
const KEYS_OF = {
  plan: 'y  do this   q  go back',
  overlay: 'any key  go back',
  leaving: 'not done yet: q leave  c plan  else stay',
};
const MORE = '   j  more';

/** As many lines as there are rows. */
export function draw(screen: ReviewScreen, { columns, rows }: Size, brush: Brush): string[] {
  const body = Math.max(1, rows - 2);
  const lines = isOverlay(screen)
    ? overlayLines(screen, columns, body)
    : bodyLines(screen, { columns, rows: body }, brush);
  const all = [brush.bold(cut(titleText(screen), columns)), ...lines.slice(0, body)];
  while (all.length < rows - 1) all.push('');
  return [...all, footLine(screen, columns, brush)].slice(0, rows);
}

function isOverlay({ mode }: ReviewScreen): boolean {
  return mode === 'overlay' || mode === 'plan';
}

function titleText(screen: ReviewScreen): string {
  const { take, reject, leave, mixed, open } = screen.tally;
  const counts = { open, taken: take, rejected: reject, 'in part': mixed, left: leave };
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return `yolofs review  ${parts.map(([name, count]) => `${count} ${name}`).join(', ')}`;
}

function footLine(screen: ReviewScreen, columns: number, brush: Brush): string {
  const { mode, typed, message } = screen;
  if (mode === 'search') return cut(`/${typed}`, columns);
  if (mode !== 'browse') return brush.bold(cut(`${KEYS_OF[mode]}${hasMore(screen) ? MORE : ''}`, columns));
  if (message !== '') return brush.bold(cut(message, columns));
  return brush.dim(cut(KEYS.find(({ length }) => length <= columns) ?? KEYS[1] ?? '', columns));
}

/** Of what is shown in place of all. */
function hasMore({ mode, overlayScroll, room }: ReviewScreen): boolean {
  return mode !== 'leaving' && overlayScroll + room.overlay < room.overlayLines;
}

function overlayLines(screen: ReviewScreen, columns: number, rows: number): string[] {
  const lines = screen.overlay.flatMap((line) => wrappedAtWords(line, columns));
  Object.assign(screen.room, { overlay: rows, overlayLines: lines.length });
  return lines.slice(screen.overlayScroll, screen.overlayScroll + rows);
}

function bodyLines(screen: ReviewScreen, { columns, rows }: Size, brush: Brush): string[] {
  if (screen.rows.length === 0) return ['', 'nothing is staged'];
  if (columns < NARROW) {
    const list = Math.max(2, Math.min(screen.rows.length, Math.floor(rows / 3)));
    const page = Math.max(1, rows - list - 1);
    return [
      ...listLines(screen, { columns, rows: list }, brush),
      brush.dim('─'.repeat(columns)),
      ...pageLines(screen, { columns, rows: page }, brush),
    ];
  }
  const left = Math.max(28, Math.min(56, Math.floor(columns * 0.38)));
  const list = listLines(screen, { columns: left, rows }, brush);
  const page = pageLines(screen, { columns: columns - left - 2, rows }, brush);
  return Array.from({ length: rows }, (_, index) => {
    const beside = `${list[index] ?? ' '.repeat(left)}${brush.column(left + 1)}${brush.dim('│')} ${page[index] ?? ''}`;
    return beside.trimEnd();
  });
}

/** The rows around the one that the person is at, each as wide as there is room. */
function listLines(screen: ReviewScreen, { columns, rows }: Size, brush: Brush): string[] {
  screen.room.list = rows;
  const last = Math.max(0, screen.rows.length - rows);
  const top = Math.max(0, Math.min(last, screen.at - Math.floor(rows / 2)));
  return screen.rows.slice(top, top + rows).map((row, index) => {
    const isHere = top + index === screen.at;
    const text = pad(rowText(screen, row, columns - 1), columns - 1);
    const line = `${isHere ? '>' : ' '}${text}`;
    if (isHere && screen.focus === 'list') return brush.reverse(line);
    return row.item === undefined || isHere ? brush.bold(line) : colourOf(screen, row, brush)(line);
  });
}

function rowText(screen: ReviewScreen, { item, group, text }: Row, room: number): string {
  const states = (item === undefined ? group.items : [item]).map((one) => screen.decisions.stateOf(one));
  const state = new Set(states).size === 1 ? states[0] : 'mixed';
  const mark = state === undefined ? '[ ]' : MARKS[state];
  if (item === undefined) return `${mark} ${cut(text, room - 4)}`;
  const isPath = item.group === 'project' || item.group === 'outside';
  if (!isPath) return `  ${mark} ${cut(text, room - 6)}`;
  return `  ${mark} ${text.slice(0, 2)}${cutStart(text.slice(2), room - 8)}`;
}

function colourOf(screen: ReviewScreen, { item }: Row, brush: Brush): (text: string) => string {
  const state = item === undefined ? undefined : screen.decisions.stateOf(item);
  if (state === undefined) return (text) => text;
  return { take: brush.green, reject: brush.red, leave: brush.dim, mixed: brush.yellow }[state];
}

function pageLines(screen: ReviewScreen, { columns, rows }: Size, brush: Brush): string[] {
  screen.room.page = rows;
  screen.width = columns;
  const { row, item, page, scroll } = screen;
  if (item === undefined)
    return row === undefined
      ? []
      : [brush.bold(cut(row.text, columns)), cut('t, l, r decide what is open of it', columns)];
  return page.slice(scroll, scroll + rows).map((line) => pageLine(screen, line, brush));
}

function pageLine(screen: ReviewScreen, { tone, text, unit }: PageLine, brush: Brush): string {
  if (tone !== 'unit' || unit === undefined || screen.item === undefined) return toneOf(tone, brush)(text);
  const found = screen.units[unit];
  const said = found === undefined ? undefined : screen.saidOf(screen.item, found);
  const isHere = unit === screen.unit && screen.focus === 'file';
  const line = `${isHere ? '>' : ' '}${said === undefined ? '[ ]' : MARKS[said]} ${text}`;
  return isHere ? brush.reverse(line) : brush.cyan(line);
}

function toneOf(tone: PageLine['tone'], brush: Brush): (text: string) => string {
  const tones = { title: brush.bold, warning: brush.red, dim: brush.dim, added: brush.green, removed: brush.red };
  return tone in tones ? tones[tone as keyof typeof tones] : (text) => text;
}
