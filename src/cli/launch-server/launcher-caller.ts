/** A launcher as the commands see it that work for it. */
import { resolve } from 'node:path';
import type { HookEvent, Malformed } from '../../agents/event.ts';
import type { Client } from '../../daemon/client.ts';
import type { Layout } from '../../history/layout.ts';
import type { Foreground, ForegroundOptions } from '../../sys/process/foreground.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Caller } from '../caller.ts';
import { type End, GO, type Greeting, readReport, startLine } from './wire.ts';

/** Node shall do it, in a process of its own. Nothing has been done yet. */
class Elsewhere extends Error {}

/** What a launcher's visit is made of. */
export interface Visitor {
  readonly greeting: Greeting;
  /** The session's directory that this daemon serves. */
  readonly project: string;
  /** Its daemon, for what needs one. */
  readonly daemon: Client | undefined;
  readonly say: (line: string) => void;
}

export class LauncherCaller implements Caller {
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person at a terminal is in no hurry: their launcher does not come here. */
  readonly canAsk = false;
  readonly isTTY: boolean;
  readonly #visitor: Visitor;
  readonly #reports = new Map<'pid' | 'exit', (number: number) => void>();
  #giveUp: (error: Error) => void = () => undefined;
  #said: End = { code: 0, out: '', err: '' };
  #isAdmitted = false;

  constructor(visitor: Visitor) {
    const { program, cwd, env, isTTY } = visitor.greeting;
    this.program = resolve(cwd, program);
    this.cwd = cwd;
    this.env = env;
    this.isTTY = isTTY;
    this.#visitor = visitor;
  }

  /** What the launcher is to print, and its exit code. */
  get said(): End {
    return this.#said;
  }

  /** Whether something may have been done for it: what fails now is told, and not done again elsewhere. */
  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  readInput(): Buffer {
    return this.#visitor.greeting.stdin;
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
    if (session.project !== this.#visitor.project || this.#visitor.daemon === undefined) throw new Elsewhere();
    this.#isAdmitted = true;
    return session;
  }

  /** What waits for a run would hold up the run itself. A directory that is not absolute is the agent's own. */
  hear(event: HookEvent | Malformed): void {
    const isPatient = event.kind === 'done' && event.calls.some((call) => call.background === true);
    if (isPatient || ('cwd' in event && !event.cwd.startsWith('/'))) throw new Elsewhere();
  }

  withDaemon<T>(_session: Layout, work: (daemon: Client) => Promise<T>): Promise<T> {
    if (this.#visitor.daemon === undefined) throw new Elsewhere();
    return work(this.#visitor.daemon);
  }

  /** The launcher starts it, as it has the terminal, the descriptors and the signals. */
  async start({ launcher, program, waits, env }: ForegroundOptions): Promise<Foreground> {
    if (waits === undefined) throw new Elsewhere();
    const argv = launcher(program);
    // perl -T -e SCRIPT -- WORDS
    const [script = '', , ...words] = argv.slice(argv.indexOf('-e') + 1);
    const exit = this.#report('exit');
    // Whoever waits hears of it; that nobody does yet is no defect.
    exit.catch(() => undefined);
    this.#visitor.say(startLine({ script, words, ...this.#changes(env) }));
    return { pid: await this.#report('pid'), exit, go: () => this.#visitor.say(GO) };
  }

  /** One more line of the launcher. */
  listen(line: string): void {
    const report = readReport(line);
    if (report !== undefined) this.#reports.get(report.what)?.(report.number);
  }

  /** The launcher is gone, and with it what it would have said. */
  left(): void {
    this.#giveUp(new UserError("the command's launcher has ended"));
  }

  #report(what: 'pid' | 'exit'): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#reports.set(what, resolve);
      const others = this.#giveUp;
      this.#giveUp = (error) => {
        others(error);
        reject(error);
      };
    });
  }

  /** Perl's own variable has been put right by the launcher already. */
  #changes(wanted: NodeJS.ProcessEnv): { unset: string[]; set: string[] } {
    const isOurs = (name: string): boolean => !name.endsWith('PERL_BADLANG');
    const unset = Object.keys(this.env).filter((name) => wanted[name] === undefined);
    const set = Object.keys(wanted).filter((name) => wanted[name] !== this.env[name]);
    return { unset: unset.filter(isOurs), set: set.filter(isOurs).map((name) => `${name}=${wanted[name]}`) };
  }
}
