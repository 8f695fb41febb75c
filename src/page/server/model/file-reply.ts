/** One file as the page gets it: what of it is decided alone, and its lines, a page of them at a time. */
import type { PathChange } from '../../../history/diff/changes.ts';
import type { Facts } from '../../../history/diff/facts.ts';
import { attributesOf } from '../../../history/diff/side-attributes.ts';
import { label } from '../../../sys/bytes.ts';
import type { Decision, FileReply, Section, SectionName, ShownHunk } from '../../protocol.ts';
import type { FileText, HunkRows } from '../text/file-text.ts';
import { type Part, wordOf } from './decisions.ts';

export interface Page {
  readonly from: number;
  readonly count: number;
  /** Instead of `from`: the row that this hunk begins with. */
  readonly hunk?: number | undefined;
}

/** All of a reply but what the model says of the entry. */
export type FileBody = Omit<FileReply, 'version' | 'entry' | 'notices'>;

export interface Body {
  readonly change: PathChange;
  readonly facts: Facts;
  readonly text: FileText;
  readonly page: Page;
  /** What was decided of a key; undefined: nothing of it can be decided, as of a comparison. */
  readonly partOf: ((key: string) => Part) | undefined;
}

export function fileBody({ change, facts, text, page, partOf }: Body): FileBody {
  const { kind, hunkCount, rows, added, removed } = text;
  const from = (page.hunk === undefined ? undefined : text.startOf(page.hunk)) ?? page.from;
  const sections =
    partOf === undefined
      ? []
      : [...text.sections].map(([name, key]) => sectionOf(name, key, { change, facts, partOf }));
  const hunks = text.page(from, page.count).map((hunk) => shownHunk(hunk, partOf));
  return { ...{ kind, sections, hunks, hunkCount, from, rows, added, removed }, ...sizesOf(change, facts) };
}

function sizesOf({ oldSide, newSide }: PathChange, facts: Facts): { oldSize?: number; newSize?: number } {
  const [oldSize, newSize] = [oldSide, newSide].map((side) => side && facts.size(side.backing));
  return { ...(oldSize === undefined ? {} : { oldSize }), ...(newSize === undefined ? {} : { newSize }) };
}

function shownHunk({ key, ...rows }: HunkRows, partOf: Body['partOf']): ShownHunk {
  const part = key === undefined ? undefined : partOf?.(key);
  return {
    ...{ ...rows, choice: wordOf(part) },
    ...(key === undefined || partOf === undefined ? {} : { key }),
    ...(part === undefined || 'decision' in part ? {} : part),
  };
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
