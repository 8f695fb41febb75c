/**
 * For whom a command works: this process, or a launcher that has handed its words to the session's daemon (launch-server/). The commands
 * that an agent waits for (hot-commands.ts) know their surroundings from here alone.
 */
import type { HookEvent, Malformed } from '../agents/event.ts';
import type { Client } from '../daemon/client.ts';
import { FOR_GUEST, GUEST_DIRECTORY } from '../daemon/sockets/guest-environment.ts';
import type { Layout } from '../history/layout.ts';
import type { Foreground, ForegroundOptions } from '../sys/process/foreground.ts';
import { readInput } from '../sys/process/input.ts';
import { OWN_STREAMS } from './own-process.ts';
import { canAsk } from './questions/ask.ts';

export interface Caller {
  /** The path by which this program was started. */
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether somebody can be asked at a terminal. */
  readonly canAsk: boolean;
  /** Whether stderr is a terminal. */
  readonly isTTY: boolean;
  /** All of stdin. */
  readInput(): Buffer;
  out(text: string): void;
  err(text: string): void;
  /** Says the exit code. */
  end(code: number): void;
  /** The session, which the caller may refuse to work for by throwing. */
  admit(session: Layout): Layout;
  /** Is told what a hook is about to answer, which the caller may refuse by throwing. */
  hear(event: HookEvent | Malformed): void;
  /** As `withDaemon` of connection.ts. */
  withDaemon<T>(session: Layout, work: (daemon: Client) => Promise<T>): Promise<T>;
  /** As `startForeground`. */
  start(options: ForegroundOptions): Promise<Foreground>;
}

/** This process. */
export const SELF: Caller = {
  get program() {
    return process.argv[1] ?? '';
  },
  get cwd() {
    return guestDirectory() ?? process.cwd();
  },
  env: OWN_STREAMS.env,
  get canAsk() {
    return canAsk();
  },
  get isTTY() {
    return OWN_STREAMS.isTTY;
  },
  readInput,
  out: OWN_STREAMS.out,
  err: OWN_STREAMS.err,
  end: (code) => {
    process.exitCode = code;
  },
  admit: (session) => session,
  hear: () => undefined,
  withDaemon: async (session, work) => (await import('./connection.ts')).withDaemon(session, work),
  start: async (options) => (await import('../sys/process/foreground.ts')).startForeground(options),
};

/** Where somebody in the view stands for whom this is carried out: text, of which nothing need be on the host. */
function guestDirectory(): string | undefined {
  return process.env[FOR_GUEST] === undefined ? undefined : process.env[GUEST_DIRECTORY];
}
