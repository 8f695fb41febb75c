/** Errors on their way to a person through threads and sockets. */
import { withoutTokens } from '../history/layout.ts';
import { SystemError } from '../sys/errno.ts';
import { log } from '../sys/log.ts';
import { UserError } from '../sys/user-error.ts';
import type { Failure } from './protocol.ts';

/** What a client is told. What should not have happened is logged with its stack as well. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UserError) {
    return withDetails(withHint(withoutTokens(error.message), error.hint && withoutTokens(error.hint)), error.details);
  }
  if (error instanceof SystemError) return { message: withoutTokens(error.message) };
  const defect = error instanceof Error ? error : new Error(String(error));
  log(defect.stack ?? defect.message);
  return withHint(`internal error: ${withoutTokens(defect.message)}`, "the daemon's log says where");
}

/** The error to throw for a failure that came from elsewhere. */
export function errorOf(failure: Failure): UserError {
  return new UserError(failure.message, failure.hint, failure.details);
}

function withDetails(failure: Failure, details: readonly string[]): Failure {
  return details.length === 0 ? failure : { ...failure, details };
}

function withHint(message: string, hint: string | undefined): Failure {
  return hint === undefined ? { message } : { message, hint };
}
