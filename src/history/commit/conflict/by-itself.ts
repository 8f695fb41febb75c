/**
 * Conflicts that nobody has to decide: both sides are the same, or a tool has written one of them by itself
 * (git-index.ts, diff/noise.ts). What a person wrote outside is never given up here, and of what the view has only what
 * can be had again.
 *
 *     the same bytes, attributes that are alike          the real one stays: nothing is lost but a time
 *     a cache, or what git leaves of its last command    the real one stays: it can be had again
 *     one of git's objects or packs                      the real one stays: its name says its content
 *     a reflog                                           both, the lines from outside first
 *     git's index, and one says what the base entry did  the other one; by what it says, not by its bytes
 */
import { backingOf } from '../../../staging/backing.ts';
import type { Inode } from '../../../staging/inode.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { Backing } from '../../../staging/recorder.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { components } from '../../../sys/bytes.ts';
import * as libc from '../../../sys/libc.ts';
import type { Stat } from '../../../sys/stat.ts';
import { S_IFDIR, S_IFMT, S_IFREG } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import { cacheDirectoryOf, noiseOf } from '../../diff/noise.ts';
import type { Conflict } from './conflict.ts';
import { MOST_INDEX, meaningOf } from './git-index.ts';
import type { MergeBases } from './merge-bases.ts';

export interface ByItselfOptions {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  readonly mergeBases: Pick<MergeBases, 'find'>;
  readonly project: BytePath;
}

/** Which side wins, or what both come to; undefined: a person has to look. */
export type ByItself = 'ours' | 'theirs' | { readonly content: Buffer } | undefined;

export function resolvedByItself(conflict: Conflict, options: ByItselfOptions): ByItself {
  const { path, original, theirs, to = path } = conflict;
  if (cacheDirectoryOf(original, options.project) !== undefined) return 'theirs';
  const noise = noiseOf(original);
  if (noise === 'scratch') return 'theirs';
  if (noise === 'object' && theirs !== 'replaced') return 'theirs';
  const inode = inodeAt(options.tree, to);
  if (inode === undefined || inode.type === S_IFDIR || theirs === 'deleted' || theirs === 'replaced') return undefined;
  const stat = options.facts.of(original);
  if (stat === undefined) return undefined;
  const there: Backing = { kind: 'base', type: stat.mode & S_IFMT, path: original };
  if (to === original && isAlike(inode, stat) && options.facts.same(backingOf(inode), there)) return 'theirs';
  if (inode.type !== S_IFREG || noise === undefined) return undefined;
  const [ours, outside] = [bytesOf(backingOf(inode), options.facts), bytesOf(there, options.facts)];
  if (ours === undefined || outside === undefined) return undefined;
  return noise === 'index' ? indexOf(conflict, { ours, outside }, options) : longer(ours, outside);
}

/** What the tree has at a path of the view. */
export function inodeAt(tree: OverrideTree, path: BytePath): Inode | undefined {
  let at: Inode | undefined = tree.root;
  for (const name of components(path)) at = at?.children?.get(name) ?? undefined;
  return at;
}

interface Sides {
  readonly ours: Buffer;
  readonly outside: Buffer;
}

/** Whoever has changed what the index says has it; of another HEAD's index that is never the one that says what it did before. */
function indexOf({ was }: Conflict, { ours, outside }: Sides, { mergeBases }: ByItselfOptions): ByItself {
  const [left, right] = [meaningOf(ours), meaningOf(outside)];
  if (left === undefined || right === undefined) return undefined;
  if (left === right) return 'theirs';
  const original = was === undefined ? undefined : mergeBases.find(was);
  const before = original && meaningOf(original);
  if (before === right) return 'ours';
  return before === left ? 'theirs' : undefined;
}

/** What both have added to a log, the lines from outside first. */
function longer(ours: Buffer, outside: Buffer): ByItself {
  let same = 0;
  while (same < ours.length && same < outside.length && ours[same] === outside[same]) same += 1;
  const from = same === 0 ? 0 : ours.lastIndexOf(0x0a, same - 1) + 1;
  return { content: Buffer.concat([outside, ours.subarray(from)]) };
}

/** Whether the view gives a file no attributes that the real one has not; times do not count. */
function isAlike({ staged }: Inode, stat: Stat): boolean {
  const { mode, uid, gid } = staged?.attributes ?? {};
  if (staged?.xattrs !== undefined && staged.xattrs.size > 0) return false;
  const isSame = (own: number | undefined, real: number): boolean => own === undefined || own === real;
  return isSame(mode, stat.mode & 0o7777) && isSame(uid, stat.uid) && isSame(gid, stat.gid);
}

/** The content of a file; undefined for what is too long, or cannot be read. */
export function bytesOf(backing: Backing, facts: Facts): Buffer | undefined {
  const size = facts.size(backing);
  if (size === undefined || size > MOST_INDEX) return undefined;
  const fd = facts.open(backing);
  if (fd < 0) return undefined;
  const bytes = Buffer.allocUnsafe(size);
  const length = size === 0 ? 0 : libc.pread(fd, bytes, size, 0);
  libc.close(fd);
  return length === size ? bytes : undefined;
}
