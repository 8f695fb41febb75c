/**
 * What the launcher (../launcher) and the front say to each other: lines of words in hexadecimal, so that bytes come through and
 * Perl needs no module.
 *
 *     launcher   GREETING                 once: see `Greeting`
 *     front      elsewhere                nothing was done: Node shall do it
 *                start ARGV ENVIRONMENT   start this in a process of yours
 *     launcher   pid N                    it runs
 *                exit CODE                it has ended
 *     front      end CODE OUT ERR         print this and end
 */

const VERSION = 'front 1';

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

export interface End {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export const ELSEWHERE = 'elsewhere';

export function endLine({ code, out, err }: End): string {
  return `end ${code} ${hex(out)} ${hex(err)}`;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
