/** What people are told of a command that has failed. */
import { CommanderError } from 'commander';
import { withoutTokens } from '../../history/layout.ts';
import { oneLine } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';
import { UsageError } from '../usage-error.ts';
import { paintFor } from './terminal.ts';

const FAILURE = 1;
const USAGE = 2;

/** Where it is told. */
export interface Teller {
  readonly isTTY: boolean;
  readonly env: NodeJS.ProcessEnv;
  err(text: string): void;
}

/** Tells of an error in a command (`what`: its name and a colon, or nothing); returns the exit code. */
export function tellFailure(error: unknown, what: string, teller: Teller): number {
  const complain = (message: string, hint?: string, details: readonly string[] = []): void => {
    const paint = paintFor(teller, teller.env);
    teller.err(`${paint.red('yolofs:')} ${what}${oneLine(withoutTokens(message))}\n`);
    for (const line of details) teller.err(`  ${oneLine(withoutTokens(line))}\n`);
    if (hint !== undefined) teller.err(`${paint.dim('hint:')} ${oneLine(withoutTokens(hint))}\n`);
  };
  if (error instanceof CommanderError) {
    // Asking for help or the version also arrives as one, with exit code 0.
    if (error.exitCode === 0) return 0;
    const message = error.message.replace(/^error: /, '').replace(/\n/g, ' ');
    if (error.code !== 'commander.help') complain(message, usageHint(what));
    return USAGE;
  }
  if (error instanceof UsageError) {
    complain(error.message, error.hint ?? usageHint(what));
    return USAGE;
  }
  if (error instanceof UserError) {
    complain(error.message, error.hint, error.details);
  } else if (error instanceof SystemError) {
    complain(error.message);
  } else if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    complain('the present directory was removed', 'cd to one that exists');
  } else {
    const defect = error instanceof Error ? error : new Error(String(error));
    const isTracing = Boolean(teller.env.YOLOFS_TRACE);
    const where = isTracing ? undefined : 'YOLOFS_TRACE=all shows where';
    complain(`internal error: ${defect.message.split('\n', 1)[0]}`, where);
    if (isTracing) teller.err(`${defect.stack}\n`);
  }
  return FAILURE;
}

function usageHint(what: string): string {
  if (what === '') return "'yolofs --help' lists the commands";
  return `'yolofs ${what.replace(/: $/, '')} --help' tells how it is used`;
}
