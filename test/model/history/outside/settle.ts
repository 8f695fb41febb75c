/** A commit with conflicts, and a wish for each: the view's version, the real file's, or both put together. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import type { LiveView } from '../../../../src/daemon/live-view.ts';
import { type Conflict, ConflictError } from '../../../../src/history/commit/conflict/conflict.ts';
import type { BytePath } from '../../../../src/sys/bytes.ts';
import { bytes, differences, type Image } from '../image.ts';
import type { FakeKernel } from '../kernel.ts';
import { checkMerge, isSame } from '../part.ts';
import type { Wish } from '../steps.ts';
import type { Foreign } from './foreign.ts';

export interface SettleParts {
  readonly live: LiveView;
  readonly kernel: FakeKernel;
  readonly foreign: Foreign;
  readonly before: Image;
  readonly base: Image;
  /** The path that all others are relative to. */
  readonly project: string;
  /** For files of its own. */
  readonly scratch: string;
}

const NO_WISHES = { ours: [], theirs: [], merge: false };

/** What a commit of everything would be refused for. */
export function conflictsOf(live: LiveView): readonly Conflict[] {
  try {
    live.orders.plan({ paths: [], wishes: NO_WISHES });
    return [];
  } catch (error) {
    if (error instanceof ConflictError) return error.conflicts;
    throw error;
  }
}

/** Returns the view that was committed; undefined when the conflicts were left, and nothing has changed. */
export async function settleAndCommit(
  { how, conflicts }: { readonly how: Wish; readonly conflicts: readonly Conflict[] },
  parts: SettleParts,
): Promise<{ view: Image; isCommitted: boolean } | undefined> {
  const { live, kernel, foreign, before, base } = parts;
  const paths = conflicts.map(({ path }) => path);
  const wishes = { ...NO_WISHES, ...(how === 'merge' ? { merge: true } : { [how]: paths }) };
  const merged = how === 'merge' ? expectedMerge(conflicts, parts) : undefined;
  let settled: ReturnType<LiveView['orders']['resolve']>;
  try {
    settled = live.orders.resolve({ paths: [], wishes });
  } catch (error) {
    if (!(error instanceof ConflictError) || how !== 'merge') throw error;
    assert.ok(typeof merged !== 'object', `not merged: ${error.message} ${JSON.stringify(error.details)}`);
    return undefined;
  }
  kernel.forget(settled.invalidations);
  const view = kernel.image();
  assert.ok(merged !== 'clash', 'texts that clash were merged');
  if (how === 'ours') assert.deepEqual(differences(before, view), [], 'the view, for its own version');
  if (how === 'theirs') {
    const selected = conflicts.map(({ path, to = path }) => relative(to, parts));
    checkMerge({ before, after: view, source: base, selected, isAbort: true });
  }
  if (typeof merged === 'object') {
    // Where both sides had the same, or one had set only the time, that stays.
    const isTime = (path: string): boolean => isSame(merged.get(path), view.get(path));
    assert.deepEqual(differences(merged, view, isTime), [], 'the view with what was merged');
  }
  const done = await live.orders.commit(settled.next, () => undefined);
  kernel.forget(done.invalidations);
  if (how !== 'ours') foreign.checkKept(base, [view], foreign.unseen.keys());
  return { view, isCommitted: done.number !== undefined };
}

/** As `git merge-file` says; undefined where the model does not know what the conflict is about. */
function expectedMerge(conflicts: readonly Conflict[], parts: SettleParts): Image | 'clash' | undefined {
  const { foreign, before, base } = parts;
  const image = new Map(before);
  let isClash = false;
  for (const conflict of conflicts) {
    const path = relative(conflict.path, parts);
    if (!foreign.isCertain(path) || conflict.to !== undefined) return undefined;
    const [ours, was, theirs] = [before.get(path), foreign.unseen.get(path), base.get(path)];
    // A file of the base that was moved there is no change of the one that was there.
    if ([...base].some(([other, node]) => other !== path && isSame(node, ours))) return undefined;
    if (ours?.type !== 'file' || was?.type !== 'file' || theirs?.type !== 'file') isClash = true;
    else {
      const texts = [ours.content, was.content, theirs.content];
      // Of bytes that are no text git says nothing, also where both sides are the same.
      const content = ours.content === theirs.content ? ours.content : mergeFile(parts.scratch, texts);
      if (content === undefined) isClash = true;
      else image.set(path, { ...ours, content, mtime: undefined });
    }
  }
  return isClash ? 'clash' : image;
}

function mergeFile(scratch: string, texts: readonly string[]): string | undefined {
  const names = texts.map((text, i) => {
    fs.writeFileSync(`${scratch}/merge-${i}`, text, 'latin1');
    return `${scratch}/merge-${i}`;
  });
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...names], { encoding: 'latin1' });
  return status === 0 ? stdout : undefined;
}

function relative(path: BytePath, { project }: SettleParts): string {
  return path.slice(bytes(project).length + 1);
}
