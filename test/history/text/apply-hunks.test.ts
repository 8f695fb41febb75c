/** Chosen hunks and lines, with `git apply` as the judge. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyHunks, type Choice, changedLines } from '../../../src/history/diff/text/apply-hunks.ts';
import { type Hunk, hunksOf, splitLines } from '../../../src/history/diff/text/hunks.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';

const scratch = mkdtempSync(join(tmpdir(), 'yolofs-hunks-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A patch of the chosen lines alone: an addition that was not chosen is left out, a removal is a line that stays. */
function patchOf(choices: readonly Choice[]): string {
  let shift = 0;
  const hunks = choices.map(({ hunk, lines }) => {
    const shown = shownOf(hunk, lines);
    const count = (marks: string): number => shown.filter((line) => marks.includes(line[0] ?? '')).length;
    const [before, now] = [count(' -'), count(' +')];
    const start = hunk.oldStart + shift + (before === 0 ? 1 : 0) - (now === 0 ? 1 : 0);
    shift += now - before;
    return `@@ -${hunk.oldStart},${before} +${start},${now} @@\n${shown.join('\n')}\n`;
  });
  return `--- a/f\n+++ b/f\n${hunks.join('')}`;
}

function shownOf({ lines }: Hunk, chosen: ReadonlySet<number> | undefined): string[] {
  let number = 0;
  let isLast = true;
  return lines.flatMap((line) => {
    if (line.startsWith('\\')) return isLast ? [line] : [];
    if (line.startsWith(' ')) number += 0;
    else number += 1;
    isLast = line.startsWith(' ') || chosen === undefined || chosen.has(number);
    if (isLast) return [line];
    return line.startsWith('-') ? [` ${line.slice(1)}`] : [];
  });
}

function judge(before: string, choices: readonly Choice[]): string {
  writeFileSync(join(scratch, 'f'), before);
  const input = patchOf(choices);
  const git = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: scratch, input, encoding: 'utf8' });
  assert.equal(git.status, 0, `${git.stderr}\n${input}`);
  return readFileSync(join(scratch, 'f'), 'utf8');
}

/** Some lines of few kinds, so that many are alike. */
function textOf(random: Random, lines: number): string[] {
  return Array.from(
    { length: lines },
    () => `${'abcdef'[random.below(6)]}${random.below(3)}${random.below(4) === 0 ? '\r' : ''}\n`,
  );
}

function edited(random: Random, lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const what = random.below(9);
    if (what === 0) return [];
    if (what === 1) return [line, ...textOf(random, 1 + random.below(2))];
    return what === 2 ? textOf(random, 1) : [line];
  });
}

const subset = (random: Random, count: number): Set<number> =>
  new Set(Array.from({ length: count }, (_, index) => index + 1).filter(() => random.below(2) === 0));

test('applyHunks() of chosen hunks and lines does what git apply of these alone does', (t) => {
  t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
  const random = new Random(SEED);
  let [partial, judged] = [0, 0];
  for (let round = 0; round < 150; round++) {
    const old = textOf(random, 10 + random.below(60));
    const [before, now] = [old.join(''), edited(random, old).join('')];
    const [a, b] = [splitLines(before), splitLines(now)];
    const hunks = hunksOf(a, b);
    assert.equal(
      applyHunks(
        a,
        b,
        hunks.map((hunk) => ({ hunk })),
      ),
      now,
    );
    assert.equal(applyHunks(a, b, []), before);
    const choices = hunks
      .filter(() => random.below(2) === 0)
      .map((hunk): Choice => (random.below(2) === 0 ? { hunk } : { hunk, lines: subset(random, changedLines(hunk)) }))
      .filter(({ lines }) => lines === undefined || lines.size > 0);
    if (choices.length === 0) continue;
    judged += 1;
    partial += choices.filter(({ lines }) => lines !== undefined).length;
    assert.equal(applyHunks(a, b, choices), judge(before, choices), `round ${round}`);
  }
  assert.ok(judged > 80 && partial > 50, `${judged} judged, ${partial} hunks in part`);
});

test('applyHunks() gives a line that had no end one where another follows', () => {
  const [a, b] = [
    ['x\n', 'y'],
    ['x\n', 'z\n', 'w\n'],
  ];
  const [hunk] = hunksOf(a, b);
  assert.ok(hunk !== undefined);
  assert.deepEqual(hunk.lines, [' x', '-y', '\\ No newline at end of file', '+z', '+w']);
  assert.equal(applyHunks(a, b, [{ hunk, lines: new Set([3]) }]), 'x\ny\nw\n');
  assert.equal(applyHunks(a, b, [{ hunk, lines: new Set([1]) }]), 'x\n');
  assert.equal(applyHunks(a, b, [{ hunk, lines: new Set([2]) }]), 'x\ny\nz\n');
});
