/** What was merged of a conflict becomes staged, in the FUSE thread between two requests. */

import { inodeAt } from '../../history/commit/conflict/by-itself.ts';
import type { Merged } from '../../history/commit/conflict/resolve.ts';
import { copyTree } from '../../history/commit/select/selection.ts';
import { Facts } from '../../history/diff/facts.ts';
import { backingOf } from '../../staging/backing.ts';
import type { Mutation } from '../../staging/recorder.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import type { ObjectId } from '../../sys/bytes.ts';
import { ENOSPC, type Errno, OK, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { LiveSession } from './live-session.ts';

const CANNOT_STORE = 'cannot store what was merged';

/** As if somebody had written the files in the view. Throws a SystemError. */
export function writeMerged(session: LiveSession, merged: readonly Merged[]): Shown {
  const { tree, base, store, history, overlay } = session;
  const target = copyTree(tree, new Facts(base, store));
  for (const { path, content } of merged) {
    const inode = inodeAt(target, path);
    if (inode === undefined) continue;
    const object = storeContent(session, content);
    const time = libc.coarseTime();
    const about = { path, ino: inode.ino, fingerprint: undefined, pre: backingOf(inode) };
    record(session, { tag: 'S', how: 'content', ...about, object });
    target.setContent(inode, { object, gen: history.generation });
    const change = { attributes: { mtime: time }, changed: 0, xattr: undefined };
    record(session, { tag: 'M', ...about, ...change });
    target.change(inode, change);
  }
  return overlay.treeSwitch.show(target);
}

function record({ history }: LiveSession, mutation: Mutation): void {
  orThrow(history.record(mutation, libc.coarseTime(), { pid: process.pid }), 'cannot write the journal');
}

/** A new object with this content. Throws a SystemError. */
export function storeContent({ history, store }: Pick<LiveSession, 'history' | 'store'>, content: Buffer): ObjectId {
  const made = store.createNext(() => history.nextObject());
  if (typeof made === 'number') throw new SystemError(CANNOT_STORE, made);
  const { object, fd } = made;
  const written = content.length === 0 ? 0 : libc.pwrite(fd, content, content.length, 0);
  libc.close(fd);
  if (written === content.length) return object;
  store.remove(object);
  // A short write to a regular file means that the space ran out on the way.
  throw new SystemError(CANNOT_STORE, written < 0 ? (-written as Errno) : ENOSPC);
}

function orThrow(errno: Errno, what: string): void {
  if (errno !== OK) throw new SystemError(what, errno);
}
