/** Errors on their way to a person through threads and sockets. */
import { withoutTokens } from '../history/layout.ts';
import { errnoName, SystemError } from '../sys/errno.ts';
import { toErrorCode } from '../sys/error-codes.ts';
import { log } from '../sys/log.ts';
import { UserError } from '../sys/user-error.ts';
import type { Failure } from './protocol.ts';

/** The view is no more, or is being ended. */
export function viewHasEnded(): UserError {
  return new UserError('the view has ended', "the next 'yolofs run' starts it anew");
}

/** What a client is told. What should not have happened is logged with its stack as well. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UserError || error instanceof SystemError) return factsOf(error);
  const defect = error instanceof Error ? error : new Error(String(error));
  log(defect.stack ?? defect.message);
  const message = `internal error: ${withoutTokens(defect.message)}`;
  return { code: 'internal', message, hint: "the daemon's log says where" };
}

/** An error that is meant for people, without the tokens of sessions. */
export function factsOf(error: UserError | SystemError): Failure {
  const message = withoutTokens(error.message);
  if (error instanceof SystemError) return { code: 'system', errno: errnoName(error.errno), message };
  const { code, errno, hint, details } = error;
  return {
    code,
    ...(errno === undefined ? {} : { errno }),
    message,
    ...(hint === undefined ? {} : { hint: withoutTokens(hint) }),
    ...(details.length === 0 ? {} : { details: details.map(withoutTokens) }),
  };
}

/** The error to throw for a failure that came from elsewhere. */
export function errorOf({ message, hint, code, errno, details }: Failure): UserError {
  return new UserError(message, hint, { code: toErrorCode(code), errno, details });
}
