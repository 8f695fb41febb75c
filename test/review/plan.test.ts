/** A plan says beforehand which keys what was rejected will have after the commit: it means the same lines then, or says that it cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyHunks } from '../../src/history/diff/text/apply-hunks.ts';
import { type KeyedHunk, textChangeOf } from '../../src/history/diff/text/sections.ts';
import { type Decision, decidedUnits, type Plan, planOf } from '../../src/review/pick/plan.ts';
import { numbersOf, type Unit } from '../../src/review/pick/units.ts';
import { toBytePath } from '../../src/sys/bytes.ts';
import { Random } from '../random/random.ts';
import { runs } from '../random/seed.ts';

const PATH = toBytePath('/p/f');

type Said = (hunk: KeyedHunk, index: number) => Decision | undefined;

/** The plan, and what is to be in the real file and in the view once it was carried out. */
function planned(before: string, after: string, said: Said): { plan: Plan; real: string; view: string } {
  const text = textChangeOf(PATH, before, after);
  const decisions = new Map<Unit, Decision>();
  const units = text.hunks.flatMap((hunk) => {
    const part = { text, hunk, numbers: numbersOf(hunk) };
    const change = { path: PATH, change: 'modified', type: 'file' } as const;
    const unit: Unit = { what: 'hunk', change, keys: [], lines: hunk.lines, files: 1, hunk: part };
    const lines = numbersOf(hunk).map((number) => said(hunk, number));
    return decidedUnits(unit, { lines }).map((one) => {
      if (one.decision !== undefined) decisions.set(one.unit, one.decision);
      return one.unit;
    });
  });
  const chosen = (isChosen: (decision: Decision | undefined) => boolean): string =>
    applyHunks(
      text.before,
      text.after,
      text.hunks.map((hunk) => ({ hunk, lines: new Set(numbersOf(hunk).filter((one) => isChosen(said(hunk, one)))) })),
    );
  const plan = planOf({ units, containers: [] }, (unit) => decisions.get(unit));
  return { plan, real: chosen((one) => one === 'take'), view: chosen((one) => one !== 'reject') };
}

/** What is left in the view when these keys are thrown away of what is staged over the real file. */
function leftOf(real: string, after: string, reject: Plan['reject']): string {
  const { before, after: lines, hunks } = textChangeOf(PATH, real, after);
  const wanted = new Map(reject.map((wish) => [wish.key, wish]));
  assert.deepEqual(
    reject.filter(({ key }) => !hunks.some((hunk) => hunk.key === key)),
    [],
    'each key stands for a hunk',
  );
  const kept = hunks.map((hunk) => {
    const wish = wanted.get(hunk.key);
    const gone = wish === undefined ? [] : (wish.lines ?? numbersOf(hunk));
    return { hunk, lines: new Set(numbersOf(hunk).filter((number) => !gone.includes(number))) };
  });
  return applyHunks(before, lines, kept);
}

test('of equal lines another one would stay after the commit: the text is inseparable, and no wrong line is thrown away', () => {
  const before = 'b b b1 b c c a c a c a c a b a b a a a'.replaceAll(' ', '\n');
  const after = 'b b b1 b a c a c a b8 a8 c b a b1 a a'.replaceAll(' ', '\n');
  const said = ['take', undefined, 'take', 'reject', undefined, 'reject', undefined, 'take'] as const;
  const { plan } = planned(before, after, (_, number) => said[number - 1]);
  assert.deepEqual([plan.reject, plan.inseparable], [[], [PATH]]);
});

test('of random texts and decisions what is thrown away after the commit is what was rejected', () => {
  let told = 0;
  for (let seed = 1; seed <= runs(2000); seed++) {
    const random = new Random(seed);
    const line = (): string => `${'abc'.charAt(random.below(3))}${random.below(4) === 0 ? random.below(9) : ''}\n`;
    const old = Array.from({ length: random.below(30) }, line);
    const edited = old.flatMap((one) => [[one], [one], [one], [one, line()], [line()], []][random.below(6)] ?? []);
    const decisions = new Map<string, Decision | undefined>();
    const said: Said = ({ key }, number) => {
      const place = `${key}:${number}`;
      if (!decisions.has(place)) decisions.set(place, (['take', 'reject', undefined] as const)[random.below(3)]);
      return decisions.get(place);
    };
    const { plan, real, view } = planned(old.join(''), edited.join(''), said);
    if (plan.inseparable.length > 0) continue;
    told += 1;
    assert.equal(leftOf(real, edited.join(''), plan.reject), view, `seed ${seed}`);
  }
  assert.ok(told > runs(2000) / 2, `${told} could be told apart`);
});
