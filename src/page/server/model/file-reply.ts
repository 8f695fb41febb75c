/** One file as the page gets it: what of it is decided alone, and its lines, a page of them at a time. */
import { basename } from 'node:path';
import type { PathChange, Side } from '../../../history/changes.ts';
import { type Facts, typeOf } from '../../../history/compare/facts.ts';
import { attributesOf } from '../../../history/compare/side-attributes.ts';
import { type Hunk, hunksOf, splitLines } from '../../../history/text/hunks.ts';
import { type Content, loadSide, NOTHING } from '../../../history/text/load.ts';
import { type Sections, sectionsOf } from '../../../history/text/sections.ts';
import { label } from '../../../sys/bytes.ts';
import { S_IFLNK, S_IFREG } from '../../../sys/stat.ts';
import type { Choice, Decision, FileKind, FileReply, Section, SectionName, ShownHunk } from '../../protocol.ts';
import { type Part, wordOf } from './decisions.ts';

export interface Page {
  readonly from: number;
  readonly count: number;
  /** Instead of `from`: the row that this hunk begins with. */
  readonly hunk?: number | undefined;
}

/** All of a reply but what the model says of the entry. */
export type FileBody = Omit<FileReply, 'version' | 'entry' | 'notices'>;

type KeyedOrNot = Hunk & { readonly key?: string };

/** Kinds of pictures by the end of their names; what is sent says of itself what it is (content.ts). */
const IMAGES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', bmp: 'image/bmp' },
};

/** `partOf`: what was decided of a key; undefined: nothing of it can be decided, as of a comparison. */
export function fileBody(
  change: PathChange,
  facts: Facts,
  page: Page,
  partOf: ((key: string) => Part) | undefined,
): FileBody {
  const found = sectionsOf(change, facts);
  const { kind, hunks } = contentOf(change, facts, found);
  const shown =
    partOf === undefined
      ? []
      : [...found.sections].map(([name, key]) => sectionOf(name, key, { change, facts, partOf }));
  const starts = startsOf(hunks);
  const from = page.hunk === undefined ? page.from : (starts[page.hunk] ?? page.from);
  const end = from + page.count;
  const parts = hunks.flatMap((hunk, index) => slice(hunk, index, { start: starts[index] ?? 0, from, end, partOf }));
  return {
    ...{ kind, sections: shown, hunks: parts, hunkCount: hunks.length, from },
    ...{ rows: starts.at(-1) ?? 0, ...linesOf(hunks), ...sizesOf(change, facts) },
  };
}

/** Of each hunk the row where it begins; then how many rows there are. */
function startsOf(hunks: readonly Hunk[]): number[] {
  const starts = [0];
  for (const { lines } of hunks) starts.push((starts.at(-1) ?? 0) + lines.length);
  return starts;
}

function linesOf(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const { aStart, aEnd, bStart, bEnd } of hunks.flatMap(({ blocks }) => blocks)) {
    added += bEnd - bStart;
    removed += aEnd - aStart;
  }
  return { added, removed };
}

function sizesOf({ oldSide, newSide }: PathChange, facts: Facts): { oldSize?: number; newSize?: number } {
  const [oldSize, newSize] = [oldSide, newSide].map((side) => side && facts.size(side.backing));
  return { ...(oldSize === undefined ? {} : { oldSize }), ...(newSize === undefined ? {} : { newSize }) };
}

function contentOf(
  { path, type, oldSide, newSide, displaced }: PathChange,
  facts: Facts,
  { text }: Sections,
): { readonly kind: FileKind; readonly hunks: readonly KeyedOrNot[] } {
  if (text !== undefined) return { kind: 'text', hunks: text.hunks };
  if (type === 'directory' || type === 'other') return { kind: type, hunks: [] };
  const sides = [displaced === true ? undefined : oldSide, newSide].map((side) => loaded(side, facts));
  const [before, after] = sides;
  if (before === undefined || after === undefined) return { kind: type === 'symlink' ? 'symlink' : 'other', hunks: [] };
  const kinds = sides.map((side) => side?.kind);
  if (kinds.includes('unreadable')) return { kind: 'unreadable', hunks: [] };
  if (kinds.includes('large')) return { kind: 'large', hunks: [] };
  if (before.kind !== 'text' || after.kind !== 'text')
    return { kind: imageType(label(path)) === undefined ? 'binary' : 'image', hunks: [] };
  return {
    kind: type === 'symlink' ? 'symlink' : 'text',
    hunks: hunksOf(splitLines(before.text), splitLines(after.text)),
  };
}

/** By the name; undefined: none that is shown as a picture. */
export function imageType(path: string): string | undefined {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(basename(path)) ?? [];
  const name = extension.toLowerCase();
  return Object.hasOwn(IMAGES, name) ? IMAGES[name] : undefined;
}

/** Undefined: neither a file nor a symlink. */
function loaded(side: Side | undefined, facts: Facts): Content | undefined {
  if (side === undefined) return NOTHING;
  const type = typeOf(side.backing);
  return type === S_IFREG || type === S_IFLNK ? loadSide(side, facts) : undefined;
}

interface Slicing {
  readonly start: number;
  readonly from: number;
  readonly end: number;
  readonly partOf: ((key: string) => Part) | undefined;
}

/** What of a hunk lies in the rows that are asked for. */
function slice(hunk: KeyedOrNot, index: number, { start, from, end, partOf }: Slicing): ShownHunk[] {
  const { oldStart, oldLines, newStart, newLines, lines, key } = hunk;
  const [first, last] = [Math.max(0, from - start), Math.min(lines.length, end - start)];
  if (first >= last) return [];
  const part = key === undefined ? undefined : partOf?.(key);
  const choice: Choice = wordOf(part);
  return [
    {
      ...{ index, oldStart, oldLines, newStart, newLines },
      ...{ lines: lines.slice(first, last), first, total: lines.length, choice },
      ...placeOf(hunk, first),
      ...(key === undefined || partOf === undefined ? {} : { key }),
      ...(part === undefined || 'decision' in part ? {} : part),
    },
  ];
}

/** Where a slice of a hunk begins that does not begin with it. */
function placeOf(
  { lines, oldStart, newStart }: Hunk,
  first: number,
): Pick<ShownHunk, 'oldAt' | 'newAt' | 'changedBefore'> {
  if (first === 0) return {};
  let [oldAt, newAt, changedBefore] = [oldStart, newStart, 0];
  for (let at = 0; at < first; at++) {
    const mark = lines[at]?.charAt(0);
    if (mark === ' ' || mark === '-') oldAt += 1;
    if (mark === ' ' || mark === '+') newAt += 1;
    if (mark === '-' || mark === '+') changedBefore += 1;
  }
  return { oldAt, newAt, changedBefore };
}

interface Context {
  readonly change: PathChange;
  readonly facts: Facts;
  readonly partOf: (key: string) => Part;
}

function sectionOf(name: SectionName, key: string, { change, facts, partOf }: Context): Section {
  const part = partOf(key);
  const choice: Decision = 'decision' in part ? part.decision : 'leave';
  return { name, key, choice, ...wordsOf(name, change, facts) };
}

/** What is different, as words. */
function wordsOf(
  name: SectionName,
  { from, path, oldSide, newSide }: PathChange,
  facts: Facts,
): { before?: string; after?: string } {
  if (name === 'rename' && from !== undefined) return { before: label(from), after: label(path) };
  if (oldSide === undefined || newSide === undefined) return {};
  if (name === 'target') {
    const [before, after] = [oldSide, newSide].map((side) => label(facts.target(side.backing) ?? ''));
    return { before: before ?? '', after: after ?? '' };
  }
  if (name !== 'mode' && name !== 'attributes') return {};
  const [before, after] = [oldSide, newSide].map((side) => {
    const { mode, uid, gid } = attributesOf(side, facts);
    return name === 'mode' ? (mode ?? 0).toString(8).padStart(4, '0') : `${uid ?? '?'}:${gid ?? '?'}`;
  });
  return { before: before ?? '', after: after ?? '' };
}
