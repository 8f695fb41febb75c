/** Thousands of write(2)s in few calls, on a thread of the pool: Linux AIO, of which the kernel carries each out as it comes. */
import { ENOSYS } from '../errno.ts';
import { bind, callAsync } from './ffi.ts';

const IOCB_SIZE = 64;
const EVENT_SIZE = 32;
const PWRITE = 1;
/** Writes of one call: what they are told in is small enough for the heap's collector not to be called because of it. */
const BATCH = 512;

const SYS =
  process.arch === 'arm64'
    ? { setup: 0, destroy: 1, submit: 2, getevents: 4 }
    : { setup: 206, destroy: 207, submit: 209, getevents: 208 };

const c = {
  io_setup: bind('long syscall(long, unsigned int, void*)'),
  io_getevents: bind('long syscall(long, unsigned long, long, long, void*, void*)'),
  /** Where a buffer lies. */
  address: bind('int64_t memcpy(void*, const void*, size_t)'),
};

/**
 * Writes each piece of `bytes`, which begins with its length in four bytes, to `fd` with a write(2) of its own, in order. Resolves
 * to 0, or to the first negative errno that is not `fine`, which ends it within some thousand pieces; to -ENOSYS, with
 * nothing written, where the kernel gives us no AIO.
 */
export async function writeEachAsync(
  fd: number,
  bytes: Uint8Array,
  fine: (result: number) => boolean,
): Promise<number> {
  const context = Buffer.alloc(8);
  if (c.io_setup(SYS.setup, BATCH, context) < 0) return -ENOSYS;
  const ring = context.readBigUInt64LE();
  const batch = new Batch(fd, bytes);
  let failed: number | undefined;
  while (failed === undefined && batch.fill() > 0) {
    const result = await submit(ring, batch);
    failed = result < 0 ? result : batch.results(ring).find((one) => !fine(one));
  }
  // It takes the kernel 30 ms; nobody needs to wait where all is known to be written.
  const destroyed = callAsync('long syscall(long, unsigned long)', SYS.destroy, ring);
  if (failed !== undefined) await destroyed;
  return failed ?? 0;
}

/** Resolves to how many were submitted, all of them; or to a negative errno. */
async function submit(ring: bigint, batch: Batch): Promise<number> {
  for (let done = 0; done < batch.count; ) {
    const call = 'long syscall(long, unsigned long, long, void*)';
    const result = await callAsync(call, SYS.submit, ring, batch.count - done, batch.pointers.subarray(done * 8));
    if (result < 0) return result;
    done += result;
  }
  return batch.count;
}

/**
 * Some of the pieces, as the kernel wants them told: pointers to control blocks, which point to the bytes. Written as 32-bit words,
 * the lower half of a longer one first: a tenth of what Buffer's methods take while they are not compiled yet.
 */
class Batch {
  readonly pointers = Buffer.from(new ArrayBuffer(8 * BATCH));
  count = 0;
  readonly #blocks = new Uint32Array((IOCB_SIZE / 4) * BATCH);
  readonly #events = new Int32Array((EVENT_SIZE / 4) * BATCH);
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #address: number;
  #at = 0;

  constructor(fd: number, bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#address = c.address(bytes, bytes, 0);
    const blocks = c.address(this.#blocks, this.#blocks, 0);
    const pointers = new Uint32Array(this.pointers.buffer);
    for (let i = 0; i < BATCH; i++) {
      const block = (i * IOCB_SIZE) / 4;
      this.#blocks[block + 4] = PWRITE;
      this.#blocks[block + 5] = fd;
      putAddress(pointers, i * 2, blocks + i * IOCB_SIZE);
    }
  }

  /** Takes the next pieces; returns how many these are. */
  fill(): number {
    for (this.count = 0; this.count < BATCH && this.#at < this.#bytes.length; this.count++) {
      const length = this.#view.getUint32(this.#at, true);
      const block = (this.count * IOCB_SIZE) / 4;
      putAddress(this.#blocks, block + 6, this.#address + this.#at);
      this.#blocks[block + 8] = length;
      this.#at += length;
    }
    return this.count;
  }

  /** What the writes returned. */
  results(ring: bigint): number[] {
    const got = c.io_getevents(SYS.getevents, ring, this.count, this.count, this.#events, null);
    return Array.from({ length: Math.max(0, got) }, (_, i) => this.#events[(i * EVENT_SIZE) / 4 + 4] ?? 0);
  }
}

function putAddress(words: Uint32Array, at: number, address: number): void {
  words[at] = address >>> 0;
  words[at + 1] = address / 2 ** 32;
}
