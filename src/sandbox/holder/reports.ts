/** The lines a holder writes while it makes the view (holder-script.ts), one promise each. */
import type { ChildProcess } from 'node:child_process';
import { UserError } from '../../sys/user-error.ts';
import { refusalOf } from '../refusals.ts';

export type ReportName = 'anchor' | 'fuse' | 'root' | 'shared' | 'ready' | 'echoed';

const LIFELINE = 3;

export class Reports {
  /** Settles when the process has ended. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #known = new Map<ReportName, number>();
  readonly #waiting = new Map<ReportName, { resolve(pid: number): void; reject(error: Error): void }>();
  readonly #deadline: NodeJS.Timeout;
  #failure: UserError | undefined;
  #text = '';
  #complaints = '';

  constructor(child: ChildProcess, timeoutMs: number) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => this.#take(piece));
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#complaints = (this.#complaints + piece).slice(0, 4096);
    });
    child.stdin?.on('error', () => undefined);
    child.once('close', () => this.#fail(this.#whyClosed()));
    this.gone = new Promise((resolve) => {
      child.once('exit', () => {
        // Whatever else holds on to the lifeline must end too.
        child.stdio[LIFELINE]?.destroy();
        resolve();
      });
    });
    this.#deadline = setTimeout(() => this.#fail(`no answer within ${timeoutMs / 1000} seconds`), timeoutMs);
  }

  /** The process id that comes with a report. Rejects with a UserError when a step failed. */
  async next(name: ReportName): Promise<number> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#failure !== undefined) throw this.#failure;
    return new Promise((resolve, reject) => {
      this.#waiting.set(name, { resolve, reject });
    });
  }

  /** Whether that report has come already. */
  has(name: ReportName): boolean {
    return this.#known.has(name);
  }

  /** As `next`, of a report that comes again and again: the first one from now on. */
  again(name: ReportName): Promise<number> {
    this.#known.delete(name);
    return this.next(name);
  }

  /** Before the first report only the namespaces can have failed, and unshare(1) has said why. */
  #whyClosed(): string {
    const complaint = this.#complaints.split('\n')[0] || 'the process that holds the view ended';
    return this.#known.size === 0 ? `user namespace: ${complaint}` : complaint;
  }

  #take(piece: string): void {
    const lines = (this.#text + piece).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const [name = '', pid = ''] = line.split(' ');
      if (name === 'error') this.#fail(line.slice('error '.length));
      else if (/^\d+$/.test(pid)) this.#report(name as ReportName, Number(pid));
    }
  }

  #report(name: ReportName, pid: number): void {
    if (name === 'ready') clearTimeout(this.#deadline);
    this.#known.set(name, pid);
    this.#waiting.get(name)?.resolve(pid);
    this.#waiting.delete(name);
  }

  #fail(why: string): void {
    clearTimeout(this.#deadline);
    if (this.#failure !== undefined) return;
    const { what = why, hint } = refusalOf(why);
    this.#failure = new UserError(`cannot make the view: ${what}`, hint);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    this.#child.kill('SIGKILL');
  }
}
