/** Failures, and how a page comes in. */

export interface Failure {
  /** As in src/sys/error-codes.ts, and `login`, `missing`. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: readonly string[];
}

export interface FailureReply {
  readonly error: Failure;
}

/**
 * POST /api/login, once: the token is what stands behind the `#` of the address. The answer sets a cookie, too. A browser sends cookies
 * to every port of a host, also to a server that an agent runs there: so each later request needs the key, too, in the header
 * `x-yolofs-key`, or for `/api/stream` and `/api/content` as `&key=`. It belongs into sessionStorage, which is of the port alone.
 */
export interface LoginRequest {
  readonly token: string;
}

export interface LoginReply {
  readonly key: string;
}
