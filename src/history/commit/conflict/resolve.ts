/**
 * What becomes of conflicts: one of the sides wins, both go together, or a person has to look.
 *
 *     ours      the conflict is left out of the check; where the base has lost the directory around, it is made again
 *     theirs    what is staged there is given up, as by `abort PATH`; refused where there is no conflict
 *     merge     text of both sides is put together, written as if in the view, and then committed
 *
 * Attributes and new names that the view gave go together with content from outside.
 */
import { backingOf } from '../../../staging/backing.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { label } from '../../../sys/bytes.ts';
import { S_IFREG } from '../../../sys/stat.ts';
import { UserError } from '../../../sys/user-error.ts';
import { loadSide } from '../../diff/text/load.ts';
import { type ByItselfOptions, inodeAt, resolvedByItself } from './by-itself.ts';
import { type Conflict, concerns } from './conflict.ts';
import { type Clash, isMergeable, type LineRange, mergeTexts } from './merge.ts';

/** What a person wants done about conflicts; paths stand for what is below them, too. */
export interface Wishes {
  /** The view's version wins here. */
  readonly ours: readonly BytePath[];
  /** The real file's version wins here. */
  readonly theirs: readonly BytePath[];
  /** Elsewhere, texts that can be are put together. */
  readonly merge: boolean;
}

export interface Merged {
  /** In the view. */
  readonly path: BytePath;
  readonly content: Buffer;
}

export interface Outcome {
  /** To be committed whatever is in the base. */
  readonly accepted: readonly BytePath[];
  /** To be given up in the view. */
  readonly dropped: readonly BytePath[];
  /** How many of these because they resolve themselves. */
  readonly yielded: number;
  /** To be written in the view, then committed. */
  readonly merged: readonly Merged[];
  /** For a person. */
  readonly left: readonly Conflict[];
}

/** Decides about each conflict; changes nothing. Throws a UserError when there is none at a path that is to be given up. */
export function resolveConflicts(conflicts: readonly Conflict[], wishes: Wishes, options: ByItselfOptions): Outcome {
  refuseIdle(wishes, conflicts);
  const accepted: BytePath[] = [];
  const dropped: BytePath[] = [];
  const merged: Merged[] = [];
  const left: Conflict[] = [];
  const yielded: BytePath[] = [];
  for (const conflict of conflicts) {
    if (concerns(conflict, wishes.ours)) accepted.push(conflict.path);
    else if (concerns(conflict, wishes.theirs)) dropped.push(placeOf(conflict));
    else {
      const result = resultOf(conflict, wishes, options);
      if (result === 'theirs') yielded.push(placeOf(conflict));
      else if ('content' in result) merged.push({ path: placeOf(conflict), content: result.content });
      if (result !== 'theirs' && 'why' in result)
        left.push(result.why === undefined ? conflict : { ...conflict, why: result.why });
      else if (result !== 'theirs') accepted.push(conflict.path);
    }
  }
  return { accepted, dropped: [...dropped, ...yielded], yielded: yielded.length, merged, left };
}

/** Whoever gives a path up means to keep what is there: without a conflict, the view's version would be committed. */
function refuseIdle({ theirs }: Wishes, conflicts: readonly Conflict[]): void {
  const idle = theirs.find((path) => !conflicts.some((conflict) => concerns(conflict, [path])));
  if (idle === undefined) return;
  throw new UserError(
    `${label(idle)}: nothing that is to be committed there was changed outside`,
    "'yolofs abort PATH' gives up what is staged",
  );
}

/** Where the view has what a conflict is about. */
function placeOf({ path, to = path }: Conflict): BytePath {
  return to;
}

/** What resolves itself, and then what a person wants. */
function resultOf(conflict: Conflict, { merge: isMerging }: Wishes, options: ByItselfOptions): Result | 'theirs' {
  const resolved = resolvedByItself(conflict, options);
  if (resolved === 'ours') return { asIs: true };
  if (resolved !== undefined) return resolved;
  return isMerging ? merge(conflict, options) : { why: undefined };
}

type Result = { readonly content: Buffer } | { readonly asIs: true } | { readonly why: string | undefined };

function merge(conflict: Conflict, { tree, facts, mergeBases }: ByItselfOptions): Result {
  const { ours, theirs, original, was } = conflict;
  const inode = inodeAt(tree, placeOf(conflict));
  if (theirs !== 'modified' || inode?.type !== S_IFREG) return { why: undefined };
  const hasContent = inode.staged !== undefined && inode.staged.object !== 0;
  // Attributes and a new name go with whatever the content is.
  if (!hasContent) return ours === 'metadata' || ours === 'renamed' ? { asIs: true } : { why: undefined };
  const left = bytesOf(loadSide({ backing: backingOf(inode) }, facts));
  const right = bytesOf(loadSide({ backing: { kind: 'base', type: S_IFREG, path: original } }, facts));
  if (left === undefined || right === undefined) return { why: 'cannot be merged: not text of up to 1 MiB' };
  const base = was === undefined ? undefined : mergeBases.find(was);
  if (base === undefined) return { why: 'cannot be merged: the original was not kept' };
  const result = mergeTexts({ original: base, ours: left, theirs: right });
  return Buffer.isBuffer(result) ? { content: result } : { why: result.map(describeClash).join('; ') };
}

function bytesOf(content: ReturnType<typeof loadSide>): Buffer | undefined {
  return 'bytes' in content && isMergeable(content.bytes) ? content.bytes : undefined;
}

function describeClash({ ours, theirs }: Clash): string {
  return `${describeRange(ours)} here, ${describeRange(theirs)} outside`;
}

function describeRange({ from, to }: LineRange): string {
  if (to < from) return `after line ${to}`;
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}
