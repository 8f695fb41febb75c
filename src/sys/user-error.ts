/**
 * A failure that is told to the person as it is: one line `<what>: <why>`, and where there is one, a hint on how
 * to mend it. Any floor may throw it where no errno can say enough; only the command line prints it. Everything
 * else that reaches the command line is a defect and is shown with its stack.
 */
import type { ErrorCode } from './error-codes.ts';

export interface ErrorFacts {
  /** Which kind it is of, for programs (default: `refused`). */
  readonly code?: ErrorCode;
  /** The name of the errno that is behind it, such as `ENOSPC`. */
  readonly errno?: string | undefined;
  /** What the message counts, one line each. */
  readonly details?: readonly string[] | undefined;
}

export class UserError extends Error {
  readonly hint: string | undefined;
  readonly code: ErrorCode;
  readonly errno: string | undefined;
  readonly details: readonly string[];

  constructor(message: string, hint?: string, { code = 'refused', errno, details = [] }: ErrorFacts = {}) {
    super(message);
    this.name = 'UserError';
    this.hint = hint;
    this.code = code;
    this.errno = errno;
    this.details = details;
  }
}

/** A file of settings makes no sense, or cannot be changed. */
export class ConfigError extends UserError {
  constructor(message: string, hint?: string) {
    super(message, hint, { code: 'config' });
  }
}
