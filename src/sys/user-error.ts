/**
 * A failure that is told to the person as it is: one line `<what>: <why>`, and where there is one, a hint on how
 * to mend it. Any floor may throw it where no errno can say enough; only the command line prints it. Everything
 * else that reaches the command line is a defect and is shown with its stack.
 */
export class UserError extends Error {
  readonly hint: string | undefined;
  /** What the message counts, one line each. */
  readonly details: readonly string[];

  constructor(message: string, hint?: string, details: readonly string[] = []) {
    super(message);
    this.name = 'UserError';
    this.hint = hint;
    this.details = details;
  }
}
