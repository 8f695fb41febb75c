/** System calls through koffi that src/sys/libc.ts has no use for: mmap(2), record locks, 64-bit seeks. */
import koffi from 'koffi';
import { errnoName } from '../../src/sys/errno.ts';

const lib = koffi.load('libc.so.6');
const mmap = lib.func('void *mmap(void*, size_t, int, int, int, int64_t)');
const munmap = lib.func('int munmap(void*, size_t)');
const msync = lib.func('int msync(void*, size_t, int)');
const lseek = lib.func('int64_t lseek(int, int64_t, int)');
const fcntl = lib.func('int fcntl(int, int, void*)');

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_PRIVATE = 2;
const MS_SYNC = 4;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;
const F_SETLK = 6;
const F_WRLCK = 1;

/** A readable and writable mapping of the first `length` bytes of an open file. */
export class Mapping {
  /** The mapped memory itself; not to be touched after `close()`. */
  readonly bytes: Buffer;
  readonly #address: bigint;

  constructor(fd: number, length: number, sharing: 'shared' | 'private') {
    this.#address = mmap(
      null,
      length,
      PROT_READ_WRITE,
      sharing === 'shared' ? MAP_SHARED : MAP_PRIVATE,
      fd,
      0,
    ) as bigint;
    if (BigInt.asUintN(64, this.#address) === MAP_FAILED) throw failure('mmap');
    this.bytes = Buffer.from(koffi.view(this.#address, length));
  }

  /** Writes dirty pages back and waits for it. */
  sync(): void {
    if (msync(this.#address, this.bytes.length, MS_SYNC) !== 0) throw failure('msync');
  }

  close(): void {
    munmap(this.#address, this.bytes.length);
  }
}

/** Takes an exclusive fcntl(2) lock on the whole file, without waiting for it. */
export function lockRecord(fd: number): void {
  // struct flock on 64-bit Linux: short type, short whence, off_t start, off_t len, pid_t pid.
  const flock = Buffer.alloc(32);
  flock.writeInt16LE(F_WRLCK, 0);
  if (fcntl(fd, F_SETLK, flock) !== 0) throw failure('fcntl');
}

/** lseek(SEEK_SET) to a position of 64 bits, as telldir(3) gives them. */
export function seekTo(fd: number, position: bigint): void {
  if (BigInt(lseek(fd, position, 0) as bigint) !== position) throw failure('lseek');
}

function failure(call: string): Error {
  return Object.assign(new Error(call), { code: errnoName(koffi.errno() as never) });
}
