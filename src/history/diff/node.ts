/**
 * One file or directory of a state: an inode of that state's override tree, or an entry that it shows as the base
 * has it. What makes two of them the same thing, in two states, is their key.
 */
import { backingOf } from '../../staging/backing.ts';
import type { Attributes, Inode } from '../../staging/inode.ts';
import { basePath } from '../../staging/inode.ts';
import type { Backing } from '../../staging/recorder.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { Stat } from '../../sys/stat.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Side } from './path-change.ts';
import { sideOf } from './path-change.ts';

export interface Node {
  /** undefined: nothing about it, or below it, is staged. */
  readonly inode: Inode | undefined;
  /** Where the base has it; undefined: born in the view. */
  readonly origin: BytePath | undefined;
  /** S_IFMT bits. */
  readonly type: number;
  /** The base entry's attributes, where they were needed to find it. */
  readonly stat: Stat | undefined;
}

/**
 * What a node is, in every state: the inode number for what was born in the view, else the path in the base; for one
 * of several names that the base has for a file, the file's device and number.
 */
export type Key = number | string;

export function keyOf({ inode, origin, type, stat }: Node): Key {
  const link = type === S_IFDIR ? undefined : (linkOf(inode) ?? linkOfStat(stat));
  return link ?? origin ?? inode?.ino ?? 0;
}

/** The key of a base file that has several names. */
export function linkOf(inode: Inode | undefined): string | undefined {
  const print = inode?.type === S_IFDIR ? undefined : inode?.staged?.fingerprint;
  return print === undefined || print.nlink < 2 ? undefined : `${print.dev}:${print.ino}`;
}

export function linkOfStat(stat: Stat | undefined): string | undefined {
  return stat === undefined || stat.nlink < 2 ? undefined : `${stat.dev}:${stat.ino}`;
}

/** Whether a node can have more than one name in its state. */
export function hasManyNames({ inode, type, stat }: Node): boolean {
  return type !== S_IFDIR && ((inode?.staged?.nlink ?? 1) > 1 || linkOf(inode) !== undefined || (stat?.nlink ?? 1) > 1);
}

/** The node that an inode of a tree is. */
export function nodeOf(inode: Inode): Node {
  return { inode, origin: basePath(inode), type: inode.type, stat: undefined };
}

export function contentOf({ inode, origin, type }: Node): Backing {
  if (inode !== undefined) return backingOf(inode);
  return origin === undefined ? { kind: 'other', type } : { kind: 'base', type, path: origin };
}

export function toSide(node: Node): Side {
  if (node.inode !== undefined) return sideOf(node.inode);
  const { stat } = node;
  const known = stat === undefined ? {} : { mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
  return { backing: contentOf(node), ...known };
}

export function stagedAttributes({ inode }: Node): Attributes {
  return inode?.staged?.attributes ?? {};
}

/** CHANGED_* bits. */
export function changedOf({ inode }: Node): number {
  return inode?.staged?.changed ?? 0;
}
