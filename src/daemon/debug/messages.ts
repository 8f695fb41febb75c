/** What `yolofs debug` asks a live daemon, and what it is answered. Paths are bytes; all else is printable. */
import type { Measured } from '../../fuse/observer.ts';
import type { BytePath } from '../../sys/bytes.ts';

/** Of the FUSE thread. */
export type Inspect =
  /** `measure`: whether requests are measured from now on; without, that stays as it is. */
  | { readonly what: 'stats'; readonly measure?: boolean }
  | { readonly what: 'pending' }
  | { readonly what: 'tree' }
  | { readonly what: 'inode'; readonly path?: BytePath }
  /** Without a file tracing ends. */
  | { readonly what: 'trace'; readonly file?: string };

/** Of the daemon. */
export type DebugAsk = Inspect | { readonly what: 'plan' };

/** One kind of request; what is measured, only while it is. */
export type OpRow = { readonly op: string; readonly total: number } & Partial<Measured>;

export interface ThreadStats {
  readonly requests: readonly OpRow[];
  readonly isMeasuring: boolean;
  /** How many inodes the kernel knows. */
  readonly nodes: number;
  readonly trace?: { readonly file: string; readonly lines: number; readonly stopped?: string };
}

/** A request of the kernel that is put off; somebody in the view waits for it. */
export interface WaitingFor {
  readonly op: string;
  readonly node: number;
  readonly path?: BytePath;
  readonly pid: number;
  /** Milliseconds. */
  readonly age: number;
  /** What it waits for: `question 3`, `source /sources/docs`, `copy`. */
  readonly for: string;
}

/** What somebody waits for, and for how many milliseconds. */
export interface Underway {
  readonly what: string;
  readonly age: number;
}

/** Of the FUSE thread. */
export interface Inspected {
  readonly stats?: ThreadStats;
  readonly waiting?: readonly WaitingFor[];
  readonly lines?: readonly string[];
}

export interface DebugReply extends Inspected {
  readonly pending?: {
    /** Requests of clients, the oldest first; what needs a turn has it in this order. */
    readonly clients: readonly Underway[];
    /** Orders of the FUSE thread, in the order of their being carried out. */
    readonly orders: readonly Underway[];
    /** Undefined: the FUSE thread does not answer, as it is at an order. */
    readonly waiting: readonly WaitingFor[] | undefined;
  };
  readonly process?: { readonly pid: number; readonly rss: number; readonly heap: number; readonly uptime: number };
}
