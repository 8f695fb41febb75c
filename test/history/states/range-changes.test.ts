/** What a range of the journal amounts to: the summary of a run, `diff A..B`. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from '../projects/random-operations.ts';
import { StagedProject, withProject } from '../projects/staged-project.ts';

interface Case {
  readonly title: string;
  /** What was staged before the range began. */
  readonly before?: (p: StagedProject) => void;
  readonly act: (p: StagedProject) => void;
  readonly lines: readonly string[];
}

const FILES = { 'hello.txt': 'base\n', 'multi.txt': 'line1\n', 'sub/deep.txt': 'nested\n', 'sub/in/leaf': 'leaf\n' };

const CASES: readonly Case[] = [
  { title: 'is empty without records', before: (p) => p.write('a', 'x'), act: () => {}, lines: [] },
  { title: 'lists a new file', act: (p) => p.write('new', 'x'), lines: ['added file new'] },
  { title: 'lists a copy-up', act: (p) => p.append('hello.txt', 'x'), lines: ['modified file hello.txt'] },
  {
    title: 'lists a file written again after a snapshot as modified',
    before: (p) => p.write('new', 'v1'),
    act: (p) => p.write('new', 'v2'),
    lines: ['modified file new'],
  },
  {
    title: 'says nothing of the same bytes written again',
    before: (p) => p.write('new', 'v1'),
    act: (p) => p.write('new', 'v1'),
    lines: [],
  },
  {
    title: 'lists a staged file that was deleted, which the net changes do not',
    before: (p) => p.write('new', 'x'),
    act: (p) => p.rm('new'),
    lines: ['deleted file new'],
  },
  { title: 'nets creating and deleting to nothing', act: (p) => p.write('n', 'x').rm('n'), lines: [] },
  {
    title: 'lists a rename of what was staged before once',
    before: (p) => p.write('a', 'x'),
    act: (p) => p.mv('a', 'b'),
    lines: ['renamed file b < a'],
  },
  {
    title: 'lists a rename with an edit as renamed',
    act: (p) => p.mv('hello.txt', 'b').append('b', 'x'),
    lines: ['renamed file b < hello.txt'],
  },
  {
    title: 'lists a rename after an edit in the same range as renamed',
    act: (p) => p.append('hello.txt', 'x').mv('hello.txt', 'b'),
    lines: ['renamed file b < hello.txt'],
  },
  {
    title: 'lists changes in a directory moved before the range as modified',
    before: (p) => p.mv('sub', 'dir'),
    act: (p) => p.append('dir/deep.txt', 'x').rm('dir/in/leaf').write('dir/n', ''),
    lines: ['modified file dir/deep.txt', 'deleted file dir/in/leaf', 'added file dir/n'],
  },
  {
    title: 'lists a moved directory once, and what changed in it',
    act: (p) => p.append('sub/deep.txt', 'x').mv('sub', 'dir').rm('dir/in/leaf'),
    lines: ['renamed directory dir < sub', 'modified file dir/deep.txt', 'deleted file sub/in/leaf'],
  },
  {
    title: 'follows a chain to where it ends',
    before: (p) => p.mv('hello.txt', 'b'),
    act: (p) => p.mv('b', 'c').mv('c', 'd'),
    lines: ['renamed file d < b'],
  },
  { title: 'collapses a round trip', act: (p) => p.mv('sub', 't').mv('t', 'sub'), lines: [] },
  {
    title: 'lists a swap as two renames',
    act: (p) => p.exchange('hello.txt', 'multi.txt'),
    lines: ['renamed file hello.txt < multi.txt', 'renamed file multi.txt < hello.txt'],
  },
  {
    title: 'lists everything of a deleted directory',
    act: (p) => p.rmTree('sub'),
    lines: [
      'deleted directory sub',
      'deleted file sub/deep.txt',
      'deleted directory sub/in',
      'deleted file sub/in/leaf',
    ],
  },
  {
    title: 'lists an atomic replacement as modified',
    before: (p) => p.write('f', 'v1'),
    act: (p) => p.write('t', 'v2').mv('t', 'f'),
    lines: ['modified file f'],
  },
  {
    title: 'lists a changed type as modified',
    act: (p) => p.rm('hello.txt').mkdir('hello.txt'),
    lines: ['modified directory hello.txt'],
  },
  { title: 'lists a mode change as metadata', act: (p) => p.chmod('sub', 0o700), lines: ['metadata directory sub'] },
  { title: 'lists a further name as added', act: (p) => p.link('hello.txt', 'again'), lines: ['added file again'] },
  {
    title: 'lists a further name as added where the first came along in a moved directory',
    act: (p) => p.link('sub/deep.txt', 'sub/again').mv('sub', 'moved'),
    lines: ['renamed directory moved < sub', 'added file moved/again'],
  },
];

for (const { title, before, act, lines } of CASES) {
  test(`rangeChanges() ${title}`, () =>
    withProject(FILES, (p) => {
      before?.(p);
      const first = p.snapshot().records;
      act(p);
      assert.deepEqual(p.rangeLines(first), lines);
    }));
}

/** Metadata that was put back is nothing on balance, but a range does not know what it was. */
const PUTS_BACK: ReadonlySet<Op[0]> = new Set(['chmod', 'utimes', 'setxattr']);

/**
 * Moves a directory to where the base has something: what it carries along lies over what was there, which only
 * the net changes look at.
 */
function coversBase(base: string, twin: string, [verb, a, b]: Op): boolean {
  if (verb !== 'mv' && verb !== 'exchange') return false;
  return (
    [a, b].some((path) => fs.lstatSync(`${twin}/${path}`, { throwIfNoEntry: false })?.isDirectory()) &&
    [a, b].some((path, i) => (i === 1 || verb === 'exchange') && fs.existsSync(`${base}/${path}`))
  );
}

function compareOnce(ops: readonly Op[]): void {
  const p = new StagedProject();
  try {
    p.base(BASE);
    const twin = new NativeTwin(p.view.dir);
    for (const op of ops) {
      if (PUTS_BACK.has(op[0]) || !isPossible(twin.dir, op)) continue;
      if (coversBase(p.view.dir, twin.dir, op)) continue;
      perform(twin, op);
      perform(p as unknown as Operations, op);
      if (op[3] % 7 === 0) p.snapshot();
    }
    assert.deepEqual(p.rangeLines(0), p.lines());
  } finally {
    fs.rmSync(`${p.view.dir}-twin`, { recursive: true, force: true });
    p.close();
  }
}

test('rangeChanges() of everything since the base equals netChanges()', () => {
  const numRuns = runs(100);
  fc.assert(fc.property(fc.array(op, { maxLength: 25 }), compareOnce), { numRuns });
});
