/** What a session is made of. */
import type { DeviceOptions } from './device.ts';
import type { Ticket } from './filesystem.ts';
import type { SharingEvents } from './nodes.ts';
import type { PendingLimits } from './pending-requests.ts';
import type { Affinity } from './receive/following.ts';
import type { WatchedDescriptor } from './receive/watched.ts';

export interface FuseSessionOptions extends DeviceOptions {
  /** A connection served beside the first. */
  readonly beside?: DeviceOptions;
  /** Hears of what the kernel knows by both connections, and by one of them perhaps wrongly: there it has to forget (`invalEntry`). */
  readonly sharing?: SharingEvents;
  readonly watch?: ReadonlyArray<WatchedDescriptor>;
  /**
   * Called when there is nothing to serve, at most every 100 ms (under load without a pause: once a second). Returns
   * the milliseconds until it wants to be called again; -1 = not before more was served.
   */
  idle?(): number;
  /** Nobody waits for a request any more that was put off: interrupted, unmounted, or without room to wait. */
  onWithdrawn?(ticket: Ticket): void;
  /** Has the session's thread be on the processor of its caller; undefined: it stays where the kernel puts it. */
  readonly affinity?: Affinity | undefined;
  /** How much may be put off at a time. */
  readonly pending?: PendingLimits;
  readonly writeback: boolean;
  /**
   * Let the kernel choose between READDIR and READDIRPLUS. Default false, always the latter: programs list a whole
   * directory before they stat it, which the kernel's guess misses (find over 200,000 files: 163,204 lookups, 5.0 s;
   * without the guess 4 lookups, 3.7 s).
   */
  readonly readdirplusAuto?: boolean;
  /** See ConnectionOptions; default false. */
  readonly autoInvalData?: boolean;
  /** Takes one line about a defect or a protocol violation. */
  log(line: string): void;
}
