/** SHA-256 of many short texts. Where Node has a function for it (20.12) that makes no object for each, which would have to be collected. */
import * as crypto from 'node:crypto';

type Hash = (algorithm: 'sha256', text: string, encoding: 'buffer') => Buffer;
const { hash } = crypto as { readonly hash?: Hash };

/** Of its UTF-8. */
export function sha256(text: string): Buffer {
  return hash?.('sha256', text, 'buffer') ?? crypto.createHash('sha256').update(text).digest();
}
