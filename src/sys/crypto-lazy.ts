/** Digests and unique names for what an agent waits for: `node:crypto` takes milliseconds to load and is rarely needed there. */
import { createRequire } from 'node:module';

function crypto(): typeof import('node:crypto') {
  return createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
}

/** SHA-256 of a text's UTF-8, in hexadecimal. */
export function sha256Hex(text: string): string {
  return crypto().createHash('sha256').update(text).digest('hex');
}

/** A name that nobody can guess. */
export function uniqueName(): string {
  return crypto().randomUUID();
}

/** So many random bytes, in hexadecimal. */
export function randomHex(bytes: number): string {
  return crypto().randomBytes(bytes).toString('hex');
}
