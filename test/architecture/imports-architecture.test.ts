/** What files import of each other: no circles, no hubs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circles, importsOf } from '../support/imports.ts';
import { sourceFiles } from '../support/source-files.ts';

const MOST_IMPORTS = 20;

/** Folders of `src/history`, lowest first: what is recorded, which states it makes, how they differ, what is done with that. */
const HISTORY = ['layout.ts', 'registry', 'log', 'timeline', 'diff', 'commit', 'past', 'gc'];

const sources = sourceFiles('src');

test('a folder of history imports none above it', () => {
  const floorOf = (path: string): number => HISTORY.indexOf(path.split('/')[2] ?? '');
  const ours = sources.filter(({ path }) => path.startsWith('src/history/'));
  const problems = ours.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('src/history/') && floorOf(target) > floorOf(file.path))
      .map((target) => `${file.path} imports ${target}`),
  );
  report([...problems, ...ours.map(({ path }) => path).filter((path) => floorOf(path) < 0)], {
    reason: 'what a session remembers can be read without what is made of it',
    fix: 'move what both sides need to the lower folder; a new folder gets its place in HISTORY',
  });
});

test('no file imports itself by way of others, not even types', () => {
  const imports = new Map(sources.map((file) => [file.path, importsOf(file)]));
  report(circles(imports), {
    reason: 'what is in a circle can only be read, tested and moved as a whole',
    fix: 'move what both sides need, mostly a type, to a file of its own',
  });
});

test('circles are found, and told from those of types alone', () => {
  const file = (path: string, code: string) => ({ path, text: code, code, bare: code });
  const files = [
    file('a.ts', "import { b } from './b.ts';\nimport { one } from './c.ts';"),
    file('b.ts', "export { type A } from './a.ts';"),
    file('c.ts', "import type { D } from './d/d.ts';\nimport { type A, a } from './a.ts';"),
    file('d/d.ts', "import {\n  type C,\n} from '../c.ts';"),
  ];
  const found = (types: boolean) => circles(new Map(files.map((it) => [it.path, importsOf(it, { types })])));
  assert.deepEqual(found(true), ['a.ts -> b.ts -> a.ts', 'c.ts -> d/d.ts -> c.ts', 'a.ts -> c.ts -> a.ts']);
  assert.deepEqual(found(false), ['a.ts -> c.ts -> a.ts']);
});

test('a file imports few others of ours', () => {
  const problems = sources
    .map((file) => ({ path: file.path, imports: importsOf(file).length }))
    .filter(({ imports }) => imports > MOST_IMPORTS)
    .map(({ path, imports }) => `${path}: ${imports} files`);
  report(problems, {
    reason: 'a file that knows everything changes with everything',
    fix: 'find the concept that is missing between it and what it imports',
  });
});

function report(problems: readonly string[], rule: { readonly reason: string; readonly fix: string }): void {
  const text = problems.map((problem) => `  ${problem}`).join('\n');
  assert.equal(problems.length, 0, `${problems.length} places:\n${text}\nwhy: ${rule.reason}\nfix: ${rule.fix}`);
}
