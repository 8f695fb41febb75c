/**
 * Stands between the code and its system calls: counts them, makes one fail, or lets the process die at one. Who is dead
 * changes nothing on the disk any more: from there on no call that would change something is made, and the caller throws
 * away what it had in memory, as the end of a process does.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { TreeStore } from '../../src/history/timeline/store/tree-store.ts';
import { EIO, type Errno } from '../../src/sys/errno.ts';
import { boundCalls, O_CREAT, O_TRUNC } from '../../src/sys/libc.ts';

export interface Fault {
  /** Counted from 1; beyond the last call nothing happens. */
  readonly at: number;
  /** With an errno: all that follow fail, too. */
  readonly lasting?: boolean;
  /**
   * `kill` counts the calls that change something; `SIGKILL` too, and it is the process that dies; `tear` counts those that
   * write, and does half of one.
   */
  readonly does: 'kill' | 'SIGKILL' | 'tear' | Errno;
  /** With an errno: only what changes something, or makes it durable, counts; otherwise all calls do. */
  readonly changing?: boolean;
  /** Only calls of these names count. */
  readonly named?: RegExp;
}

/** The process would have died here. */
export class Died extends Error {}

type Call = (...args: unknown[]) => unknown;
type Table = Record<string, Call>;

const WRITES = /^(?:p?write)$/;
const CHANGES =
  /^(?:p?write|mkdirat|mknodat|symlinkat|linkat|unlinkat|renameat2|fchmod|fchmodat|fchownat|utimensat|ftruncate|fallocate|copy_file_range|ioctl|lsetxattr|lremovexattr|writeFileSync|rmSync|mkdirSync|chmodSync|save|replace)$/;
const SYNCS = /^(?:fsync|fdatasync|syncfs|syncfsAsync)$/;
/** They cannot fail, or nobody could do anything about it. */
const NEVER = /^(?:close|flock)$/;
/** How `sys/files/files.ts` and `sys/files/text-files.ts` work. */
const FILES = [
  'writeFileSync',
  'rmSync',
  'mkdirSync',
  'chmodSync',
  'readFileSync',
  'readdirSync',
  'opendirSync',
  'lstatSync',
];
/** LMDB makes its system calls itself; what it cannot write, it says. */
const STORE = ['save', 'replace'];

/** Counts from now on, with a fault at one of the calls; `end()` it. */
export class Watch {
  /** Calls so far, of those that count. */
  count = 0;
  /** What was called when the fault came; undefined while it has not. */
  hit: string | undefined;
  isDead = false;
  readonly #fault: Fault;
  readonly #undo: (() => void)[] = [];

  constructor(fault: Fault) {
    this.#fault = fault;
    const libc = boundCalls as unknown as Table;
    this.#replace(libc, Object.keys(libc), (name, errno) =>
      name === 'syncfsAsync' ? Promise.resolve(-errno) : -errno,
    );
    this.#replace(fs as unknown as Table, FILES, (name, errno) => {
      throw Object.assign(new Error(name), { errno: -errno, code: errno === EIO ? 'EIO' : 'ENOSPC' });
    });
    this.#replace(TreeStore.prototype as unknown as Table, STORE, () => false);
    syncBuiltinESMExports();
  }

  end(): void {
    for (const undo of this.#undo.splice(0)) undo();
    syncBuiltinESMExports();
  }

  #replace(table: Table, names: readonly string[], fail: (name: string, errno: Errno) => unknown): void {
    const watch = this;
    for (const name of names) {
      const original = table[name] as Call;
      if (NEVER.test(name)) continue;
      table[name] = function (this: unknown, ...args: unknown[]): unknown {
        const change = changes(name, args);
        if (watch.isDead) return change ? fail(name, EIO) : original.apply(this, args);
        if (!watch.#comes(name, change)) return original.apply(this, args);
        if (watch.#does !== undefined) return fail(name, watch.#does);
        if (watch.#fault.does === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
        if (watch.#fault.does === 'tear') original.apply(this, half(args));
        watch.isDead = true;
        throw new Died();
      };
      this.#undo.push(() => {
        table[name] = original;
      });
    }
  }

  get #does(): Errno | undefined {
    const { does } = this.#fault;
    return typeof does === 'number' ? does : undefined;
  }

  /** Whether it is this call's turn to go wrong. */
  #comes(name: string, change: boolean): boolean {
    const { at, lasting, does, changing, named } = this.#fault;
    if (named?.test(name) === false) return false;
    if (does === 'tear' ? !WRITES.test(name) : typeof does === 'string' && !change) return false;
    if (changing === true && !change && !SYNCS.test(name)) return false;
    this.count += 1;
    if (this.count === at) this.hit = name;
    return this.count === at || (lasting === true && this.count > at);
  }
}

/** Whether the call would change something on the disk. */
function changes(name: string, args: readonly unknown[]): boolean {
  if (CHANGES.test(name)) return true;
  const make = O_CREAT | O_TRUNC;
  if (name === 'openat') return (Number(args[2]) & make) !== 0;
  return name === 'openat2' && ((args[3] as Buffer).readUInt32LE(0) & make) !== 0;
}

/** Of a write, with half the length. */
function half([fd, from, length, ...at]: readonly unknown[]): unknown[] {
  return [fd, from, Math.floor(Number(length) / 2), ...at];
}
