/** A request that gets no further, and failures as the page reads them. */
import { SystemError } from '../../../sys/errno.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { Failure } from '../../protocol.ts';

export class Rejection extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const STATUS: Readonly<Record<string, number>> = { usage: 400, conflict: 409, outdated: 409, busy: 503, internal: 500 };

export interface Failed {
  readonly status: number;
  readonly failure: Failure;
}

/** Undefined: a defect, of which nobody outside is told more than that. */
export function failedBy(error: unknown): Failed | undefined {
  if (error instanceof Rejection)
    return { status: error.status, failure: { code: error.code, message: error.message } };
  if (error instanceof UserError) return { status: STATUS[error.code] ?? 422, failure: failureOf(error) };
  if (error instanceof SystemError) return { status: 500, failure: { code: 'system', message: error.message } };
  return undefined;
}

export function failureOf({ code, message, hint, details }: UserError): Failure {
  return { code, message, ...(hint === undefined ? {} : { hint }), ...(details.length === 0 ? {} : { details }) };
}
