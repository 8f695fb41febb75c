/** `review -p` reads what it asks about, and no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PickState, placeText, start, step } from '../../../src/cli/review/pick.ts';
import type { Unit } from '../../../src/review/pick/units.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

/** A file of which these units are known once it is read. */
function unread(path: string, texts: readonly string[], reads: string[], gate?: Unit): Unit {
  const change = { path: path as BytePath, change: 'modified', type: 'file' } as const;
  const gated = gate === undefined ? {} : { gate };
  const unit = { what: 'hunk', change, keys: [], lines: [], files: 1, ...gated } as const;
  return {
    ...unit,
    unread: () => {
      reads.push(path);
      return texts.map((text) => ({ ...unit, lines: [`+${text}`] }));
    },
  };
}

function asked({ units, at }: PickState): string {
  return `${units[at]?.change.path} ${units[at]?.lines.join('')}`;
}

test('review -p reads a file when it asks about it, and says that there is more', () => {
  const reads: string[] = [];
  const files = [unread('/a', ['a1', 'a2'], reads), unread('/b', [], reads), unread('/c', ['c1'], reads)];
  let { state } = { state: start([...files, unread('/d', ['d1'], reads)]) };
  assert.deepEqual([asked(state), placeText(state), reads], ['/a +a1', '(1/5+)', ['/a']]);
  state = step(state, 'y').state;
  assert.deepEqual([asked(state), reads], ['/a +a2', ['/a']]);
  // Nothing of /b is decided by itself.
  state = step(state, 'n').state;
  assert.deepEqual([asked(state), placeText(state), reads], ['/c +c1', '(3/4+)', ['/a', '/b', '/c']]);
  state = step(state, 'k').state;
  assert.deepEqual(step(state, 'k').say, 'there is none above');
  state = step(state, 'y').state;
  assert.deepEqual([asked(state), placeText(state)], ['/d +d1', '(4/4)']);
  assert.equal(step(state, 'y').done, true);
});

test('review -p reads on for / and g, and passes over what is decided with its directory', () => {
  const reads: string[] = [];
  const directory = { path: '/new' as BytePath, change: 'renamed', type: 'directory' } as const;
  const gate: Unit = { what: 'rename', change: directory, keys: ['k'], lines: [], files: 1 };
  const units = [gate, unread('/new/x', ['x'], reads, gate), unread('/y', ['y'], reads), unread('/z', ['z'], reads)];
  const first = start(units);
  assert.deepEqual([asked(step(first, '/z').state), asked(step(first, 'g3').state)], ['/z +z', '/y +y']);
  assert.equal(asked(step(first, 'y').state), '/new/x +x');
  assert.equal(asked(step(first, 'n').state), '/y +y');
});
