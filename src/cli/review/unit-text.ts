/** How one decision looks. */
import { amount } from '../../agents/amount.ts';
import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import { quoteName, shorten } from '../../agents/summary-lines.ts';
import { type Notice, reasonOf } from '../../history/commit/notices/notices.ts';
import type { Decision } from '../../review/pick/plan.ts';
import type { Unit, What } from '../../review/pick/units.ts';
import { oneLine } from '../../sys/bytes.ts';
import { appendTo } from '../../sys/grouped.ts';
import { diffPiece } from '../text/diff-text.ts';
import { listed } from '../text/output.ts';
import type { Paint } from '../text/terminal.ts';

const NAMES: Readonly<Record<Exclude<What, 'whole' | 'directory'>, string>> = {
  hunk: 'this hunk',
  rename: 'this new name',
  mode: 'these attributes',
  content: 'this content',
  git: "git's own files",
  agent: "agents' own state",
  cache: 'caches and logs',
  ignored: 'what git ignores',
};
const KINDS: Readonly<Record<string, string>> = { added: 'addition', deleted: 'deletion' };
const WIDEST = 100;

/** For the agent: what the person left out. */
export function rejectedText(units: readonly Unit[], isGone: boolean, from: Viewpoint): string {
  const byPath = new Map<string, Unit[]>();
  for (const unit of units) {
    const path = showPath(unit.change.path, from, unit.change.type);
    appendTo(byPath, path, unit);
  }
  const said = [...byPath].map(([path, all]) => {
    const hunks = all.filter(({ what }) => what === 'hunk');
    const lines = hunks.map(({ lines }) =>
      quoteName(
        shorten(lines.find((line) => line.startsWith('+')) ?? lines.find((line) => line.startsWith('-')) ?? '', 40),
      ),
    );
    if (hunks.length < all.length) return `${all[0]?.change.change ?? ''} ${quoteName(path)}`;
    return `${amount(hunks.length, 'hunk')} of ${quoteName(path)} (${listed(lines.map(oneLine))})`;
  });
  const outcome = isGone ? 'that was discarded' : 'that stays staged, and is not applied';
  return `the person left out ${listed(said)}; ${outcome}`;
}

/** `Take this hunk` */
export function questionText({ what, change, files }: Unit): string {
  if (what === 'whole') return `Take this ${KINDS[change.change] ?? 'change'}`;
  if (what === 'directory') return `Take this ${KINDS[change.change] ?? 'change'} of ${amount(files, 'file')}`;
  return `Take ${NAMES[what]}${what in NAMES && files > 1 ? ` (${amount(files, 'file')})` : ''}`;
}

/** What is decided, above its question. `notices`: what a person should know of the file. */
export function* unitLines(
  unit: Unit,
  notices: readonly Notice[],
  from: Viewpoint,
  paint: Paint,
): Generator<string, void> {
  const { change, hunk, lines } = unit;
  yield paint.bold(titleOf(unit, from));
  for (const notice of notices) yield paint.red(`look at this: ${reasonOf(notice)}`);
  if (hunk !== undefined) {
    const { oldStart, oldLines, newStart, newLines } = hunk.hunk;
    yield paint.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`);
  }
  for (const line of lines) {
    const isHeader = hunk === undefined && (line.startsWith('--- ') || line.startsWith('+++ '));
    if (isHeader || (change.change !== 'renamed' && line.startsWith('diff --git '))) continue;
    yield diffPiece(`${line}\n`, paint, true).slice(0, -1);
  }
}

/** Of each a line: its number, what was decided, what it is about. */
export function* listLines(
  units: readonly Unit[],
  decisions: ReadonlyMap<Unit, Decision>,
  from: Viewpoint,
): Generator<string, void> {
  for (const [index, unit] of units.entries()) {
    const decision = decisions.get(unit);
    const mark = decision === undefined ? ' ' : decision === 'take' ? '+' : '-';
    const first = unit.hunk === undefined ? '' : ` ${unit.lines.find((line) => /^[-+]/.test(line)) ?? ''}`;
    const number = String(index + 1).padStart(3);
    yield diffPiece(`${number}${mark} ${titleOf(unit, from)}${first}\n`, PLAIN, true)
      .slice(0, WIDEST)
      .trimEnd();
  }
}

const PLAIN = {
  ...{ red: same, green: same, yellow: same },
  ...{ cyan: same, bold: same, dim: same },
};

function same(text: string): string {
  return text;
}

function titleOf({ what, change, files }: Unit, from: Viewpoint): string {
  if (what === 'git' || what === 'agent' || what === 'cache' || what === 'ignored')
    return `${NAMES[what]}: ${amount(files, 'file')}`;
  const path = showPath(change.path, from, change.type);
  const name = change.from === undefined ? path : `${showPath(change.from, from, change.type)} → ${path}`;
  return `${change.change} ${name}`;
}
