/** Bytes as a C compiler lays them out (x86-64, arm64), so that tests do not repeat the codec's own arithmetic. */

export function u16(value: number): Buffer {
  const b = Buffer.alloc(2);
  b.writeUInt16LE(value);
  return b;
}

export function u32(value: number): Buffer {
  const b = Buffer.alloc(4);
  b.writeUInt32LE(value);
  return b;
}

export function i32(value: number): Buffer {
  const b = Buffer.alloc(4);
  b.writeInt32LE(value);
  return b;
}

export function u64(value: bigint): Buffer {
  const b = Buffer.alloc(8);
  b.writeBigUInt64LE(value);
  return b;
}

export function i64(value: bigint): Buffer {
  const b = Buffer.alloc(8);
  b.writeBigInt64LE(value);
  return b;
}

/** `char[]` with its NUL. */
export function cstring(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1');
}

export function zeros(count: number): Buffer {
  return Buffer.alloc(count);
}

/** struct fuse_in_header and what follows it. */
export function request(opcode: number, header: { unique?: bigint; node?: bigint }, ...payload: Buffer[]): Buffer {
  const body = Buffer.concat(payload);
  return Buffer.concat([
    u32(40 + body.length), // len
    u32(opcode),
    u64(header.unique ?? 7n),
    u64(header.node ?? 1n), // nodeid
    u32(1001), // uid
    u32(1002), // gid
    u32(812), // pid
    u16(0), // total_extlen
    u16(0), // padding
    body,
  ]);
}

/** The INIT request of a kernel that speaks 7.`minor` and offers `flags`. */
export function initRequest(minor: number, flags = 0xffff_ffff, readahead = 131072): Buffer {
  const fixed = [u32(7), u32(minor), u32(readahead), u32(flags)];
  return request(26, { unique: 1n, node: 0n }, ...fixed, ...(minor >= 36 ? [u32(0xffff_ffff), zeros(44)] : []));
}
