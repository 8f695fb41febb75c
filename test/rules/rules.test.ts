/** What rules say of a path, against a resolver that does it the long way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePattern } from '../../src/rules/pattern.ts';
import { type Rule, Rules } from '../../src/rules/rules.ts';
import { answerOf, isAtLeastAsStrict, STATES, type State, strictest } from '../../src/rules/states.ts';
import { type BytePath, join, type Name, ROOT, splitPath } from '../../src/sys/bytes.ts';

type Layer = Rule['decider']['layer'];
const PLACES = { home: '/h', project: '/p' };
const LAYERS: readonly Layer[] = ['default', 'user', 'session', 'project'];

function rules(text: string, state: State, layer: Layer): readonly Rule[] {
  const patterns = parsePattern(text, PLACES);
  if (typeof patterns === 'string') throw new Error(`${text} ${patterns}`);
  return patterns.map((pattern) => ({ pattern, decider: { state, pattern: text, layer } }));
}

/** `state layer pattern` lines. */
function of(...lines: string[]): Rules {
  return new Rules(
    lines.flatMap((line) => {
      const [state, layer, text] = line.split(' ');
      return rules(text ?? '', state as State, layer as Layer);
    }),
  );
}

/** Every ancestor from the path itself up; at each the strongest rule of all that match it. */
function naive(all: readonly Rule[], path: BytePath): State {
  const nearest = (mine: readonly Rule[]): State | undefined => {
    for (let at: BytePath | undefined = path; at !== undefined; at = splitPath(at)?.dir) {
      const here = at;
      const found = mine.filter(({ pattern }) =>
        pattern.path === undefined ? pattern.regex?.test(here) : pattern.path === here,
      );
      const strength = (rule: Rule): number[] => [
        LAYERS.indexOf(rule.decider.layer),
        rule.pattern.path === undefined ? 0 : 1,
        mine.indexOf(rule),
      ];
      const [best] = found.sort((a, b) => compare(strength(b), strength(a)));
      if (best !== undefined) return best.decider.state;
    }
    return undefined;
  };
  const trusted = nearest(all.filter(({ decider }) => decider.layer !== 'project')) ?? 'allow';
  const project = nearest(all.filter(({ decider }) => decider.layer === 'project')) ?? 'allow';
  const answers = (['read', 'write'] as const).map((access) => {
    const order = ['pass', 'ask', 'refuse', 'absent'];
    return order[Math.max(order.indexOf(answerOf(trusted, access)), order.indexOf(answerOf(project, access)))];
  });
  const state = STATES.find((one) => answerOf(one, 'read') === answers[0] && answerOf(one, 'write') === answers[1]);
  assert.ok(state !== undefined, 'each pair of answers is a state');
  return state;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

const name = fc.constantFrom('a', 'b', 'c', '.env', 'x.pem');
const path = fc
  .array(name, { maxLength: 5 })
  .map((names) => names.reduce<BytePath>((dir, one) => join(dir, one as Name), ROOT));
const text = fc.oneof(
  path.map(String),
  fc
    .tuple(path, fc.constantFrom('*', '**', '*.pem', '?', '**/a', '{a,b}'))
    .map(([dir, last]) => `${dir === '/' ? '' : dir}/${last}`),
  fc.constantFrom('**/.env', '**/a/b', '**/*.pem', '**'),
);
const rule = fc.record({ text, state: fc.constantFrom(...STATES), layer: fc.constantFrom(...LAYERS) });

test('Rules says what a resolver says that looks at every rule for every ancestor', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), fc.array(path, { minLength: 1, maxLength: 20 }), (lines, paths) => {
      const all = lines.flatMap((one) => rules(one.text, one.state, one.layer));
      const compiled = new Rules(all);
      for (const one of paths) {
        assert.equal(compiled.stateOf(one), naive(all, one), one);
        assert.equal(compiled.explain(one).state, naive(all, one), one);
        const at = splitPath(one);
        if (at === undefined || compiled.mayName(at.dir, at.name)) continue;
        assert.equal(naive(all, at.dir), naive(all, one), `the name of ${one} says nothing`);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a project can only tighten, whatever it says', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), path, (lines, one) => {
      const all = lines.flatMap((line) => rules(line.text, line.state, line.layer));
      const without = new Rules(all.filter(({ decider }) => decider.layer !== 'project'));
      assert.ok(isAtLeastAsStrict(new Rules(all).stateOf(one), without.stateOf(one)));
    }),
    { numRuns: 1000 },
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
        const compiled = new Rules(lines.flatMap((line) => rules(line.text, line.state, line.layer)));
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
    { numRuns: 2000 },
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
