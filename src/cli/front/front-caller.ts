/** A launcher as those see it that work for it. */
import { resolve } from 'node:path';
import type { HookEvent, Malformed } from '../../agents/event.ts';
import type { Layout } from '../../history/layout.ts';
import type { Foreground, ForegroundOptions } from '../../sys/foreground.ts';
import type { Caller } from '../caller.ts';
import type { End, Greeting } from './wire.ts';

/** Node shall do it, in a process of its own. Nothing has been done yet. */
export class Elsewhere extends Error {}

export class FrontCaller implements Caller {
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person at a terminal is in no hurry: their launcher does not come here. */
  readonly canAsk = false;
  readonly isTTY: boolean;
  readonly #stdin: Buffer;
  readonly #project: string;
  #said: End = { code: 0, out: '', err: '' };

  constructor({ program, cwd, env, isTTY, stdin }: Greeting, project: string) {
    this.program = resolve(cwd, program);
    this.cwd = cwd;
    this.env = env;
    this.isTTY = isTTY;
    this.#stdin = stdin;
    this.#project = project;
  }

  /** What the launcher is to print, and its exit code. */
  get said(): End {
    return this.#said;
  }

  readInput(): Buffer {
    return this.#stdin;
  }

  out(text: string): void {
    this.#said = { ...this.#said, out: this.#said.out + text };
  }

  err(text: string): void {
    this.#said = { ...this.#said, err: this.#said.err + text };
  }

  end(code: number): void {
    this.#said = { ...this.#said, code };
  }

  admit(session: Layout): Layout {
    if (session.project !== this.#project) throw new Elsewhere();
    return session;
  }

  /** What waits for a run would hold up the run itself. A directory that is not absolute is the agent's own. */
  hear(event: HookEvent | Malformed): void {
    const isPatient = event.kind === 'done' && event.calls.some((call) => call.background === true);
    if (isPatient || ('cwd' in event && !event.cwd.startsWith('/'))) throw new Elsewhere();
  }

  start(_options: ForegroundOptions): Promise<Foreground> {
    throw new Elsewhere();
  }
}
