/**
 * Random selections of lines over random edits, on a live session: what is taken is in the real file, what is rejected is
 * gone from the view, what is neither stays staged; as git and a model say that know nothing of how it is done.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type KeyedHunk, type TextChange, textChangeOf } from '../../src/history/diff/text/sections.ts';
import { type Decision, decidedUnits, planOf, type Wish } from '../../src/review/pick/plan.ts';
import { numbersOf, type Unit } from '../../src/review/pick/units.ts';
import { type BytePath, toBytePath } from '../../src/sys/bytes.ts';
import { decodeText, encodeText } from '../../src/sys/text/encoding.ts';
import { type Front, listen } from '../ask/front.ts';
import { Random } from '../random/random.ts';
import { self } from '../support/accounts.ts';
import { CLEAN_ENV, exec } from '../support/exec.ts';
import { type Session, session } from '../support/session.ts';

interface Row {
  readonly path: string;
  readonly hunks?: readonly { readonly key: string }[];
  readonly sections: Readonly<Record<string, string>>;
}

/** One file, and what is decided about each of its changed lines, in the order in which a diff shows them. */
interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly text: TextChange;
  readonly said: ReadonlyMap<KeyedHunk, readonly (Decision | undefined)[]>;
  /** It was made executable. */
  readonly mode: { readonly said: Decision | undefined } | undefined;
}

/** As many files with a selection of each as `files` says, in each of `rounds`. Returns how many could not be told apart. */
export async function playSelections(
  t: TestContext,
  { rounds, files, seed }: { readonly rounds: number; readonly files: number; readonly seed: number },
): Promise<number> {
  const s = await session(t, { account: self });
  const random = new Random(seed);
  await s.sh('true');
  const person = await listen(t, s);
  let inseparable = 0;
  for (let round = 0; round < rounds; round++) inseparable += await playRound(s, person, { random, files });
  return inseparable;
}

interface Round {
  readonly random: Random;
  readonly files: number;
}

async function playRound(s: Session, person: Front, { random, files }: Round): Promise<number> {
  const cases = Array.from({ length: files }, (_, index) => makeCase(s, random, `f${index}`));
  mkdirSync(join(s.project, 'edits'), { recursive: true });
  for (const { name, before, after } of cases) {
    writeFileSync(join(s.project, name), encodeText(before));
    chmodSync(join(s.project, name), 0o644);
    writeFileSync(join(s.project, 'edits', name), encodeText(after));
  }
  const edits = cases.map(({ name, mode }) =>
    mode !== undefined || random.below(2) === 0
      ? `cat edits/${name} > ${name}${mode === undefined ? '' : `; chmod 755 ${name}`}`
      : `cp edits/${name} new; chmod 644 new; mv new ${name}`,
  );
  await s.sh(edits.join('\n'));
  const rows = new Map(
    (JSON.parse(await s.succeed(['diff', '--json', '--hunks'])) as Row[]).map((row) => [row.path, row]),
  );
  const { take, reject, inseparable } = planFor(s, cases, rows);
  if (take.length > 0 && random.below(2) === 0) {
    await person.request({ op: 'commit', dryRun: false, hunks: take, discard: reject });
  } else {
    if (take.length > 0) await s.succeed(['commit', '--yes', ...words(take)]);
    if (reject.length > 0) await s.succeed(['abort', '--yes', ...words(reject)]);
  }
  await judge(s, cases, new Set(inseparable));
  await s.cli(['abort', '--yes']);
  return inseparable.length;
}

function makeCase(s: Session, random: Random, name: string): Case {
  const end = random.below(4) === 0 ? '\r\n' : '\n';
  // Few different lines: what is the same elsewhere is hard to tell apart.
  const marks = random.below(4) === 0 ? 'é\udce9€' : 'abc';
  const line = (): string => `${marks.charAt(random.below(3))}${random.below(4) === 0 ? random.below(9) : ''}${end}`;
  const old = Array.from({ length: random.below(30) }, line);
  const edited = old.flatMap((one) => {
    const dice = random.below(12);
    if (dice === 0) return [];
    if (dice === 1) return [line(), one];
    return dice === 2 ? [line()] : [one];
  });
  if (edited.join('') === old.join('')) edited.push(line());
  const withEnd = (lines: readonly string[]): string =>
    lines.join('').slice(0, random.below(4) === 0 ? -end.length : undefined);
  const [before, after] = [withEnd(old), withEnd(edited)];
  const text = textChangeOf(toBytePath(join(s.project, name)), before, after);
  const decide = (): Decision | undefined => (['take', 'reject', undefined] as const)[random.below(3)];
  const byHunk = random.below(3) === 0;
  const said = new Map(
    text.hunks.map((hunk) => {
      const all = decide();
      return [hunk, changed(hunk).map(() => (byHunk ? all : decide()))] as const;
    }),
  );
  return { name, before, after, text, said, mode: random.below(5) === 0 ? { said: decide() } : undefined };
}

/** By the product's plan, from what was said of each line. Keys are what the command line tells. */
function planFor(s: Session, cases: readonly Case[], rows: ReadonlyMap<string, Row>): ReturnType<typeof planOf> {
  const decisions = new Map<Unit, Decision>();
  const units: Unit[] = [];
  const add = (unit: Unit, decision: Decision | undefined): void => {
    units.push(unit);
    if (decision !== undefined) decisions.set(unit, decision);
  };
  for (const { name, text, said, mode } of cases) {
    const path = toBytePath(join(s.project, name));
    const row = rows.get(join(s.project, name));
    assert.deepEqual(
      row?.hunks?.map(({ key }) => key) ?? [],
      text.hunks.map(({ key }) => key),
      name,
    );
    const common = { change: { path, change: 'modified', type: 'file' }, lines: [], files: 1 } as const;
    for (const [hunk, lines] of said) {
      const unit: Unit = { ...common, what: 'hunk', keys: [], hunk: { text, hunk, numbers: numbersOf(hunk) } };
      for (const part of decidedUnits(unit, { lines })) add(part.unit, part.decision);
    }
    const key = row?.sections.mode;
    assert.equal(key !== undefined, mode !== undefined, name);
    if (key !== undefined) add({ ...common, what: 'mode', keys: [key] }, mode?.said);
  }
  return planOf({ units, containers: [] }, (unit) => decisions.get(unit));
}

function words(wishes: readonly Wish[]): string[] {
  return wishes.flatMap(({ key, lines }) =>
    lines === undefined ? ['--hunk', key] : ['--lines', `${key}:${lines.join(',')}`],
  );
}

async function judge(s: Session, cases: readonly Case[], inseparable: ReadonlySet<BytePath>): Promise<void> {
  const shown = await s.sh('for f in f*; do echo "$f $(stat -c %a $f) $(base64 -w0 $f)"; done');
  const view = new Map(shown.split('\n').map((line) => [line.split(' ')[0], line.split(' ').slice(1)]));
  for (const one of cases) {
    const { name, after, mode } = one;
    const kept = inseparable.has(toBytePath(join(s.project, name)));
    const expected = patched(one, (decision) => decision === 'take');
    const left = kept ? after : patched(one, (decision) => decision !== 'reject');
    const story = JSON.stringify({ ...one, said: [...one.said.values()] });
    assert.equal(decodeText(readFileSync(join(s.project, name))), expected, `the real file: ${story}`);
    const [bits, content = ''] = view.get(name) ?? [];
    assert.equal(decodeText(Buffer.from(content, 'base64')), left, `the view: ${story}`);
    if (mode === undefined) continue;
    assert.equal(statSync(join(s.project, name)).mode & 0o777, mode.said === 'take' ? 0o755 : 0o644, story);
    assert.equal(bits, mode.said === 'reject' ? '644' : '755', story);
  }
  await judgeByGit(s, cases);
}

/** The old text with those changed lines that are chosen, by the numbers of the hunks alone. */
function patched({ before, said }: Case, isChosen: (decision: Decision | undefined) => boolean): string {
  const old = linesOf(before);
  const result: string[] = [];
  let at = 0;
  for (const [hunk, decisions] of said) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    result.push(...old.slice(at, start));
    at = start;
    let number = 0;
    for (const [index, line] of hunk.lines.entries()) {
      if (line.startsWith('\\')) continue;
      const isLast = hunk.lines[index + 1]?.startsWith('\\') === true;
      const text = `${line.slice(1)}${isLast ? '' : '\n'}`;
      if (line.startsWith(' ')) result.push(text);
      else {
        const chosen = isChosen(decisions[number]);
        number += 1;
        if (line.startsWith('+') === chosen) result.push(text);
      }
      if (!line.startsWith('+')) at += 1;
    }
  }
  result.push(...old.slice(at));
  return result.map((line, index) => (index < result.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('');
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What git makes of the old files by a patch of the lines that were taken. It knows no patch in the middle of a line that does not end. */
async function judgeByGit(s: Session, cases: readonly Case[]): Promise<void> {
  const judged = cases.filter(({ before, after }) => [before, after].every((text) => text.endsWith('\n')));
  const top = join(s.root, 'by-git');
  mkdirSync(top, { recursive: true });
  const patches: string[] = [];
  for (const one of judged) {
    writeFileSync(join(top, one.name), encodeText(one.before));
    const hunks = [...one.said].map(([hunk, decisions]) => selectedHunk(hunk, decisions)).filter((hunk) => hunk !== '');
    if (hunks.length > 0)
      patches.push(`diff --git a/${one.name} b/${one.name}\n--- a/${one.name}\n+++ b/${one.name}\n${hunks.join('')}`);
  }
  if (patches.length === 0) return;
  const options = {
    cwd: top,
    input: encodeText(patches.join('')),
    env: { ...CLEAN_ENV, GIT_CEILING_DIRECTORIES: s.root },
  };
  const { code, stderr } = await exec(['git', 'apply', '--recount', '--whitespace=nowarn', '-'], options);
  assert.equal(code, 0, `${stderr}\n${patches.join('')}`);
  for (const { name } of judged)
    assert.equal(
      readFileSync(join(top, name), 'latin1'),
      readFileSync(join(s.project, name), 'latin1'),
      `git: ${name}`,
    );
}

/** As `git add -e` would have it: what is not taken of the old lines stays, of the new ones it is left out. */
function selectedHunk(hunk: KeyedHunk, decisions: readonly (Decision | undefined)[]): string {
  let [number, taken] = [0, 0];
  const lines = hunk.lines.flatMap((line) => {
    if (line.startsWith(' ')) return [line];
    const chosen = decisions[number] === 'take';
    number += 1;
    if (chosen) taken += 1;
    if (chosen) return [line];
    return line.startsWith('-') ? [` ${line.slice(1)}`] : [];
  });
  if (taken === 0) return '';
  return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@\n${lines.join('\n')}\n`;
}

function changed({ lines }: KeyedHunk): string[] {
  return lines.filter((line) => /^[-+]/.test(line));
}
