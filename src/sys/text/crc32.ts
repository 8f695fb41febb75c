/** CRC-32 (IEEE 802.3, the one of zlib and gzip), for lines and blocks of a few hundred bytes. */

/** Four tables of 256: what a byte does to the sum when 0 to 3 more follow it in the same step ("slicing by four"). */
const TABLE = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(1024);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[n] = c;
  }
  for (let n = 256; n < 1024; n++) {
    const c = table[n - 256] as number;
    table[n] = (c >>> 8) ^ (table[c & 0xff] as number);
  }
  return table;
}

/**
 * The checksum of `bytes[start..end)` as an unsigned number, continuing that of what came before. At our sizes a
 * loop here beats `zlib.crc32`, whose call costs more than 100 bytes' worth of work, and which Node has only from
 * 20.15 on.
 */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  // Indices stay inside the typed arrays, so the assertions hold; noUncheckedIndexedAccess cannot know.
  const at = (i: number): number => bytes[i] as number;
  const look = (i: number): number => TABLE[i] as number;
  let c = ~before;
  let i = start;
  for (; i + 3 < end; i += 4) {
    c ^= at(i) | (at(i + 1) << 8) | (at(i + 2) << 16) | (at(i + 3) << 24);
    c = look(768 | (c & 0xff)) ^ look(512 | ((c >>> 8) & 0xff)) ^ look(256 | ((c >>> 16) & 0xff)) ^ look(c >>> 24);
  }
  for (; i < end; i++) c = look((c ^ at(i)) & 0xff) ^ (c >>> 8);
  return ~c >>> 0;
}
