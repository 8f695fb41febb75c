/** Which files the keys of hunks and sections are about, and what of each was chosen. Reads no other file's content. */
import type { Facts } from '../../../history/diff/facts.ts';
import type { PathChange } from '../../../history/diff/path-change.ts';
import { applyHunks, type Choice, changedLines } from '../../../history/diff/text/apply-hunks.ts';
import type { Hunk } from '../../../history/diff/text/hunks.ts';
import {
  type KeyedHunk,
  keyPrefix,
  prefixOf,
  type Section,
  type Sections,
  sectionsOf,
  type TextChange,
} from '../../../history/diff/text/sections.ts';
import { label } from '../../../sys/bytes.ts';
import { encodeText } from '../../../sys/text/encoding.ts';
import { UserError } from '../../../sys/user-error.ts';

/** A key that a person has chosen; of a hunk perhaps some of its changed lines, from 1 in the order they are shown. */
export interface HunkWish {
  readonly key: string;
  readonly lines?: readonly number[];
}

/** What was chosen of one file. */
export interface ChosenFile {
  readonly change: PathChange;
  /** `all`: as it is staged; `none`: as it was. */
  readonly content: 'all' | 'none' | DividedText;
  /** Mode, owner, times, extended attributes. */
  readonly attributes: boolean;
  /** What a text was. */
  readonly original?: Buffer;
}

/** What a text was, with some of its changes. */
export interface DividedText {
  /** With those that were chosen. */
  readonly chosen: Buffer;
  /** With the others. */
  readonly left: Buffer;
}

const LONGEST_SHOWN = 80;

/** Throws a UserError for a key that stands for nothing in `changes`, and for what cannot be told from the rest. */
export function chosenFiles(wishes: readonly HunkWish[], changes: Iterable<PathChange>, facts: Facts): ChosenFile[] {
  const wanted = new Map(wishes.map((wish) => [wish.key, wish]));
  const prefixes = new Set(wishes.map(({ key }) => prefixOf(key)));
  const files: ChosenFile[] = [];
  for (const change of changes) {
    if (!prefixes.has(keyPrefix(change.path))) continue;
    const chosen = chosenOf(change, sectionsOf(change, facts), wanted);
    if (chosen !== undefined) files.push(chosen);
  }
  const [unknown] = wanted.keys();
  if (unknown !== undefined) throw outdated(`${unknown.slice(0, LONGEST_SHOWN)}: nothing that is staged has this key`);
  return files;
}

/** Takes the keys of one file out of `wanted`; undefined when there is none among them. */
function chosenOf(
  change: PathChange,
  { sections, text }: Sections,
  wanted: Map<string, HunkWish>,
): ChosenFile | undefined {
  const taken = new Set<Section>();
  for (const [section, key] of sections) if (takeWish(wanted, key) !== undefined) taken.add(section);
  const choices = (text?.hunks ?? []).flatMap((hunk) => {
    const wish = takeWish(wanted, hunk.key);
    return wish === undefined ? [] : [choiceOf(hunk, wish)];
  });
  if (taken.size === 0 && choices.length === 0) return undefined;
  const missing = [...sections.keys()].filter((section) => !taken.has(section));
  if (missing.includes('rename')) throw inseparable(change, 'its new name');
  if (taken.has('mode') !== taken.has('attributes') && sections.has('mode') && sections.has('attributes'))
    throw inseparable(change, 'its mode or its owner');
  const isContent = taken.has('whole') || taken.has('binary') || taken.has('target');
  const content = text === undefined ? (isContent ? 'all' : 'none') : textOf(text, choices);
  const isComplete = missing.length === 0 && content === 'all';
  const chosen = { change, content, attributes: isComplete || taken.has('mode') || taken.has('attributes') };
  return text === undefined ? chosen : { ...chosen, original: Buffer.from(text.before.join('')) };
}

function takeWish(wanted: Map<string, HunkWish>, key: string): HunkWish | undefined {
  const wish = wanted.get(key);
  wanted.delete(key);
  return wish;
}

function choiceOf(hunk: KeyedHunk, { key, lines }: HunkWish): Choice {
  const count = changedLines(hunk);
  const wrong = lines?.find((line) => line < 1 || line > count);
  if (wrong !== undefined) throw outdated(`${key}: this hunk has ${count} changed lines, not ${wrong}`);
  return lines === undefined || new Set(lines).size === count ? { hunk } : { hunk, lines: new Set(lines) };
}

function textOf({ before, after, hunks }: TextChange, choices: readonly Choice[]): ChosenFile['content'] {
  if (choices.length === 0) return 'none';
  if (choices.length === hunks.length && choices.every(({ lines }) => lines === undefined)) return 'all';
  const chosen = new Map<Hunk, Choice>(choices.map((choice) => [choice.hunk, choice]));
  const others = hunks.flatMap((hunk) => othersOf(hunk, chosen.get(hunk)));
  return {
    chosen: encodeText(applyHunks(before, after, choices)),
    left: encodeText(applyHunks(before, after, others)),
  };
}

/** What was not chosen of a hunk. */
function othersOf(hunk: KeyedHunk, choice: Choice | undefined): Choice[] {
  if (choice === undefined) return [{ hunk }];
  const { lines } = choice;
  if (lines === undefined) return [];
  const all = Array.from({ length: changedLines(hunk) }, (_, index) => index + 1);
  return [{ hunk, lines: new Set(all.filter((line) => !lines.has(line))) }];
}

function inseparable({ path }: PathChange, what: string): UserError {
  return new UserError(`${label(path)}: ${what} has to be chosen, too: nothing was changed`);
}

function outdated(why: string): UserError {
  const hint = "'yolofs diff --json --hunks' tells what there is now";
  return new UserError(`${why}: nothing was changed`, hint, { code: 'outdated' });
}
