/** What the kernel is told to forget when rules change: all that it must, at a cost that the rest of the tree does not raise. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { exactPattern, parsePattern } from '../../src/rules/pattern/pattern.ts';
import { revocations } from '../../src/rules/revoke.ts';
import { type Rule, Rules } from '../../src/rules/rules.ts';
import { STATES, type State } from '../../src/rules/states.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { openView, type TestView } from '../staging/session-parts.ts';
import { ViewDriver } from '../staging/view-driver.ts';

/** Counts what it is asked. */
class CountedRules extends Rules {
  asked = 0;

  override stateOf(path: BytePath): State {
    this.asked += 1;
    return super.stateOf(path);
  }
}

/** Rules of a project in `dir`, as written there. */
function rulesOf(dir: string, lines: readonly (readonly [pattern: string, state: State])[]): Rule[] {
  return lines.flatMap(([text, state]) => {
    const patterns = parsePattern(text, { home: '/root', project: dir });
    assert.ok(typeof patterns !== 'string', `${text} ${patterns}`);
    return patterns.map((pattern) => ({ pattern, decider: { state, pattern: text, layer: 'user' as const } }));
  });
}

function withKnown(paths: readonly string[], run: (view: TestView, driver: ViewDriver) => void): void {
  const view = openView({ watched: false });
  try {
    for (const path of paths) {
      mkdirSync(dirname(`${view.dir}/${path}`), { recursive: true });
      writeFileSync(`${view.dir}/${path}`, '');
    }
    const driver = new ViewDriver(view.overlay);
    for (const path of paths) driver.resolve(`${view.dir}/${path}` as BytePath);
    run(view, driver);
  } finally {
    view.close();
  }
}

const PATHS = ['a/one', 'a/two.pem', 'a/b/three', 'a/b/four.pem', 'pem/five', 'x.d/six', 'x.d/y.d/seven', 'eight'];
const PATTERNS = [
  'a',
  'a/b',
  'a/one',
  '**/*.pem',
  '**/*.d',
  '**/b',
  'x.d/**',
  'a/*',
  '**/pem/**',
  'none',
  '**/{eight,b}',
];

test('revocations() finds all that has another state, by path and by glob', () => {
  withKnown(PATHS, ({ dir, overlay }, driver) => {
    assert.equal(driver.rename(`${dir}/a/b/three` as BytePath, `${dir}/moved` as BytePath), 0);
    driver.resolve(`${dir}/moved` as BytePath);
    let found = 0;
    for (const pattern of PATTERNS) {
      for (const other of PATTERNS) {
        for (const state of STATES) {
          const before = rulesOf(dir, [[other, 'deny']]);
          const [was, is] = [new Rules(before), new Rules([...before, ...rulesOf(dir, [[pattern, state]])])];
          found += compare({ was, is }, overlay.nodePaths, `${other} = deny, then ${pattern} = ${state}`);
          found += compare({ was: is, is: was }, overlay.nodePaths, `${pattern} = ${state} goes`);
        }
      }
    }
    assert.ok(found > 1000, `${found} to forget`);
  });
});

/** Asserts that what becomes refused, or was, is to be forgotten; returns how many that are. */
function compare(
  { was, is }: { readonly was: Rules; readonly is: Rules },
  nodePaths: TestView['overlay']['nodePaths'],
  what: string,
): number {
  const told = new Set(revocations(was, is, nodePaths).flatMap((one) => (one.kind === 'inode' ? [one.nodeId] : [])));
  let count = 0;
  for (const { nodeId, view } of nodePaths.all()) {
    if (view === undefined) continue;
    const [before, after] = [was.stateOf(view), is.stateOf(view)];
    if (before === after || !(after === 'deny' || after === 'hidden' || before === 'deny')) continue;
    assert.ok(told.has(nodeId), `${what}: ${view}`);
    count += 1;
  }
  return count;
}

test('revocations() asks about what changed rules are for, however much else is known', () => {
  const asked = [10, 1000].map((files) => {
    const paths = Array.from({ length: files }, (_, i) => `d${i % 7}/f${i}`);
    let counted: readonly number[] = [];
    withKnown([...paths, 'k/one.pem', 'k/two'], ({ dir, overlay }) => {
      const whole: Rule = { pattern: exactPattern(dir, '.'), decider: { state: 'allow', pattern: '.', layer: 'user' } };
      const changes = (['k', 'k/two', '**/*.pem', 'k/*', '**/nowhere/**'] as const).map((pattern) =>
        rulesOf(dir, [[pattern, 'deny']]),
      );
      counted = changes.map((rules) => {
        const [before, after] = [new CountedRules([whole]), new CountedRules([whole, ...rules])];
        assert.ok(revocations(before, after, overlay.nodePaths).length <= 3);
        return before.asked + after.asked;
      });
    });
    return counted;
  });
  assert.deepEqual(asked[1], asked[0]);
  assert.ok(
    asked[0]?.every((count) => count <= 6),
    String(asked[0]),
  );
});
