/** What rules say of a path, the long way: a judge for those that look at as little as they can. */
import assert from 'node:assert/strict';
import { type Pattern, parsePattern } from '../../src/rules/pattern/pattern.ts';
import type { Rule } from '../../src/rules/rules.ts';
import { answerOf, STATES, type State } from '../../src/rules/states.ts';
import { type BytePath, components, type Name, splitPath, toBytes } from '../../src/sys/bytes.ts';

export type Layer = Rule['decider']['layer'];
export const LAYERS: readonly Layer[] = ['default', 'user', 'session', 'project'];

/** The rules of one line of a file. */
export function rulesOf(
  text: string,
  { state, layer }: { state: State; layer: Layer },
  places = { home: '/h', project: '/p' },
): readonly Rule[] {
  const patterns = parsePattern(text, places);
  if (typeof patterns === 'string') throw new Error(`${text} ${patterns}`);
  return patterns.map((pattern) => ({ pattern, decider: { state, pattern: text, layer } }));
}

const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|./gs;

/** By trying everything. */
export function naiveMatch(pattern: Pattern, path: BytePath): boolean {
  if (pattern.path !== undefined) return pattern.path === path;
  return naivePaths(pattern.key.slice('glob '.length).split('/'), components(path));
}

function naivePaths([part, ...parts]: readonly string[], names: readonly string[]): boolean {
  if (part === undefined) return names.length === 0;
  if (part === '**') {
    const least = parts.length === 0 ? 1 : 0;
    return names.length >= least && [...names, ''].some((_, i) => i >= least && naivePaths(parts, names.slice(i)));
  }
  const [name, ...rest] = names;
  return (
    name !== undefined && naiveName([...part].map(toBytes), name.match(CHARACTER) ?? []) && naivePaths(parts, rest)
  );
}

function naiveName([token, ...tokens]: readonly string[], characters: readonly string[]): boolean {
  if (token === undefined) return characters.length === 0;
  if (token === '*') return [...characters, ''].some((_, i) => naiveName(tokens, characters.slice(i)));
  const [first, ...rest] = characters;
  if (first === undefined) return false;
  if (token === '?') return naiveName(tokens, rest);
  if (token === '\\') return tokens[0] === first && naiveName(tokens.slice(1), rest);
  if (token !== '[') return token === first && naiveName(tokens, rest);
  const end = tokens.indexOf(']', 1);
  const set = tokens.slice(0, end);
  const isNegated = set[0] === '!';
  const isIn = set.join('').replace(/^!/, '').includes('-') ? inRange(set, first) : set.includes(first);
  return isIn !== isNegated && naiveName(tokens.slice(end + 1), rest);
}

/** Of a set that is one range. */
function inRange(set: readonly string[], character: string): boolean {
  const [low = '', , high = ''] = set.join('').replace(/^!/, '');
  return character >= low && character <= high;
}

/** Every ancestor from the path itself up; at each the strongest rule of all that match it. */
export function naive(all: readonly Rule[], path: BytePath): State {
  if (components(path).includes('.yolofs' as Name)) return 'hidden';
  const nearest = (mine: readonly Rule[]): State | undefined => {
    for (let at: BytePath | undefined = path; at !== undefined; at = splitPath(at)?.dir) {
      const here = at;
      const found = mine.filter(({ pattern }) => naiveMatch(pattern, here));
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
