/** The content of one side of a change, as far as a diff can show it. */

import type { Errno } from '../../../sys/errno.ts';
import { describeErrno } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { S_IFLNK } from '../../../sys/stat.ts';
import { decodeText, isText } from '../../../sys/text/encoding.ts';
import type { Facts } from '../facts.ts';
import { typeOf } from '../facts.ts';
import type { Side } from '../path-change.ts';

/** Bytes up to which a file is read and diffed. */
export const MAX_SHOWN = 8 << 20;

export type Content =
  /** As `decodeText` has it. */
  | { readonly kind: 'text'; readonly text: string; readonly bytes: Buffer }
  | { readonly kind: 'binary'; readonly bytes: Buffer }
  | { readonly kind: 'large'; readonly size: number }
  | { readonly kind: 'unreadable'; readonly why: string };

export const NOTHING: Content = { kind: 'text', text: '', bytes: Buffer.alloc(0) };

/** Loads a regular file's or a symlink's content. */
export function loadSide(side: Side, facts: Facts): Content {
  const { backing } = side;
  if (typeOf(backing) === S_IFLNK) return classify(Buffer.from(facts.target(backing) ?? '', 'latin1'));
  const size = facts.size(backing);
  if (size === undefined) return { kind: 'unreadable', why: 'it is not there any more' };
  if (size > MAX_SHOWN) return { kind: 'large', size };
  const fd = facts.open(backing);
  if (fd < 0) return { kind: 'unreadable', why: describeErrno(-fd as Errno) };
  try {
    return classify(readAll(fd, size));
  } finally {
    libc.close(fd);
  }
}

function readAll(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const n = libc.pread(fd, bytes.subarray(at), size - at, at);
    if (n <= 0) break;
    at += n;
  }
  return bytes.subarray(0, at);
}

function classify(bytes: Buffer): Content {
  return isText(bytes) ? { kind: 'text', text: decodeText(bytes), bytes } : { kind: 'binary', bytes };
}
