/** What rules say of a path, against a resolver that does it the long way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rules } from '../../src/rules/rules.ts';
import { isAtLeastAsStrict, STATES, type State, strictest } from '../../src/rules/states.ts';
import { type BytePath, join, type Name, ROOT, splitPath } from '../../src/sys/bytes.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { LAYERS, type Layer, naive, rulesOf } from './naive.ts';

/** `state layer pattern` lines. */
function of(...lines: string[]): Rules {
  return new Rules(
    lines.flatMap((line) => {
      const [state, layer, text] = line.split(' ');
      return rulesOf(text ?? '', { state: state as State, layer: layer as Layer });
    }),
  );
}

const name = fc.constantFrom('a', 'b', 'ab', 'aab', 'c', '.env', 'x.pem', 'secret', '.yolofs');
const path = fc
  .array(name, { maxLength: 5 })
  .map((names) => names.reduce<BytePath>((dir, one) => join(dir, one as Name), ROOT));
const text = fc.oneof(
  path.map(String),
  fc
    .tuple(path, fc.constantFrom('*', '**', '*.pem', '?', '**/a', '{a,b}', 'a*', '[a-c]*', '*b', '**/s*t', '*/secret'))
    .map(([dir, last]) => `${dir === '/' ? '' : dir}/${last}`),
  fc.constantFrom('**/.env', '**/a/b', '**/*.pem', '**', '**/.e*', '**/sec*', '**/*cret', '**/?', '**/a*b'),
);
const rule = fc.record({ text, state: fc.constantFrom(...STATES), layer: fc.constantFrom(...LAYERS) });

test('Rules says what a resolver says that looks at every rule for every ancestor', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), fc.array(path, { minLength: 1, maxLength: 20 }), (lines, paths) => {
      const all = lines.flatMap((one) => rulesOf(one.text, one));
      const compiled = new Rules(all);
      for (const one of paths) {
        assert.equal(compiled.stateOf(one), naive(all, one), one);
        assert.equal(compiled.explain(one).state, naive(all, one), one);
        const at = splitPath(one);
        if (at === undefined) continue;
        const names = compiled.namesIn(at.dir);
        const isHidden = compiled.stateOf(one) === 'hidden' && compiled.stateOf(at.dir) !== 'hidden';
        assert.ok(!isHidden || names.hides || at.name === '.yolofs', `${one} may be hidden`);
        if (names.has(at.name)) continue;
        assert.equal(compiled.stateOf(at.dir), compiled.stateOf(one), `the name of ${one} says nothing`);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('a directory leads to what is allowed below it, unless only a project says so, or something nearer closes it', () => {
  const rules = of(
    'ask default /h',
    'allow default /h/.config/go/telemetry',
    'allow default /h/.update/seen-*',
    'allow default /h/.closed/a',
    'deny session /h/.closed/a',
    'allow project /h/.project/a',
    'allow project /h/.globs/*',
  );
  const leads = (text: string): boolean => rules.leadsToAllowed(text as BytePath);
  assert.deepEqual(['/h/.config', '/h/.config/go', '/h/.update'].filter(leads), [
    '/h/.config',
    '/h/.config/go',
    '/h/.update',
  ]);
  const others = [
    '/h/.config/go/telemetry',
    '/h/.config/x',
    '/h/.conf',
    '/h/.closed',
    '/h/.project',
    '/h/.globs',
    '/h/.x',
  ];
  assert.deepEqual(others.filter(leads), []);
});

test('a project can only tighten, whatever it says', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), path, (lines, one) => {
      const all = lines.flatMap((line) => rulesOf(line.text, line));
      const without = new Rules(all.filter(({ decider }) => decider.layer !== 'project'));
      assert.ok(isAtLeastAsStrict(new Rules(all).stateOf(one), without.stateOf(one)));
    }),
    { numRuns: runs(1000) },
  );
});

test('a directory that may be moved takes nothing below it to where it is laxer', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 6 }),
      path,
      path,
      fc.array(path, { maxLength: 10 }),
      (lines, from, to, below) => {
        const compiled = new Rules(lines.flatMap((line) => rulesOf(line.text, line)));
        fc.pre(from !== '/' && to !== '/' && compiled.mayMove(from, to));
        for (const rest of below) {
          const [old, moved] = [`${from}${rest}`, `${to}${rest}`] as BytePath[];
          // What it inherits from above `from` it may lose: whoever moves it may change it.
          if (
            rest === '/' ||
            old === undefined ||
            moved === undefined ||
            compiled.stateOf(old) === compiled.stateOf(from)
          )
            continue;
          if (compiled.stateOf(from) !== 'allow') continue;
          assert.ok(isAtLeastAsStrict(compiled.stateOf(moved), compiled.stateOf(old)), `${old} -> ${moved}`);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('strictest() is the mildest state at least as strict as both', () => {
  for (const a of STATES) {
    for (const b of STATES) {
      const both = strictest(a, b);
      assert.ok(isAtLeastAsStrict(both, a) && isAtLeastAsStrict(both, b), `${a} ${b}`);
      const milder = STATES.filter((one) => one !== both && isAtLeastAsStrict(one, a) && isAtLeastAsStrict(one, b));
      for (const one of milder) assert.ok(isAtLeastAsStrict(one, both), `${a} ${b}: ${one} is milder than ${both}`);
    }
  }
});

test('explain() names the rule that decides, and the one that may not', () => {
  const given = of(
    'ask default /h',
    'deny default /h/.ssh',
    'allow project /h/.ssh',
    'hidden project /h/x',
    'allow user **/ok',
  );
  const told = (path: string) => {
    const { state, rule: decider, ignored } = given.explain(path as BytePath);
    return [state, decider.pattern, decider.layer, ignored?.pattern];
  };
  assert.deepEqual(told('/h/.ssh/id'), ['deny', '/h/.ssh', 'default', '/h/.ssh']);
  assert.deepEqual(told('/h/x/y'), ['hidden', '/h/x', 'project', undefined]);
  assert.deepEqual(told('/h/.ssh/ok'), ['allow', '**/ok', 'user', undefined]);
  assert.deepEqual(told('/etc'), ['allow', '/', 'default', undefined]);
  assert.deepEqual(told('/p/sub/.yolofs/sock'), ['hidden', '**/.yolofs', 'default', undefined]);
});

test('needsOpenBelow() is true wherever an open may have to be asked about', () => {
  const given = of(
    'ask default /',
    'allow default /p',
    'deny default **/.env',
    'hidden project /p/h',
    'allow default /q',
    'ask-write default /q/*/w',
  );
  assert.equal(given.needsOpenBelow('/p' as BytePath), false);
  assert.equal(given.needsOpenBelow('/q' as BytePath), true);
  assert.equal(given.needsOpenBelow('/' as BytePath), true);
});
