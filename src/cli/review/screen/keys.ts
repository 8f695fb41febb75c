/** What a key does on the full screen of a review. */
import type { Said } from '../../../review/pick/decisions.ts';
import type { Item } from '../../../review/pick/item.ts';
import type { ReviewScreen } from './screen.ts';

/** What whoever runs the screen has to do. */
export type Effect = 'plan' | 'apply' | 'undo' | 'reload' | 'quit';

export const HELP = `t  take     it goes to the real files with c
l  leave    you have seen it, and it stays staged
r  reject   c throws it away; u brings it back
   in the list for the file, or what is open of a group; in a file
   for the hunk; T L R: the whole file, or all of a group
space       take it, or take that back

j k         down and up (arrows, page keys, g and G, too)
n p         the next hunk, the one before it
enter esc   into the file, back to the list (tab, right, left)
s           split a hunk into smaller ones
/           search: paths in the list, text in a file; / and enter: on
c           shows the plan, and asks; nothing is written before
u           takes the last commit or abort back
ctrl+r      look again at what is staged
q           leave; what is staged stays staged

marks  [+] taken  [-] rejected  [.] left  [~] some of it  [ ] open
`.split('\n');

const SAID: Readonly<Record<string, Said>> = { t: 'take', l: 'leave', r: 'reject' };
const BACK = new Set(['q', 'escape', 'return', 'enter', '?', 'left', 'n', 'h']);

export function press(screen: ReviewScreen, key: string): Effect | undefined {
  if (key === 'ctrl+c') return 'quit';
  switch (screen.mode) {
    case 'search':
      return type(screen, key);
    case 'plan':
    case 'overlay':
      return inOverlay(screen, key);
    case 'leaving':
      screen.mode = 'browse';
      screen.message = '';
      return key === 'q' || key === 'y' ? 'quit' : key === 'c' ? 'plan' : undefined;
    case 'browse':
      screen.message = '';
      return move(screen, key) ? undefined : act(screen, key);
  }
}

function inOverlay(screen: ReviewScreen, key: string): Effect | undefined {
  const isPlan = screen.mode === 'plan';
  const last = Math.max(0, screen.room.overlayLines - screen.room.overlay);
  const by = { j: 1, down: 1, k: -1, up: -1, space: screen.room.overlay, pagedown: screen.room.overlay }[key];
  const back = key === 'pageup' ? -screen.room.overlay : by;
  if (back !== undefined) {
    screen.overlayScroll = Math.max(0, Math.min(last, screen.overlayScroll + back));
    return undefined;
  }
  if (isPlan ? key === 'y' || BACK.has(key) : true) screen.mode = 'browse';
  return isPlan && key === 'y' ? 'apply' : undefined;
}

function type(screen: ReviewScreen, key: string): undefined {
  if (key === 'escape') screen.mode = 'browse';
  else if (key === 'return' || key === 'enter') {
    screen.mode = 'browse';
    screen.searched = screen.typed === '' ? screen.searched : screen.typed;
    search(screen);
  } else if (key === 'backspace') screen.typed = [...screen.typed].slice(0, -1).join('');
  else if (key === 'space') screen.typed += ' ';
  else if ([...key].length === 1) screen.typed += key;
}

/** In the list by path, in a file by what is in it, each from here on and around. */
function search(screen: ReviewScreen): void {
  const { searched, rows, at, page, scroll, focus } = screen;
  const wanted = searched.toLowerCase();
  if (wanted === '') return;
  const all = focus === 'list' ? rows : page;
  const from = focus === 'list' ? at : scroll;
  const order = [...all.keys()].map((index) => (from + 1 + index) % all.length);
  const has = (index: number): boolean => all[index]?.text.toLowerCase().includes(wanted) === true;
  const found = order.find((index) => has(index) && (focus === 'file' || rows[index]?.item !== undefined));
  if (found === undefined) screen.message = `nothing has ${JSON.stringify(searched)} in it`;
  else if (focus === 'list') screen.goToRow(found);
  else {
    screen.scroll = found;
    screen.unit = page[found]?.unit ?? 0;
  }
}

/** Whether it was a key that goes somewhere. */
function move(screen: ReviewScreen, key: string): boolean {
  const { focus, room } = screen;
  const far = Math.max(1, (focus === 'list' ? room.list : room.page) - 1);
  const steps: Readonly<Record<string, number>> = {
    ...{ j: 1, down: 1, k: -1, up: -1 },
    ...{ pagedown: far, pageup: -far, 'ctrl+d': far, 'ctrl+u': -far, 'ctrl+f': far, 'ctrl+b': -far },
    ...{ g: Number.NEGATIVE_INFINITY, home: Number.NEGATIVE_INFINITY },
    ...{ G: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY },
  };
  const by = steps[key];
  if (by !== undefined) {
    if (focus === 'list') screen.goToRow(screen.at + by);
    else scrollBy(screen, by);
    return true;
  }
  if (key === 'n' || key === 'p') nextUnit(screen, key === 'n' ? 1 : -1);
  else if (key === 'return' || key === 'enter' || key === 'right') enterFile(screen);
  else if (key === 'tab' && focus === 'list') enterFile(screen);
  else if (key === 'escape' || key === 'left' || key === 'h' || key === 'tab') screen.focus = 'list';
  else return false;
  return true;
}

function enterFile(screen: ReviewScreen): void {
  if (screen.item === undefined) screen.goToRow(screen.at + 1);
  screen.focus = 'file';
}

/** The unit at the top is the one that is meant. */
function scrollBy(screen: ReviewScreen, by: number): void {
  const { page, room } = screen;
  screen.scroll = Math.max(0, Math.min(Math.max(0, page.length - room.page), screen.scroll + by));
  const visible = page.slice(screen.scroll, screen.scroll + room.page).map(({ unit }) => unit);
  if (visible.includes(screen.unit)) return;
  screen.unit = visible.find((unit) => unit !== undefined) ?? screen.unit;
}

/** Also on to the next file. */
function nextUnit(screen: ReviewScreen, by: 1 | -1): boolean {
  if (screen.focus === 'list' && by === 1 && screen.item !== undefined) {
    screen.focus = 'file';
    screen.goToUnit(0);
    return true;
  }
  screen.focus = 'file';
  const next = screen.unit + by;
  if (next >= 0 && next < screen.units.length) {
    screen.goToUnit(next);
    return true;
  }
  let row = screen.at + by;
  while (row >= 0 && row < screen.rows.length && screen.rows[row]?.item === undefined) row += by;
  if (row < 0 || row >= screen.rows.length) {
    screen.message = by === 1 ? 'that was the last one: c shows what would be done' : 'this is the first one';
    return false;
  }
  screen.goToRow(row);
  screen.goToUnit(by === 1 ? 0 : Math.max(0, screen.units.length - 1));
  return true;
}

function act(screen: ReviewScreen, key: string): Effect | undefined {
  const said = SAID[key.toLowerCase()];
  if (said !== undefined) decide(screen, said, key !== key.toLowerCase());
  switch (key) {
    case 'space':
      toggle(screen);
      return undefined;
    case 's':
      split(screen);
      return undefined;
    case '/':
      screen.mode = 'search';
      screen.typed = '';
      return undefined;
    case '?':
      screen.mode = 'overlay';
      screen.overlay = HELP;
      screen.overlayScroll = 0;
      return undefined;
    case 'c':
      if (screen.isDecided) return 'plan';
      screen.message = 'nothing is taken or rejected yet: t takes, r rejects';
      return undefined;
    case 'q':
      if (!screen.isDecided) return 'quit';
      screen.mode = 'leaving';
      return undefined;
    case 'u':
      return 'undo';
    case 'ctrl+r':
      return 'reload';
    default:
      if (said === undefined && key !== '') screen.message = '? shows the keys';
      return undefined;
  }
}

/** And goes on to the next. */
function decide(screen: ReviewScreen, said: Said, isWhole: boolean): void {
  const { row, item, focus } = screen;
  if (row === undefined) return;
  if (item === undefined) {
    decideGroup(screen, row.group.items, said, isWhole);
    return;
  }
  const unit = screen.units[screen.unit];
  if (focus === 'list' || isWhole || unit === undefined) {
    screen.say(item, said);
    const next = screen.rows.findIndex((one, index) => index > screen.at && one.item !== undefined);
    if (next >= 0) screen.goToRow(next);
    else screen.message = 'that was the last one: c shows what would be done';
  } else if (screen.sayOf(item, unit, said)) nextUnit(screen, 1);
  else screen.message = 'it is part of a move: take the new name first';
}

/** What was decided before stays, unless all of it was, or all is meant. */
function decideGroup(screen: ReviewScreen, items: readonly Item[], said: Said, isWhole: boolean): void {
  const open = items.filter((item) => screen.decisions.stateOf(item) === undefined);
  const isAll = isWhole || open.length === 0;
  for (const item of isAll ? items : open) screen.say(item, said);
  const kept = isAll ? 0 : items.length - open.length;
  const key = Object.entries(SAID)
    .find(([, word]) => word === said)?.[0]
    ?.toUpperCase();
  if (kept > 0) screen.message = `${kept} already decided; ${key} is for all`;
}

function toggle(screen: ReviewScreen): void {
  const { row, item, focus, decisions } = screen;
  const unit = screen.units[screen.unit];
  if (item !== undefined && focus === 'file' && unit !== undefined) {
    screen.sayOf(item, unit, decisions.of(item, unit) === 'take' ? undefined : 'take');
    return;
  }
  const items = item === undefined ? (row?.group.items ?? []) : [item];
  const said = items.every((one) => decisions.stateOf(one) === 'take') ? undefined : 'take';
  for (const one of items) screen.say(one, said);
}

function split(screen: ReviewScreen): void {
  const { item, units, focus } = screen;
  const unit = units[screen.unit];
  const isSplit = focus === 'file' && item !== undefined && unit !== undefined && item.split(unit).length > 1;
  if (!isSplit) screen.message = focus === 'file' ? 'it cannot be split' : 'enter goes into the file first';
}
