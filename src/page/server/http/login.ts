/**
 * Who may come in. The token of the address is used once; what it gives is a cookie and a key, and every request needs both: a
 * browser shows cookies to every port of a host, and the key to this one alone.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const BYTES = 32;
/** Wrong tokens that are answered as such in one window of time; the right one is always taken. */
const MOST_WRONG = 10;
const WINDOW_MS = 10_000;

export interface Pass {
  /** As `Set-Cookie` has it. */
  readonly cookie: string;
  readonly key: string;
}

export class Login {
  #token: string | undefined;
  readonly #passes: { readonly cookie: string; readonly key: string }[] = [];
  #wrong: number[] = [];

  /** A new token; one that was not used yet is worth nothing from now on. */
  issue(): string {
    this.#token = secret();
    return this.#token;
  }

  /** Undefined for any token but the one that was issued last, and for that the second time. */
  enter(token: string, port: number): Pass | undefined {
    if (this.#token === undefined || !isEqual(token, this.#token)) return undefined;
    this.#token = undefined;
    const [cookie, key] = [secret(), secret()];
    this.#passes.push({ cookie, key });
    return { cookie: `${cookieName(port)}=${cookie}; HttpOnly; SameSite=Strict; Path=/`, key };
  }

  /** Whether another wrong token is one too many for now. */
  isTired(): boolean {
    const now = performance.now();
    this.#wrong = this.#wrong.filter((at) => now - at < WINDOW_MS);
    this.#wrong.push(now);
    if (this.#wrong.length > MOST_WRONG) this.#wrong.pop();
    return this.#wrong.length >= MOST_WRONG;
  }

  isIn({ headers }: IncomingMessage, key: string, port: number): boolean {
    const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim());
    const prefix = `${cookieName(port)}=`;
    const given = cookies.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
    return this.#passes.some((pass) => given.some((one) => isEqual(one, pass.cookie)) && isEqual(key, pass.key));
  }
}

function cookieName(port: number): string {
  return `yolofs-${port}`;
}

function secret(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** In a time that says nothing of where they differ. */
function isEqual(given: string, right: string): boolean {
  const [a, b] = [given, right].map((one) => createHash('sha256').update(one).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
