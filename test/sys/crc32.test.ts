import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from '../../src/sys/text/crc32.ts';
import { fc } from '../random/fast-check.ts';

/** Bit by bit, as IEEE 802.3 defines it. */
function slowly(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) {
    c ^= byte;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

test('crc32() gives the check value of the standard', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
  assert.equal(crc32(Buffer.alloc(0)), 0);
});

test('crc32() is that of the bits, of a part, and of two parts one after the other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
      const at = Math.min(cut, bytes.length);
      assert.equal(crc32(bytes), slowly(bytes));
      assert.equal(crc32(bytes, at), slowly(bytes.subarray(at)));
      assert.equal(crc32(bytes, at, bytes.length, crc32(bytes, 0, at)), slowly(bytes));
    }),
  );
});
