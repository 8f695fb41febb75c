/** CRC-32 (IEEE 802.3, the one of zlib and gzip), for lines and blocks of a few hundred bytes. */

const TABLE = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[n] = c;
  }
  return table;
}

/**
 * The checksum of `bytes[start..end)` as an unsigned number, continuing that of what came before. At our sizes a loop here beats `zlib.crc32`, whose
 * call costs more than 100 bytes' worth of work, and which Node has only from 20.15 on.
 */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  let c = ~before;
  for (let i = start; i < end; i++) c = (TABLE[(c ^ (bytes[i] as number)) & 0xff] as number) ^ (c >>> 8);
  return ~c >>> 0;
}
