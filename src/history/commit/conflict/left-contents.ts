/**
 * What a commit left in the base, found as a merge base: for a commit of what was there before it. It is copied back into the store
 * after each commit (runner/restore-objects.ts).
 */
import { type BaseStamp, stampOfFile } from '../../../staging/base-stamps.ts';
import type { Fingerprint, Time } from '../../../staging/inode.ts';
import type { Backing } from '../../../staging/recorder.ts';
import { S_IFREG } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import type { Place, Step } from '../plan/steps.ts';
import { bytesOf } from './by-itself.ts';
import type { MergeBases } from './merge-bases.ts';

/** A file that a commit put into the base. */
export type LeftFile = Pick<Place, 'id' | 'size' | 'attributes'>;

type Find = Pick<MergeBases, 'find'>;

/** As `mergeBases`, and with what these steps have put or written into the base. */
export function withLeft(mergeBases: Find, steps: readonly Step[], facts: Facts): Find {
  const left = new Map<BaseStamp, Backing>();
  for (const step of steps) {
    const mtime = step.do === 'place' || step.do === 'rewrite' ? step.attributes.mtime : undefined;
    if ((step.do !== 'place' && step.do !== 'rewrite') || mtime === undefined) continue;
    const { object } = step;
    left.set(stampOfFile(S_IFREG, leftPrint(step, mtime)), { kind: 'object', object, path: undefined });
  }
  return {
    find: (stamp) => {
      const backing = left.get(stamp);
      return mergeBases.find(stamp) ?? (backing && bytesOf(backing, facts));
    },
  };
}

/** What is known of such a file; nobody knows which ctime it got. */
export function leftPrint(
  { id: { dev, ino }, size }: Pick<LeftFile, 'id' | 'size'>,
  mtime: Time,
): Omit<Fingerprint, 'nlink'> {
  return { dev, ino, size, mtime, ctime: { sec: 0, nsec: 0 } };
}
