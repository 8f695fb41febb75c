/** What a command in the view, or beside it, takes: time by the clock, processor time of all who work for it, and requests. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/daemon/client.ts';
import type { ProtocolServer } from '../../test/sources/servers/chroma-protocol.ts';
import { succeed } from '../../test/support/exec.ts';
import { cpuOf, type ViewShell } from '../history/bench-session.ts';
import { median } from '../measure.ts';

export interface Took {
  readonly ms: number;
  /** Processor time of the command, of the daemon, and of the server with this process around it. */
  readonly cpu: number;
  readonly daemon: number;
  readonly server: number;
  /** What the kernel asked of the view, and the daemon of the server. */
  readonly requests: number;
  readonly asked: number;
}

/** Of processor time within so long; what it does when it is over is done by then. */
const IDLE_MS = 3;
const SAMPLE_MS = 250;

export class Meter {
  readonly #shell: ViewShell;
  readonly #client: Client;
  readonly #server: ProtocolServer;

  constructor(parts: { readonly shell: ViewShell; readonly client: Client; readonly server: ProtocolServer }) {
    this.#shell = parts.shell;
    this.#client = parts.client;
    this.#server = parts.server;
  }

  inView(command: string): Promise<Took> {
    return this.around(async () => said(await this.#shell.do(`sh -c '${timed(command)}' | tr '\\n' ' '`)));
  }

  onHost(command: string): Promise<Took> {
    return this.around(async () => said(await succeed(['sh', '-c', timed(command)])));
  }

  async around(run: () => Promise<Pick<Took, 'ms' | 'cpu'>>): Promise<Took> {
    const { pid } = this.#client.hello;
    await this.#settled(pid);
    const [asked, requests] = [this.#server.asked.length, await this.#requests()];
    const [server, daemon] = [process.cpuUsage(), cpuOf(pid)];
    const took = await run();
    const spent = process.cpuUsage(server);
    return {
      ...took,
      daemon: cpuOf(pid) - daemon,
      server: (spent.user + spent.system) / 1000,
      requests: (await this.#requests()) - requests,
      asked: this.#server.asked.length - asked,
    };
  }

  /** The daemon goes on for a while with what nobody waits for: that is no part of what comes next. */
  async #settled(pid: number): Promise<void> {
    for (let before = Number.NEGATIVE_INFINITY, now = cpuOf(pid); now - before > IDLE_MS; now = cpuOf(pid)) {
      before = now;
      await pause(SAMPLE_MS);
    }
  }

  async #requests(): Promise<number> {
    const { opcodes } = await this.#client.request({ op: 'stats' });
    return Object.values(opcodes).reduce((sum, count) => sum + count, 0);
  }
}

/** What is said beside a figure: medians of what it took. */
export function noteOf(all: readonly Took[]): string {
  const of = (pick: (took: Took) => number): string => median(all.map(pick)).toFixed(0);
  const cpu = `processor ${of((one) => one.cpu)} ms, daemon ${of((one) => one.daemon)}, server ${of((one) => one.server)}`;
  return `${cpu}; ${of((one) => one.requests)} requests of the kernel, ${of((one) => one.asked)} to the server`;
}

/** Into /dev/null GNU grep writes no more than one line. */
function timed(command: string): string {
  return `s=$(date +%s%N); ${command} | wc -c > /dev/null; e=$(date +%s%N); echo $(( (e - s) / 1000 ))e-3; times`;
}

/** What `timed` prints. */
function said(text: string): Pick<Took, 'ms' | 'cpu'> {
  const [ms = '', ...times] = text.trim().split(/\s+/);
  return { ms: Number(ms), cpu: times.map(milliseconds).reduce((sum, one) => sum + one, 0) };
}

/** Of `0m0.12s`. */
function milliseconds(text: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
}
