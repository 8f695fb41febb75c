/** What a diff says about one change: blocks in git's form for files and symlinks, notes for what git has no words for. */
import type { BytePath } from '../../../sys/bytes.ts';
import { S_IFLNK, S_IFREG } from '../../../sys/stat.ts';
import type { Facts } from '../facts.ts';
import { typeOf } from '../facts.ts';
import type { PathChange, Side } from '../path-change.ts';
import { fileTypeOf } from '../path-change.ts';
import { attributesOf } from '../side-attributes.ts';
import type { LineDiff } from './hunks.ts';
import { diffLines } from './hunks.ts';
import type { Content } from './load.ts';
import { loadSide, MAX_SHOWN, NOTHING } from './load.ts';
import type { DiffName } from './quote.ts';
import { diffName, fileLine } from './quote.ts';
import { similarity, sketch } from './similarity.ts';

/** A part of a diff: one file's block, or a note. */
export interface FileDiff {
  /** Lines before the hunks, without their ends. */
  readonly header: readonly string[];
  /** Undefined where there is nothing to compare, or it cannot be shown. */
  readonly body: LineDiff | undefined;
  readonly binary: boolean;
}

export interface DiffContext {
  readonly facts: Facts;
  readonly project: BytePath;
}

/** The two ends of one block; either side may be missing. */
interface Pair {
  readonly change: PathChange;
  readonly from: BytePath;
  readonly oldSide: Side | undefined;
  readonly newSide: Side | undefined;
}

/** The parts that one change needs. Reads contents as they are asked for. */
export function* diffChange(change: PathChange, context: DiffContext): Generator<FileDiff, void, undefined> {
  const { path, from = path, oldSide, newSide, replaced } = change;
  if (replaced !== undefined && isFile(replaced))
    yield block({ change, from: path, oldSide: replaced, newSide: undefined }, context);
  const before = change.displaced || !isFile(oldSide) ? undefined : oldSide;
  const after = isFile(newSide) ? newSide : undefined;
  if (before !== undefined && after !== undefined && typeOf(before.backing) !== typeOf(after.backing)) {
    yield block({ change, from, oldSide: before, newSide: undefined }, context);
    yield block({ change, from, oldSide: undefined, newSide: after }, context);
  } else if (before !== undefined || after !== undefined) {
    yield block({ change, from, oldSide: before, newSide: after }, context);
  }
  const notes = [...notesOf(change, context)];
  if (notes.length > 0) yield { header: notes, body: undefined, binary: false };
}

function isFile(side: Side | undefined): boolean {
  const type = side === undefined ? 0 : typeOf(side.backing);
  return type === S_IFREG || type === S_IFLNK;
}

function block(pair: Pair, context: DiffContext): FileDiff {
  const { change, from, oldSide, newSide } = pair;
  const [a, b] = [diffName(from, context.project), diffName(change.path, context.project)];
  const contents = [oldSide, newSide].map((side) => (side === undefined ? NOTHING : loadSide(side, context.facts)));
  const [before = NOTHING, after = NOTHING] = contents;
  const header = [`diff --git ${a.prefixed('a')} ${b.prefixed('b')}`, ...modeLines(pair, context)];
  const same = isSame(before, after);
  if (from !== change.path && oldSide !== undefined && newSide !== undefined) {
    header.push(
      `similarity index ${similarityOf(before, after, same)}%`,
      `rename from ${a.plain}`,
      `rename to ${b.plain}`,
    );
  }
  // Only a change of attributes: nothing that git would make a block of.
  if (same && header.length === 1) return { header: [], body: undefined, binary: false };
  if (same) return { header, body: undefined, binary: false };
  const [oldName, newName] = [
    oldSide === undefined ? '/dev/null' : a.prefixed('a'),
    newSide === undefined ? '/dev/null' : b.prefixed('b'),
  ];
  if (before.kind === 'text' && after.kind === 'text') {
    const names = [`--- ${fileLine(oldName)}`, `+++ ${fileLine(newName)}`];
    return { header: [...header, ...names], body: diffLines(before.text, after.text), binary: false };
  }
  return { header: [...header, unshown([before, after], oldName, newName)], body: undefined, binary: true };
}

function isSame(a: Content, b: Content): boolean {
  if (a === b) return true;
  return 'bytes' in a && 'bytes' in b && a.bytes.equals(b.bytes);
}

function similarityOf(a: Content, b: Content, identical: boolean): number {
  if (!('bytes' in a && 'bytes' in b)) return identical ? 100 : 0;
  return similarity(sketch(a.bytes), sketch(b.bytes), { a: a.bytes.length, b: b.bytes.length, identical });
}

/** The line that stands for contents which are named, not shown. */
function unshown(contents: readonly Content[], oldName: string, newName: string): string {
  const unreadable = contents.find((content) => content.kind === 'unreadable');
  if (unreadable !== undefined) return `Files ${oldName} and ${newName} differ (cannot be read: ${unreadable.why})`;
  if (contents.every((content) => content.kind !== 'large')) return `Binary files ${oldName} and ${newName} differ`;
  return `Files ${oldName} and ${newName} differ (larger than ${MAX_SHOWN >> 20} MiB: 'yolofs review' and 'diff --tool' show it)`;
}

function modeLines({ oldSide, newSide }: Pair, { facts }: DiffContext): string[] {
  const [before, after] = [gitMode(oldSide, facts), gitMode(newSide, facts)];
  if (oldSide === undefined) return [`new file mode ${after}`];
  if (newSide === undefined) return [`deleted file mode ${before}`];
  return before === after ? [] : [`old mode ${before}`, `new mode ${after}`];
}

function gitMode(side: Side | undefined, facts: Facts): string {
  if (side !== undefined && typeOf(side.backing) === S_IFLNK) return '120000';
  const mode = side === undefined ? undefined : attributesOf(side, facts).mode;
  return mode !== undefined && (mode & 0o100) !== 0 ? '100755' : '100644';
}

/** What git has no words for: directories, special files, full modes, owners. */
function* notesOf(change: PathChange, context: DiffContext): Generator<string, void, undefined> {
  const { type, oldSide, newSide, path } = change;
  const name = diffName(path, context.project);
  if (type !== 'file' && type !== 'symlink' && isWorthNoting(change, context)) {
    const from = change.from === undefined ? '' : ` from ${diffName(change.from, context.project).plain}`;
    if (change.change !== 'metadata') yield `# ${type} ${name.plain}: ${change.change}${from}`;
  }
  if (oldSide === undefined || newSide === undefined || change.displaced) return;
  if (fileTypeOf(typeOf(oldSide.backing)) === type) yield* attributeNotes(change, name, context);
}

function* attributeNotes(
  change: PathChange,
  name: DiffName,
  { facts }: DiffContext,
): Generator<string, void, undefined> {
  const { oldSide, newSide, type } = change;
  if (oldSide === undefined || newSide === undefined) return;
  const [before, after] = [attributesOf(oldSide, facts), attributesOf(newSide, facts)];
  const isShown = type === 'file' && gitMode(oldSide, facts) !== gitMode(newSide, facts);
  let said = isShown;
  if (!isShown && type !== 'symlink' && differ(before.mode, after.mode)) {
    said = true;
    yield `# ${type} ${name.plain}: mode ${octal(before.mode)} -> ${octal(after.mode)}`;
  }
  if (differ(before.uid, after.uid) || differ(before.gid, after.gid)) {
    said = true;
    yield `# ${type} ${name.plain}: owner ${before.uid}:${before.gid} -> ${after.uid}:${after.gid}`;
  }
  if (!said && change.change === 'metadata') yield `# ${type} ${name.plain}: times or extended attributes changed`;
}

/** Directories are told of by what is in them, unless they moved or nothing is in them. */
function isWorthNoting({ type, change, oldSide, newSide }: PathChange, { facts }: DiffContext): boolean {
  if (type !== 'directory' || change === 'renamed') return true;
  if (change !== 'deleted') return newSide?.empty !== false;
  if (oldSide?.empty !== undefined) return oldSide.empty;
  return oldSide?.backing.kind !== 'base' || facts.list(oldSide.backing.path)?.length === 0;
}

function differ(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function octal(mode: number | undefined): string {
  return (mode ?? 0).toString(8).padStart(4, '0');
}
