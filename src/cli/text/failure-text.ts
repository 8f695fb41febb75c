/** What people are told of a command that has failed, and programs with `--json`. */
import type { CommanderError } from 'commander';
import { factsOf } from '../../daemon/failure.ts';
import type { Failure } from '../../daemon/protocol.ts';
import { withoutTokens } from '../../history/layout.ts';
import { oneLine } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { ERROR_CODES } from '../../sys/error-codes.ts';
import { UserError } from '../../sys/user-error.ts';
import { paintFor } from './terminal.ts';

/** Where it is told. */
export interface Reporter {
  readonly isTTY: boolean;
  readonly env: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
}

/** The command that has failed. */
export interface Failed {
  /** Its name and a colon, or nothing. */
  readonly what: string;
  /** It was asked for JSON: what failed is its last line on stdout, as `{"error":{"code":…,"message":…}}`. */
  readonly asJson?: boolean;
}

/** Tells of an error in a command; returns the exit code. */
export function reportFailure(error: unknown, { what, asJson = false }: Failed, reporter: Reporter): number {
  const found = failureOfCommand(error, what, reporter);
  if (found === undefined) return 0;
  const failure = printable(found);
  const { code, message, hint, details = [] } = failure;
  if (message !== '') {
    const paint = paintFor(reporter, reporter.env);
    reporter.err(`${paint.red('yolofs:')} ${what}${message}\n`);
    for (const line of details) reporter.err(`  ${line}\n`);
    if (hint !== undefined) reporter.err(`${paint.dim('hint:')} ${hint}\n`);
    if (code === 'internal' && isTracing(reporter)) reporter.err(`${(error as Error).stack ?? error}\n`);
    if (asJson) reporter.out(`${JSON.stringify({ error: failure })}\n`);
  }
  return ERROR_CODES[code].exit;
}

function printable(failure: Failure): Failure {
  const { message, hint, details } = failure;
  return {
    ...failure,
    message: oneLine(message),
    ...(hint === undefined ? {} : { hint: oneLine(hint) }),
    ...(details === undefined ? {} : { details: details.map(oneLine) }),
  };
}

/** What Node says of a file that it cannot load, by both of its ways. */
const MISSING: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
const MISSING_HINT = 'npm may be putting another version in its place: call it again; else install it anew';

/** Without a message: all was said before. Undefined: nothing has failed. */
function failureOfCommand(error: unknown, what: string, reporter: Reporter): Failure | undefined {
  if (isOfCommander(error)) {
    // Asking for help or the version also arrives as one, with exit code 0.
    if (error.exitCode === 0) return undefined;
    const message = error.message.replace(/^error: /, '').replace(/\n/g, ' ');
    return { code: 'usage', message: error.code === 'commander.help' ? '' : message, hint: usageHint(what) };
  }
  if (error instanceof UserError || error instanceof SystemError) {
    const failure = factsOf(error);
    return failure.code === 'usage' ? { hint: usageHint(what), ...failure } : failure;
  }
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    return { code: 'refused', message: 'the present directory was removed', hint: 'cd to one that exists' };
  }
  if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) {
    return { code: 'busy', message: 'a part of this program is not there', hint: MISSING_HINT };
  }
  const { message } = error instanceof Error ? error : new Error(String(error));
  const hint = isTracing(reporter) ? {} : { hint: 'YOLOFS_TRACE=all shows where' };
  return { code: 'internal', message: withoutTokens(`internal error: ${message.split('\n', 1)[0]}`), ...hint };
}

/** Told by the exit code that it has, as no other: programs that have no options of ours do not load commander for it. */
function isOfCommander(error: unknown): error is CommanderError {
  return error instanceof Error && 'exitCode' in error;
}

function isTracing({ env }: Reporter): boolean {
  return Boolean(env.YOLOFS_TRACE);
}

function usageHint(what: string): string {
  if (what === '') return "'yolofs --help' lists the commands";
  return `'yolofs ${what.replace(/: $/, '')} --help' tells how it is used`;
}
