/** The test's side of resident-main.ts: a process in the view to which one can talk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { become } from '../../support/accounts.ts';
import { CLEAN_ENV } from '../../support/exec.ts';
import { BUILT, MAIN, type Session } from '../../support/session.ts';

export type Ask =
  | { readonly op: 'open'; readonly id: string; readonly path: string; readonly flags: string }
  | { readonly op: 'close' | 'read' | 'fsync' | 'fstat' | 'peek'; readonly id: string }
  | { readonly op: 'write' | 'poke'; readonly id: string; readonly at: number; readonly text: string }
  | { readonly op: 'map'; readonly id: string; readonly length: number }
  | { readonly op: 'chdir' | 'ls' | 'cat' | 'stat' | 'readlink'; readonly path: string }
  | { readonly op: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly op: 'fchmod'; readonly id: string; readonly mode: number }
  | { readonly op: 'utimes'; readonly path: string; readonly time: number }
  | { readonly op: 'put' | 'append'; readonly path: string; readonly text: string }
  | { readonly op: 'cwd' }
  | { readonly op: 'opendir'; readonly id: string; readonly path: string }
  | { readonly op: 'next'; readonly id: string; readonly count: number };

export type Answer = { readonly value: unknown } | { readonly error: string };

/** What a process answers that is no more. */
const ENDED = 'it has ended';

export class Resident {
  readonly #child: ChildProcess;
  readonly #waiting: ((answer: Answer) => void)[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout === null) throw new Error('no pipe');
    createInterface({ input: child.stdout }).on('line', (line) => this.#waiting.shift()?.(JSON.parse(line) as Answer));
    child.once('exit', () => {
      for (const wake of this.#waiting.splice(0)) wake({ error: ENDED });
    });
  }

  /** What it answers; an error's code as text. */
  async ask(ask: Ask): Promise<unknown> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return ENDED;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin?.write(`${JSON.stringify(ask)}\n`);
    });
    return 'error' in answer ? answer.error : answer.value;
  }

  cat(path: string): Promise<unknown> {
    return this.ask({ op: 'cat', path });
  }

  ls(path: string): Promise<unknown> {
    return this.ask({ op: 'ls', path });
  }

  stat(path: string): Promise<unknown> {
    return this.ask({ op: 'stat', path });
  }

  /** Ends it, as the end of its input does. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => {
      this.#child.once('exit', resolve);
    });
    this.#child.stdin?.end();
    await ended;
  }
}

/** Starts one in the view of a session; it is ended with the test. */
export function startResident(t: TestContext, s: Session): Resident {
  const main = join(BUILT, 'test/cli/travel/resident-main.js');
  const argv = [process.execPath, MAIN, 'run', '--quiet', '--no-snapshot', '--', process.execPath, main];
  const [command = '', ...args] = [...become(s.account), ...argv];
  const env = { ...CLEAN_ENV, HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const child = spawn(command, args, { cwd: s.project, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const resident = new Resident(child);
  t.after(() => resident.end());
  return resident;
}
