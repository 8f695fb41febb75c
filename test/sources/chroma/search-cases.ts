/** No page that meets a formula is left out, wherever chunks begin and end. */
import assert from 'node:assert/strict';
import type { Formula } from '../../../src/sources/formula.ts';
import { fc } from '../../random/fast-check.ts';
import { contentsOf, EVERYBODY, makeCollection, OPEN_SIGNAL, PUBLICLY, pageRows, sourceOf } from './collections.ts';

/** Letters with odd cases, and what patterns are made of. */
const LETTERS = [...'aabbcIiıİkKK\u212asSſßẞéÉµΜ語😀 .*+?[](){}|^$\\#&~-%_"\'\t\0', '\n', '\n'];

const letter = fc.constantFrom(...LETTERS);
const textOf = (letters: string[]): string => letters.join('');
const chunk = fc.array(letter, { maxLength: 8 }).map(textOf);
const page = fc.array(chunk, { minLength: 1, maxLength: 5 });
const collections = fc.array(page, { minLength: 1, maxLength: 12 });

/** A formula whose literals are yet to be cut out of what the collection holds: what is nowhere proves nothing. */
type Plan =
  | { kind: 'all' | 'none' }
  | { kind: 'and' | 'or'; parts: Plan[] }
  | { kind: 'literal'; at: number; length: number; fold: boolean; other: string | undefined };

const literal = fc.record({
  kind: fc.constant('literal' as const),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 6 }),
  fold: fc.boolean(),
  other: fc.option(fc.array(letter, { minLength: 1, maxLength: 3 }).map(textOf), { nil: undefined, freq: 5 }),
});
const { plan } = fc.letrec<{ plan: Plan }>((tie) => {
  const parts = fc.array(tie('plan'), { minLength: 1, maxLength: 3 });
  const joined = fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), parts });
  const simple = fc.record({ kind: fc.constantFrom('all' as const, 'none' as const) });
  return {
    plan: fc.oneof({ maxDepth: 2 }, { arbitrary: literal, weight: 9 }, { arbitrary: joined, weight: 4 }, simple),
  };
});

/** Random collections, and formulas about each; returns how many pages were asked about, met a formula, and were found. */
export async function searchIsSound(
  url: string,
  runs: { collections: number; formulas: number },
): Promise<{ asked: number; met: number; found: number }> {
  const sum = { asked: 0, met: 0, found: 0 };
  const isSound = async (pages: string[][], plans: Plan[]): Promise<void> => {
    const rows = pages.flatMap((chunks, at) => pageRows(`p${at}`, chunks, PUBLICLY));
    const { name } = await makeCollection(url, rows);
    const source = sourceOf(url, name);
    const contents = await contentsOf(source);
    for (const plan of plans) {
      const one = formulaOf(plan, Object.values(contents));
      const met = Object.keys(contents).filter((path) => meets(contents[path] ?? '', one));
      const found =
        (await source.candidates({ formula: one, scope: undefined }, EVERYBODY, OPEN_SIGNAL)) ??
        new Set(Object.keys(contents));
      const missed = met.filter((path) => !found.has(path));
      assert.deepEqual(
        missed,
        [],
        `${JSON.stringify(one)} is met by ${JSON.stringify(missed.map((path) => contents[path]))}`,
      );
      sum.asked += pages.length;
      sum.met += met.length;
      sum.found += found.size;
    }
  };
  const plans = fc.array(plan, { minLength: runs.formulas, maxLength: runs.formulas });
  await fc.assert(fc.asyncProperty(collections, plans, isSound), { numRuns: runs.collections, endOnFailure: true });
  return sum;
}

function formulaOf(plan: Plan, contents: readonly string[]): Formula {
  if (plan.kind === 'and' || plan.kind === 'or') {
    return { kind: plan.kind, parts: plan.parts.map((part) => formulaOf(part, contents)) };
  }
  if (plan.kind !== 'literal') return { kind: plan.kind };
  const characters = [...(contents[plan.at % contents.length] ?? '')];
  const from = plan.at % Math.max(1, characters.length);
  const cut = plan.other ?? characters.slice(from, from + plan.length).join('');
  const text = cut.replace(/^\n+/, '').replace(/\n.*/s, '');
  const folded = plan.fold && plan.at % 2 === 0 ? otherCase(text) : text;
  return { kind: 'literal', text: folded, fold: plan.fold };
}

function otherCase(text: string): string {
  return [...text].map((one) => [one.toUpperCase(), one.toLowerCase()].find((other) => other !== one) ?? one).join('');
}

function meets(content: string, formula: Formula): boolean {
  switch (formula.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'literal':
      return formula.fold ? foldIn(content, formula.text) : content.includes(formula.text);
    case 'and':
      return formula.parts.every((part) => meets(content, part));
    case 'or':
      return formula.parts.some((part) => meets(content, part));
  }
}

/** As GNU grep has it: characters are the same that have an upper case, or a lower case, or simply fold together. */
function foldIn(content: string, text: string): boolean {
  const characters = [...content];
  const wanted = [...text];
  return characters.some((_, from) => wanted.every((one, at) => isSame(characters[from + at], one)));
}

function isSame(one: string | undefined, other: string): boolean {
  if (one === undefined) return false;
  const upper = one.toUpperCase() === other.toUpperCase() && one.toUpperCase().length === one.length;
  return one === other || upper || new RegExp(`^\\u{${other.codePointAt(0)?.toString(16)}}$`, 'iu').test(one);
}
