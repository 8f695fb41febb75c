/** SHA-256 of many short texts. Where Node has a function for it (20.12) that makes no object for each, which would have to be collected. */
import * as crypto from 'node:crypto';

type Hash = (algorithm: 'sha256', text: string, encoding: 'base64url') => string;
const { hash } = crypto as { readonly hash?: Hash };

/** Of its UTF-8; 43 characters. */
export function sha256(text: string): string {
  return hash?.('sha256', text, 'base64url') ?? crypto.createHash('sha256').update(text).digest('base64url');
}
