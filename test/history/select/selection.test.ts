/** What belongs to what when paths are chosen: each case stages something and looks at the plan for a part of it. */
import assert from 'node:assert/strict';
import { appendFileSync, linkSync } from 'node:fs';
import { test } from 'node:test';
import { checkBase } from '../../../src/history/commit/conflict/check.ts';
import { selectForAbort } from '../../../src/history/commit/select/selection.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { assertSameTree } from '../../support/tree.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';
import { readView } from '../projects/view-tree.ts';
import { commitPart, dryRun, select } from './commit-part.ts';

const FILES = { a: 'a', b: 'b', c: 'c', 'd/x': 'x', 'd/y': 'y', 'd/in/z': 'z', 'e/f': 'f' };

/** Stages, looks at the plan, commits, and lists what is left; the view must not change. */
async function commitOf(
  stage: (p: StagedProject) => unknown,
  paths: readonly string[],
): Promise<{ steps: string[]; along: string[]; left: string[] }> {
  let result = { steps: [] as string[], along: [] as string[], left: [] as string[] };
  await withProject(FILES, async (p) => {
    stage(p);
    const planned = dryRun(p, paths);
    const view = readView(p);
    await commitPart(p, paths);
    assertSameTree(readView(p), view, 'the view');
    result = { ...planned, left: p.lines() };
  });
  return result;
}

test('a selection takes what is at and below its paths and leaves the rest', async () => {
  const stage = (p: StagedProject): unknown => p.write('a', '1').write('d/x', '2').write('d/new', '3').rm('d/y');
  assert.deepEqual(await commitOf(stage, ['d']), {
    steps: ['create file d/new', 'delete d/y', 'replace file d/x'],
    along: [],
    left: ['modified file a'],
  });
  assert.deepEqual(await commitOf(stage, ['a', 'd/y']), {
    steps: ['delete d/y', 'replace file a'],
    along: [],
    left: ['added file d/new', 'modified file d/x'],
  });
});

test('a rename goes as a whole, whichever of its sides is named', async () => {
  const stage = (p: StagedProject): unknown => p.mv('a', 'moved').write('b', '1');
  const expected = { steps: ['rename a to moved'], left: ['modified file b'] };
  assert.deepEqual(await commitOf(stage, ['moved']), { ...expected, along: [] });
  assert.deepEqual(await commitOf(stage, ['a']), { ...expected, along: ['moved'] });
});

test('a swap and a rotation go as a whole', async () => {
  assert.deepEqual(await commitOf((p) => p.exchange('a', 'b').rm('c'), ['a']), {
    steps: ['rename a to b', 'rename b to a'],
    along: ['b'],
    left: ['deleted file c'],
  });
  assert.deepEqual(await commitOf((p) => p.mv('a', 't').mv('c', 'a').mv('b', 'c').mv('t', 'b'), ['c']), {
    steps: ['rename a to b', 'rename b to c', 'rename c to a'],
    along: ['a', 'b'],
    left: [],
  });
});

test('what took the old name of a file that moved goes with it', async () => {
  assert.deepEqual(await commitOf((p) => p.mv('a', 'a~').write('a', 'new').write('b', '1'), ['a~']), {
    steps: ['create file a', 'rename a to a~'],
    along: ['a'],
    left: ['modified file b'],
  });
});

test('new directories come along without what else is in them', async () => {
  const stage = (p: StagedProject): unknown => p.mkdir('n').mkdir('n/m').write('n/m/1', '1').write('n/m/2', '2');
  assert.deepEqual(await commitOf(stage, ['n/m/1']), {
    steps: ['create directory n', 'create directory n/m', 'create file n/m/1'],
    along: ['n', 'n/m'],
    left: ['added file n/m/2'],
  });
});

test('a directory that moved comes along with a path in it, changed or not, without what else was done in it', async () => {
  const stage = (p: StagedProject): unknown => p.mv('d', 'g').write('g/x', '1').rm('g/y').write('g/in/new', '2');
  assert.deepEqual(await commitOf(stage, ['g/x']), {
    steps: ['rename d to g', 'replace file g/x'],
    along: ['g'],
    left: ['added file g/in/new', 'deleted file g/y'],
  });
  assert.deepEqual((await commitOf(stage, ['g/in/z'])).left, [
    'added file g/in/new',
    'modified file g/x',
    'deleted file g/y',
  ]);
  assert.deepEqual((await commitOf(stage, ['d/in/z'])).steps, ['rename d to g']);
});

test('what was deleted in a directory that moved is known by its old path', async () => {
  const stage = (p: StagedProject): unknown => p.mv('d', 'g').rm('g/y').write('g/x', '1').rm('g/in/z');
  const steps = ['delete d/y', 'rename d to g'];
  assert.deepEqual(await commitOf(stage, ['d/y']), {
    steps,
    along: ['g', 'g/y'],
    left: ['deleted file g/in/z', 'modified file g/x'],
  });
  assert.deepEqual((await commitOf(stage, ['d'])).left, ['modified file g/x']);
});

test('a file that moved out of a directory goes without the rest of what became of that', async () => {
  const stage = (p: StagedProject): unknown => p.mv('d/x', 'x').rmTree('d');
  assert.deepEqual(await commitOf(stage, ['x']), {
    steps: ['rename d/x to x'],
    along: [],
    left: ['deleted directory d', 'deleted directory d/in', 'deleted file d/in/z', 'deleted file d/y'],
  });
  assert.deepEqual(await commitOf(stage, ['d/y']), {
    steps: ['delete d', 'rename d/x to x'],
    along: ['d', 'x'],
    left: [],
  });
});

test('a moved directory and a file that left it before go one after the other', async () => {
  const stage = (p: StagedProject): unknown => p.mv('d/x', 'x').mv('d', 'e/d').write('e/d/y', '1');
  const first = await commitOf(stage, ['x']);
  assert.deepEqual(first, {
    steps: ['rename d/x to x'],
    along: [],
    left: ['renamed directory e/d < d', 'modified file e/d/y'],
  });
  assert.deepEqual(await commitOf(stage, ['e/d']), {
    steps: ['rename d to e/d', 'rename d/x to x', 'replace file e/d/y'],
    along: ['x'],
    left: [],
  });
});

test('names of one file go together', async () => {
  const stage = (p: StagedProject): unknown => {
    p.write('new', '1').link('new', 'new2').link('a', 'a2').append('a', '+');
    return p;
  };
  assert.deepEqual((await commitOf(stage, ['new2'])).along, ['new']);
  assert.deepEqual((await commitOf(stage, ['a'])).along, ['a2']);
});

test('names that the base has for one file go together', async () => {
  await withProject(FILES, async (p) => {
    p.native((dir) => linkSync(`${dir}/a`, `${dir}/a2`));
    p.rm('a').append('a2', '+').write('b', '1');
    assert.deepEqual(dryRun(p, ['a2']).along, ['a']);
    const view = readView(p);
    await commitPart(p, ['a']);
    assertSameTree(readView(p), view, 'the view');
    assert.deepEqual(p.lines(), ['modified file b']);
  });
});

test('what was changed outside stops the part that deletes it, and no other', async () => {
  await withProject({ ...FILES, 'd/in/w': 'w' }, async (p) => {
    p.rmTree('d').rm('b').write('a', '1');
    p.native((dir) => {
      appendFileSync(`${dir}/d/in/w`, 'theirs');
      appendFileSync(`${dir}/b`, 'theirs');
    });
    assert.deepEqual(conflictsOf(p, ['a']), []);
    assert.deepEqual(conflictsOf(p, ['b']), ['b']);
    assert.deepEqual(conflictsOf(p, ['d']), ['d']);
    await commitPart(p, ['a']);
    assert.deepEqual(conflictsOf(p, ['b', 'd']), ['b', 'd'], 'what is left knows what it was to delete');
  });
});

test('a path without staged changes is refused, and nothing else is done', async () => {
  await withProject(FILES, (p) => {
    p.write('a', '1').mkdir('n');
    for (const [path, why] of [
      ['b', 'nothing is staged there'],
      ['d/in', 'nothing is staged there'],
      ['nowhere', 'no such file or directory'],
      ['n/nothing', 'no such file or directory'],
      ['a/below', 'no such file or directory'],
    ] as const) {
      assert.throws(
        () => dryRun(p, ['a', path]),
        (error) => error instanceof UserError && error.message === `${p.at(path)}: ${why}`,
        path,
      );
    }
  });
});

/** Where a commit of paths would meet what was changed outside. */
function conflictsOf(p: StagedProject, paths: readonly string[]): string[] {
  const { base, store } = p.view;
  const { tree } = select(p, paths);
  const { conflicts } = checkBase({ tree, facts: new Facts(base, store) });
  return conflicts.map(({ path }) => path.slice(p.view.dir.length + 1)).sort();
}

/** What is left when paths are given up, as a view of the same base would list it, and what goes along. */
function abortOf(p: StagedProject, paths: readonly string[]): { along: string[]; left: string[] } {
  const { tree, base, store, overlay } = p.view;
  const selection = selectForAbort({ tree, facts: new Facts(base, store), paths: paths.map((path) => p.at(path)) });
  overlay.treeSwitch.show(selection.tree);
  return { along: selection.along.map((path) => path.slice(p.view.dir.length + 1)), left: p.lines() };
}

test('what is given up shows the base again, with all that cannot be without it', async () => {
  const cases: [stage: (p: StagedProject) => unknown, paths: string[], along: string[], left: string[]][] = [
    [(p) => p.write('a', '1').write('b', '2').rm('c'), ['a', 'c'], [], ['modified file b']],
    [(p) => p.mv('a', 'moved').write('b', '1'), ['a'], ['moved'], ['modified file b']],
    [(p) => p.mv('a', 'moved').write('b', '1'), ['moved'], [], ['modified file b']],
    [(p) => p.exchange('a', 'b').rm('c'), ['a'], ['b'], ['deleted file c']],
    [(p) => p.mkdir('n').write('n/1', '1').write('n/2', '2'), ['n/1'], [], ['added directory n', 'added file n/2']],
    [(p) => p.mkdir('n').mv('a', 'n/a').write('b', '1'), ['n'], [], ['modified file b']],
    [(p) => p.mv('d', 'g').write('g/x', '1').write('b', '1'), ['d'], ['g', 'g/x'], ['modified file b']],
    [(p) => p.mv('d', 'g').write('g/x', '1'), ['g/x'], [], ['renamed directory g < d']],
    [(p) => p.mv('d/x', 'x').rmTree('d'), ['d'], ['x'], []],
    [(p) => p.mv('d/x', 'x').rmTree('d'), ['x'], ['d'], []],
    [(p) => p.link('a', 'a2').append('a', '+').rm('b'), ['a2'], ['a'], ['deleted file b']],
  ];
  for (const [stage, paths, along, left] of cases) {
    await withProject(FILES, (p) => {
      stage(p);
      assert.deepEqual(abortOf(p, paths), { along, left }, `${stage}`);
    });
  }
});
