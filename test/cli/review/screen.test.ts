/** The full screen of a review: what is on it, and what keys do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut, cutStart, withoutTabs, wrapped, wrappedAtWords } from '../../../src/cli/review/screen/cells.ts';
import { type Brush, draw } from '../../../src/cli/review/screen/draw.ts';
import { press } from '../../../src/cli/review/screen/keys.ts';
import { ordersOf } from '../../../src/cli/review/screen/orders.ts';
import { ReviewScreen, type Shown } from '../../../src/cli/review/screen/screen.ts';
import type { Notice } from '../../../src/history/commit/notices/notices.ts';
import { textChangeOf } from '../../../src/history/diff/text/sections.ts';
import { Item } from '../../../src/review/pick/item.ts';
import { numbersOf, type Unit } from '../../../src/review/pick/units.ts';
import { type BytePath, toBytePath } from '../../../src/sys/bytes.ts';

const same = (text: string): string => text;
const PLAIN: Brush = {
  ...{ red: same, green: same, yellow: same, cyan: same, bold: same, dim: same, reverse: same },
  column: () => '',
};
const TEXT = Array.from({ length: 40 }, (_, i) => `${i}\n`).join('');

/** A file of which a hunk was changed in each of the lines. */
function edited(name: string, edits: readonly (readonly [number, string])[], reads: string[] = []): Item {
  const path = toBytePath(`/p/${name}`);
  const change = { path, change: 'modified', type: 'file' } as const;
  const lines = TEXT.split('\n');
  for (const [line, text] of edits) lines[line] = text;
  const text = textChangeOf(path, TEXT, lines.join('\n'));
  return new Item({ group: 'project', what: 'file', change, members: [change], gate: undefined }, () => {
    reads.push(name);
    return text.hunks.map((hunk): Unit => {
      const part = { text, hunk, numbers: numbersOf(hunk) };
      return { what: 'hunk', change, keys: [], lines: hunk.lines, files: 1, hunk: part };
    });
  });
}

function shownOf(items: readonly Item[], notices: Shown['notices'] = new Map()): Shown {
  const from = { project: '/p' as BytePath, cwd: '/p' as BytePath };
  return {
    items,
    folded: [],
    notices,
    commandsOf: ({ lines }) => [`sed ${lines.find((one) => /^\+/.test(one))}`],
    from,
  };
}

function type(screen: ReviewScreen, keys: string): (string | undefined)[] {
  const size = { columns: 80, rows: 24 };
  draw(screen, size, PLAIN);
  return keys.split(' ').map((key) => {
    const effect = press(screen, key);
    draw(screen, size, PLAIN);
    return effect;
  });
}

test('of what is decided as one the screen says in few lines what to look at first', () => {
  const paths = Array.from({ length: 12 }, (_, at) => toBytePath(`/p/node_modules/.bin/tool${at}`));
  const manifest = toBytePath('/p/node_modules/a/package.json');
  const members = [...paths, manifest].map((path) => ({ path, change: 'added', type: 'file' }) as const);
  const [change] = members;
  assert.ok(change !== undefined);
  const fold = new Item({ group: 'ignored', what: 'ignored', change, members, gate: undefined }, () => []);
  const notices = new Map<BytePath, readonly Notice[]>([
    [manifest, [{ path: manifest, kind: 'packages', sentence: 'scripts run', details: ['scripts.postinstall'] }]],
    ...paths.map((path) => [path, [{ path, kind: 'executable', sentence: 'executable' }]] as const),
  ]);
  const lines = draw(new ReviewScreen(shownOf([fold], notices)), { columns: 160, rows: 8 }, PLAIN).map((line) =>
    line.replace(/^.*│ /, ''),
  );
  assert.deepEqual(lines.slice(2, 4), [
    'look at this: node_modules/a/package.json: scripts run: scripts.postinstall',
    'look at this: 12 in node_modules/.bin/: executable',
  ]);
});

test('the screen has the list beside the file, what runs later first, and the command above each hunk', () => {
  const path = toBytePath('/p/b');
  const notices = new Map([[path, [{ path, kind: 'git', sentence: 'git runs it' } as const]]]);
  const a = edited('a', [
    [5, 'five'],
    [30, 'thirty'],
  ]);
  const screen = new ReviewScreen(shownOf([a, edited('b', [[5, 'x']])], notices));
  assert.deepEqual(draw(screen, { columns: 80, rows: 8 }, PLAIN), [
    'yolofs review  2 open',
    ' [ ] Look at this first (1)   │ modified b',
    '>  [ ] M b                    │ look at this: git runs it',
    ' [ ] Your project (1)         │  [ ] hunk @@ -3 +3 @@',
    '   [ ] M a                    │ by: sed +x',
    '                              │  2',
    '                              │  3',
    't take  l leave  r reject  n next hunk  c commit  ? keys  q quit',
  ]);
  // Take b, go into a, leave its first hunk and reject its second.
  assert.deepEqual(type(screen, 't enter l r'), [undefined, undefined, undefined, undefined]);
  const narrow = draw(screen, { columns: 36, rows: 12 }, PLAIN).map((line) => line.trimEnd());
  assert.deepEqual(narrow, [
    'yolofs review  1 taken, 1 in part',
    '   [+] M b',
    ' [~] Your project (1)',
    '>  [~] M a',
    '─'.repeat(36),
    '>[-] hunk 2/2 @@ -28 +28 @@',
    ...['by: sed +thirty', ' 27', ' 28', ' 29', '-30'],
    'that was the last one: c shows what…',
  ]);
});

test('files are read when they are shown, decisions hold until what they are about has changed', () => {
  const reads: string[] = [];
  const names = Array.from({ length: 20_000 }, (_, index) => `f${index}`);
  const items = (edits: readonly (readonly [number, string])[]): Item[] =>
    names.map((name) => edited(name, name === 'f1' ? edits : [[5, 'x']], reads));
  const made = items([
    [5, 'five'],
    [30, 'thirty'],
  ]);
  const screen = new ReviewScreen(shownOf(made));
  type(screen, 'j enter t r');
  assert.deepEqual([...new Set(reads)], ['f0', 'f1', 'f2']);
  const { take, reject, isAll } = ordersOf(screen, []);
  const [first, second] = made[1]?.units() ?? [];
  assert.deepEqual([take, isAll], [[{ key: first?.hunk?.hunk.key }], false]);
  assert.equal(reject.length, 1);
  // Another took place at the first hunk meanwhile.
  const after = new ReviewScreen(
    shownOf(
      items([
        [5, 'other'],
        [30, 'thirty'],
      ]),
    ),
    screen,
  );
  const [changed, kept] = after.shown.items[1]?.units() ?? [];
  const said = [changed, kept].map((unit) => unit && after.saidOf(after.shown.items[1] as Item, unit));
  assert.deepEqual([said, kept?.hunk?.hunk.key], [[undefined, 'reject'], second?.hunk?.hunk.key]);
});

test('of very many files that are taken none is read: they are committed by their paths, as the snapshot has them', () => {
  const reads: string[] = [];
  const names = Array.from({ length: 2003 }, (_, index) => `f${index}`);
  const made = names.map((name) => edited(name, [[5, 'x']], reads));
  const screen = new ReviewScreen(shownOf(made));
  type(screen, 'r l g t');
  const { take, paths, reject, isAll } = ordersOf(screen, []);
  assert.deepEqual([take, paths.length, paths[0], reject.length, isAll], [[], 2001, '/p/f2', 1, false]);
  assert.deepEqual([...new Set(reads)], ['f0', 'f1', 'f2']);
  const [unit] = made[1]?.units() ?? [];
  assert.ok(unit?.hunk);
  screen.decisions.sayOf(made[1] as Item, { ...unit, hunk: { ...unit.hunk, numbers: [1] } }, 'take');
  // A part of a file has a key: then all have.
  const parts = ordersOf(screen, []);
  assert.deepEqual([parts.take.length, parts.paths, parts.reject.length], [2002, [], 1]);
});

test('of a hunk that was split what is rejected is named by its own lines, also after another look', () => {
  const edits = [
    [5, 'five'],
    [7, 'seven'],
  ] as const;
  const screen = new ReviewScreen(shownOf([edited('a', edits)]));
  type(screen, 'enter s t r');
  const after = new ReviewScreen(shownOf([edited('a', edits)]), screen);
  for (const one of [screen, after]) {
    const { rejectedUnits } = ordersOf(one, []);
    const changed = rejectedUnits.map(({ lines }) => lines.filter((line) => /^[-+]/.test(line)));
    assert.deepEqual(changed, [['-7', '+seven']]);
    assert.deepEqual(one.tally, { take: 0, reject: 0, leave: 0, mixed: 1, open: 0 });
  }
});

test('nothing that an agent has written reaches the terminal as it is', () => {
  const item = edited('n\x1b[2J\u202ename', [[5, 'a\x1b]0;title\x07\tb\u202e\u200bc\r']]);
  const screen = new ReviewScreen({ ...shownOf([item]), commandsOf: () => ['rm\x1b[1m \xff'] });
  const text = draw(screen, { columns: 100, rows: 24 }, PLAIN).join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  assert.equal(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]/.test(text), false, text);
  for (const shown of ['n\\x1b[2J\\u202ename', '+a^[]0;title^G  b<U+202E><U+200B>c^M', 'by: rm\\x1b[1m \\xff'])
    assert.ok(text.includes(shown), `${shown}\n${text}`);
});

test('c shows a plan and only y carries it out; q asks once where something was decided; keys search', () => {
  const screen = new ReviewScreen(shownOf([edited('a', [[5, 'five']]), edited('b', [[5, 'needle']])]));
  assert.deepEqual(type(screen, 'c q'), [undefined, 'quit']);
  assert.deepEqual(type(screen, 't c'), [undefined, 'plan']);
  Object.assign(screen, { mode: 'plan', overlay: ['replace file /p/a'] });
  assert.deepEqual(type(screen, 'q'), [undefined]);
  Object.assign(screen, { mode: 'plan' });
  assert.deepEqual(type(screen, 'y q x q q'), ['apply', undefined, undefined, undefined, 'quit']);
  type(screen, 'g escape / b return');
  assert.equal(screen.item?.change.path, '/p/b');
  type(screen, 'enter / N E E D return');
  assert.match(screen.page[screen.scroll]?.text ?? '', /needle$/);
  assert.deepEqual(type(screen, 'ctrl+c'), ['quit']);
});

test('a group is decided but for what was decided in it, with a capital letter all of it', () => {
  const items = ['a', 'b', 'c'].map((name) => edited(name, [[5, name]]));
  const screen = new ReviewScreen(shownOf(items));
  const said = (): unknown[] => items.map((item) => screen.decisions.stateOf(item));
  type(screen, 'r g t');
  assert.deepEqual([said(), screen.message], [['reject', 'take', 'take'], '1 already decided; T is for all']);
  type(screen, 'T');
  assert.deepEqual([said(), screen.message], [['take', 'take', 'take'], '']);
  type(screen, 'l');
  assert.deepEqual(said(), ['leave', 'leave', 'leave']);
});

test('what is longer than the screen is wrapped, and there is a key for the rest', () => {
  const screen = new ReviewScreen(shownOf([edited('a', [[5, 'five']])]));
  Object.assign(screen, { mode: 'plan', overlay: ['abcdefghij'.repeat(4), 'last'] });
  const shown = (): string[] => draw(screen, { columns: 34, rows: 4 }, PLAIN).slice(1);
  assert.deepEqual(shown(), [`${'abcdefghij'.repeat(3)}abcd`, 'efghij', 'y  do this   q  go back   j  more']);
  press(screen, 'j');
  assert.deepEqual(shown(), ['efghij', 'last', 'y  do this   q  go back']);
  assert.equal(press(screen, 'j'), undefined);
  assert.deepEqual(shown()[1], 'last');
});

test('text is cut and wrapped by the cells that it takes', () => {
  assert.deepEqual([cut('日本語', 5), cutStart('日本語', 5), cut('abc', 3)], ['日本…', '…本語', 'abc']);
  assert.deepEqual(wrapped('日本e\u0301語', 4), ['日本', 'e\u0301語']);
  assert.deepEqual(wrappedAtWords('s  split a hunk', 11), ['s  split a', '   hunk']);
  assert.deepEqual(wrappedAtWords('a path/that/is/longer', 8), ['a', 'path/tha', 't/is/lon', 'ger']);
  assert.equal(withoutTabs('\ta\tb'), '        a       b');
});
