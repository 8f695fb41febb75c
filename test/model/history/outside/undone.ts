/** What an undo may do when somebody has changed files since the commit. */
import assert from 'node:assert/strict';
import type { Image } from '../image.ts';
import { differing, isSame } from '../part.ts';

export interface Undone {
  /** `either`: the model cannot say whether a change is in the way. */
  readonly verdict: 'done' | 'refused' | 'either';
  /** What it leaves when it is carried out. */
  readonly base: Image;
}

export interface Committed {
  /** The base before the commit, and after. */
  readonly base: Image;
  readonly after: Image;
  /** Whether it had nothing to do with a path. */
  readonly isFar: (path: string) => boolean;
}

/** `now`: the base of today. */
export function afterUndo({ base, after, isFar }: Committed, now: Image): Undone {
  const edited = differing(after, now);
  const committed = differing(base, after);
  const goal = new Map(base);
  for (const path of edited) {
    const node = now.get(path);
    if (node === undefined) goal.delete(path);
    else goal.set(path, node);
  }
  const isKnown = (content: string): boolean => [...base.values()].some((node) => node.content === content);
  const isWritten = (path: string): boolean => {
    const node = after.get(path);
    return node?.type === 'file' && !isKnown(node.content);
  };
  if (edited.some(isWritten)) return { verdict: 'refused', base: goal };
  const isNear = edited.some((path) => !isFar(path) || committed.some((other) => isRelated(path, other)));
  return { verdict: isNear ? 'either' : 'done', base: goal };
}

/**
 * An undo was carried out although somebody had changed something near: in a directory that has moved it has come along. Fails
 * unless all else is what it was before the commit, and nothing is there that was in neither tree.
 */
export function checkUndone({ base, after }: Committed, now: Image, real: Image): void {
  const edited = differing(after, now);
  const contents = new Set(edited.map((path) => after.get(path)?.content));
  for (const path of differing(base, real)) {
    const [was, is] = [base.get(path), real.get(path)];
    const isKnown = is === undefined || [...now.values()].some((node) => isSame(node, is));
    assert.ok(isKnown, `${JSON.stringify(path)} is neither what it was nor what somebody made of it`);
    const isEdited =
      edited.some((other) => isRelated(path, other)) || (was === undefined ? isKnown : contents.has(was.content));
    assert.ok(isEdited, `${JSON.stringify(path)} was not brought back`);
  }
}

function isRelated(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}
