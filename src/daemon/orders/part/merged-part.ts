/**
 * What was chosen of a text, told of the text that a merge with a change outside makes of it. The hunks of both are over the same real
 * file; those that would take back the change outside are in the first alone. Pure.
 *
 *     real file ──hunks, some chosen──▶ staged
 *     real file ──hunks, the same chosen──▶ merged
 */
import { applyHunks, type Choice, changedLines } from '../../../history/diff/text/apply-hunks.ts';
import type { Block } from '../../../history/diff/text/hunks.ts';
import { type KeyedHunk, type Sections, type TextChange, textChangeOf } from '../../../history/diff/text/sections.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { decodeText } from '../../../sys/text/encoding.ts';
import type { HunkWish } from './chosen.ts';

interface Chosen {
  /** What the merge has made of it. */
  readonly content: Buffer;
  readonly wishes: readonly HunkWish[];
}

/** Undefined: the real file would not get just what was chosen. */
export function mergedPart(
  path: BytePath,
  { sections, text }: Sections,
  { content, wishes }: Chosen,
): HunkWish[] | undefined {
  const wanted = new Map(wishes.map((wish) => [wish.key, wish]));
  const others = [...sections.values()].filter((key) => wanted.has(key)).map((key) => ({ key }));
  if (text === undefined) return undefined;
  const choices = text.hunks.flatMap((hunk) => choiceOf(hunk, wanted.get(hunk.key)));
  const merged = textChangeOf(path, text.before.join(''), decodeText(content));
  const again = merged.hunks.map((hunk): Choice & { hunk: KeyedHunk } => ({
    hunk,
    lines: linesOf(hunk, merged, placesOf(text, choices)),
  }));
  const isSame = applyHunks(merged.before, merged.after, again) === applyHunks(text.before, text.after, choices);
  return isSame ? [...others, ...again.flatMap(wishOf)] : undefined;
}

function choiceOf(hunk: KeyedHunk, wish: HunkWish | undefined): Choice[] {
  if (wish === undefined) return [];
  return [wish.lines === undefined ? { hunk } : { hunk, lines: new Set(wish.lines) }];
}

function wishOf({ hunk, lines }: Choice & { readonly hunk: KeyedHunk }): HunkWish[] {
  if (lines === undefined || lines.size === 0) return [];
  return [lines.size === changedLines(hunk) ? { key: hunk.key } : { key: hunk.key, lines: [...lines] }];
}

/** Says of each block which of its lines were chosen, from 0. */
function placesOf({ after }: TextChange, choices: readonly Choice[]): ReadonlyMap<string, ReadonlySet<number>> {
  const places = new Map<string, ReadonlySet<number>>();
  for (const { hunk, lines } of choices) {
    let number = 0;
    for (const block of hunk.blocks) {
      const indexes = Array.from({ length: sizeOf(block) }, (_, index) => index);
      const first = number;
      places.set(nameOf(block, after), new Set(indexes.filter((index) => lines?.has(first + index + 1) !== false)));
      number += sizeOf(block);
    }
  }
  return places;
}

function linesOf(
  { blocks }: KeyedHunk,
  { after }: TextChange,
  places: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlySet<number> {
  const lines = new Set<number>();
  let number = 0;
  for (const block of blocks) {
    for (const index of places.get(nameOf(block, after)) ?? []) lines.add(number + index + 1);
    number += sizeOf(block);
  }
  return lines;
}

function sizeOf({ aStart, aEnd, bStart, bEnd }: Block): number {
  return aEnd - aStart + bEnd - bStart;
}

/** Equal for changes of the same old lines to the same new ones. */
function nameOf({ aStart, aEnd, bStart, bEnd }: Block, after: readonly string[]): string {
  return `${aStart} ${aEnd} ${after.slice(bStart, bEnd).join('')}`;
}
