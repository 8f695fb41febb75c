/** A command line that means nothing: exit code 2, as for what Commander finds wrong. */
import { UserError } from '../sys/user-error.ts';

export class UsageError extends UserError {
  constructor(message: string, hint?: string) {
    super(message, hint, { code: 'usage' });
  }
}
