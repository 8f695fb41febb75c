/**
 * What the launcher (../launcher) and the launch server say to each other: lines of words in hexadecimal, so that bytes come through and
 * Perl needs no module.
 *
 *     launcher   GREETING                 once: see `Greeting`
 *     server     elsewhere                nothing was done: Node shall do it
 *                start SCRIPT WORDS UNSET SET
 *                                         evaluate this Perl with these words in a process of its own, without these variables and with those
 *     launcher   pid N                    it runs
 *     server     go                       the daemon knows of it: what waits for that may go on
 *     launcher   exit CODE                it has ended
 *     server     end CODE OUT ERR         print this and end
 */

const VERSION = 'launch 1';

/** Who asks, and for what. */
export interface Greeting {
  /** See `ownFileTree`. */
  readonly place: string;
  readonly cwd: string;
  readonly program: string;
  readonly isTTY: boolean;
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Buffer;
}

/** Undefined for what another version has sent. */
export function readGreeting(line: string): Greeting | undefined {
  const fields = line.split(' ').map((field) => Buffer.from(field, 'hex'));
  const [version = '', place = '', cwd = '', program = '', tty = '', words = '', env = ''] = fields.map(String);
  const stdin = fields[7];
  if (version !== VERSION || stdin === undefined) return undefined;
  return {
    place,
    cwd,
    program,
    isTTY: tty !== '',
    words: words.split('\0'),
    env: Object.fromEntries(env.split('\0').filter(Boolean).map(splitVariable)),
    stdin,
  };
}

function splitVariable(variable: string): [string, string] {
  const at = variable.indexOf('=', 1);
  return at < 0 ? [variable, ''] : [variable.slice(0, at), variable.slice(at + 1)];
}

/** What the launcher is to print, and the exit code. */
export interface End {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What the launcher is to start. */
export interface Start {
  readonly script: string;
  readonly words: readonly string[];
  /** Variables that the launcher's environment has too many, */
  readonly unset: readonly string[];
  /** and too few or otherwise, `NAME=value`. */
  readonly set: readonly string[];
}

export const ELSEWHERE = 'elsewhere';
export const GO = 'go';

export function endLine({ code, out, err }: End): string {
  return `end ${code} ${hex(out)} ${hex(err)}`;
}

export function startLine({ script, words, unset, set }: Start): string {
  return `start ${[script, ...[words, unset, set].map((list) => list.join('\0'))].map(hex).join(' ')}`;
}

/** What the launcher says of what it has started; undefined for anything else. */
export function readReport(line: string): { readonly what: 'pid' | 'exit'; readonly number: number } | undefined {
  const [, what, number] = /^(pid|exit) (\d{1,10})$/.exec(line) ?? [];
  return what === 'pid' || what === 'exit' ? { what, number: Number(number) } : undefined;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
