/** A program on a terminal of its own, and what a person would type at it. */
import { spawn } from 'node:child_process';
import { type Account, become } from './accounts.ts';
import { CLEAN_ENV, SLOWNESS } from './exec.ts';

/** Waits for something to appear after what was waited for before, then types; a function may do something first. */
export type Line = readonly [waitFor: RegExp, type: string | (() => string)];

export interface ConversationOptions {
  readonly cwd: string;
  readonly account: Account;
  readonly env?: Readonly<Record<string, string>>;
}

export const CONTROL_C = '\x03';
export const CONTROL_D = '\x04';
export const CONTROL_Z = '\x1a';

const TIMEOUT_MS = 60_000 * SLOWNESS;

/** Talks to a shell command on a terminal (script(1) makes it) and returns its exit code and all that was shown. */
export function converse(
  command: string,
  lines: readonly Line[],
  { cwd, account, env }: ConversationOptions,
): Promise<{ code: number | null; shown: string }> {
  const [program = '', ...args] = [
    ...become(account),
    'script',
    '--quiet',
    '--return',
    '--command',
    command,
    '/dev/null',
  ];
  const child = spawn(program, args, { cwd, env: { ...CLEAN_ENV, TERM: 'xterm', ...env } });
  return new Promise((resolve, reject) => {
    const waiting = [...lines];
    let shown = '';
    let from = 0;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`waited in vain for ${waiting[0]?.[0] ?? 'the end'} in:\n${shown.slice(from)}`));
    }, TIMEOUT_MS);
    child.stdout.on('data', (piece: Buffer) => {
      shown += piece.toString().replaceAll('\r', '');
      for (const [wanted, reply] of [...waiting]) {
        const found = wanted.exec(shown.slice(from));
        if (found === null) return;
        waiting.shift();
        from += found.index + found[0].length;
        const said = typeof reply === 'string' ? reply : reply();
        // After what is shown last nobody may be there to read.
        if (said !== '') child.stdin.write(said);
      }
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, shown });
    });
  });
}
