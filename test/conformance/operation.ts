/**
 * What the operations of this folder are made of. An operation works in a directory that holds `seed()` and notes what
 * it sees. The same list runs on a directory of the host, which is the oracle, and in the view; what was seen, and the
 * tree that is left, must be the same. So an operation asserts nothing itself: Linux does.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { errnoName } from '../../src/sys/errno.ts';
import * as libc from '../../src/sys/libc.ts';

export interface Operation {
  /** A sentence that starts with the system call. */
  readonly title: string;
  run(t: Trace, dir: string): void | Promise<void>;
}

/** What one operation saw, in order. */
export class Trace {
  readonly seen: [what: string, value: unknown][] = [];

  see(what: string, value: unknown): void {
    this.seen.push([what, value instanceof Buffer ? value.toString('latin1') : value]);
  }

  /** Notes how `call` ends: its error's code, or `ok`. */
  tries(what: string, call: () => unknown): void {
    this.see(what, codeOf(call));
  }
}

/** 'ok', or the code of the error that `call` throws. Errors without a code are the operation's own bugs. */
export function codeOf(call: () => unknown): string {
  try {
    call();
    return 'ok';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return code;
  }
}

/** The result of a call of src/sys/libc.ts, or an exception that carries its code. */
export function ok(result: number): number {
  if (result < 0) throw Object.assign(new Error(errnoName(-result as never)), { code: errnoName(-result as never) });
  return result;
}

export const AT = libc.AT_FDCWD;

/** Runs `work` with a descriptor and closes it. */
export function withFd<T>(path: fs.PathLike, flags: number, work: (fd: number) => T, mode = 0o644): T {
  const fd = fs.openSync(path, flags, mode);
  try {
    return work(fd);
  } finally {
    fs.closeSync(fd);
  }
}

export function text(path: fs.PathLike): string {
  return fs.readFileSync(path, 'latin1');
}

/** The parts of stat(2) that do not depend on when and where. */
export function facts(path: fs.PathLike): Record<string, unknown> {
  const s = fs.lstatSync(path);
  const type = s.isDirectory()
    ? 'directory'
    : s.isSymbolicLink()
      ? 'symlink'
      : s.isFile()
        ? 'file'
        : s.isFIFO()
          ? 'fifo'
          : 'other';
  return {
    type,
    mode: (s.mode & 0o7777).toString(8),
    ...(type === 'directory' ? {} : { size: s.size, nlink: s.nlink }),
  };
}

export function names(dir: fs.PathLike): string[] {
  return fs
    .readdirSync(dir, { encoding: 'buffer' })
    .map((name) => name.toString('latin1'))
    .sort();
}

export const BASE_TEXT = 'base content\n';

/** Files of every kind, as a base to work on. */
export function seed(dir: string): void {
  const at = (name: string): string => join(dir, name);
  for (const name of ['sub', 'empty-dir', 'full', 'nest/a/b/c']) fs.mkdirSync(at(name), { recursive: true });
  fs.writeFileSync(at('file'), BASE_TEXT);
  fs.writeFileSync(at('multi'), 'line1\nline2\n');
  fs.writeFileSync(at('empty'), '');
  fs.writeFileSync(at('sub/deep'), 'nested\n');
  fs.writeFileSync(at('nest/a/b/c/leaf'), 'leaf\n');
  fs.writeFileSync(at('exec.sh'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
  fs.writeFileSync(at('readonly'), 'read only\n', { mode: 0o444 });
  fs.writeFileSync(at('secret'), 'secret\n', { mode: 0o000 });
  fs.writeFileSync(at('big'), Buffer.alloc(200_000, 'abcdefghijklmnopqrstuvwxyz\n'));
  fs.writeFileSync(at('one'), 'two names\n');
  fs.linkSync(at('one'), at('two'));
  fs.symlinkSync('file', at('link'));
  fs.symlinkSync('nowhere', at('dangling'));
  fs.symlinkSync('sub', at('dirlink'));
  for (let i = 0; i < 20; i++) fs.writeFileSync(at(`full/f${String(i).padStart(2, '0')}`), `${i}\n`);
  withFd(at('sparse'), libc.O_RDWR | libc.O_CREAT, (fd) => {
    fs.writeSync(fd, 'head', 0);
    fs.writeSync(fd, 'tail', 1 << 20);
  });
  ok(libc.mknodAt(AT, at('fifo'), 0o010644, 0));
  libc.setxattrAt(AT, at('multi'), 'user.seed', Buffer.from('value'));
  ok(libc.utimesAt(AT, at('multi'), { atimeSec: 1e9, atimeNsec: 5, mtimeSec: 1_000_000_001, mtimeNsec: 123_456_789 }));
}
