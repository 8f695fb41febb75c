/**
 * The launch server: launchers ask it at a socket of their own. What an agent waits for at each of its commands, a hook or a
 * run, is left to a thread of this process that has the command line loaded, as a start of Node takes longer than all the rest
 * of it. The thread is started by the first launcher. What it does to the session it asks for at the control socket, as any
 * client.
 *
 * It works for this user only: the socket lies in the registry, which is closed to others and to views, and a launcher checks who listens.
 */
import { Worker } from 'node:worker_threads';
import type { Layout } from '../../history/layout.ts';
import { log } from '../../sys/log.ts';
import type { LineSocket } from '../../sys/socket.ts';
import { LAUNCH_SERVER } from '../entries.ts';

/** To the thread: what a launcher says; without a line it is gone. From the thread: what it is told; without, it is hung up on. */
export interface LauncherMessage {
  readonly launcher: number;
  readonly line?: string;
}

/** What the thread is started with. */
export interface LaunchServerData {
  readonly session: Layout;
}

/** Longest line of a launcher, in characters: two megabytes, in hexadecimal. */
const LONGEST_LINE = 4 * 1024 * 1024;
/** Connected at a time. */
export const MOST_LAUNCHERS = 64;
const MOST_HEAP_MB = 128;

export class LaunchServer {
  readonly #data: LaunchServerData;
  readonly #launchers = new Map<number, LineSocket>();
  #last = 0;
  #thread: Worker | undefined;

  /** `session`: the one that this process serves. */
  constructor(session: Layout) {
    this.#data = { session };
  }

  /** Serves one launcher. */
  serve(socket: LineSocket): void {
    const launcher = ++this.#last;
    const thread = this.#thread ?? this.#start();
    socket.unref();
    this.#launchers.set(launcher, socket);
    const tell = (message: LauncherMessage): void => thread.postMessage(message);
    const forget = (): void => {
      this.#launchers.delete(launcher);
      tell({ launcher });
    };
    socket.listen((line) => tell({ launcher, line }), forget, LONGEST_LINE);
  }

  #start(): Worker {
    const options = { workerData: this.#data, resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB } };
    const thread = new Worker(LAUNCH_SERVER, options);
    thread.unref();
    thread.on('message', (message: LauncherMessage) => this.#hear(message));
    thread.on('error', (error: Error) => log(`the launch server: ${error.stack ?? error.message}`));
    // Launchers find another way, or say that they have lost theirs.
    thread.on('exit', () => this.#forget());
    this.#thread = thread;
    return thread;
  }

  #hear({ launcher, line }: LauncherMessage): void {
    const socket = this.#launchers.get(launcher);
    if (line === undefined) socket?.end();
    else socket?.send(line);
  }

  #forget(): void {
    this.#thread = undefined;
    for (const socket of this.#launchers.values()) socket.destroy();
  }
}
