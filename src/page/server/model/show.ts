/** Names as the page gets them. */
import { createHash } from 'node:crypto';
import { type BytePath, label, toText } from '../../../sys/bytes.ts';
import type { ShownPath } from '../../protocol.ts';

export function shownPath(path: BytePath): ShownPath {
  const text = label(path);
  return text === toText(path) ? { path: text } : { path: text, bytes: Buffer.from(path, 'latin1').toString('base64') };
}

/** The same for a path at any time, and for no other. */
export function idOf(path: BytePath): string {
  return createHash('sha256').update(path, 'latin1').digest('hex').slice(0, 16);
}
