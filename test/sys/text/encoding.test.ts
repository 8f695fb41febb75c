/** Contents as text: nothing is lost, and no two contents are one text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, encodeText, isText, showEscapes } from '../../../src/sys/text/encoding.ts';
import { fc } from '../../random/fast-check.ts';

/** Bytes of which many are parts of characters, whole or broken off. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'e9',
        'c3a9',
        'c3',
        'a9',
        'e2',
        '82',
        'e282ac',
        'f09f9880',
        'f09f98',
        'eda080',
        'edb3a9',
        'c080',
        'efbbbf',
        '0a',
        '41',
      ),
      fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0')),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.from(parts.join(''), 'hex'));

test('decodeText() of any bytes is turned back into these bytes by encodeText()', () => {
  fc.assert(fc.property(bytes, (one) => assert.deepEqual(encodeText(decodeText(one)), one)));
});

test('decodeText() of UTF-8 is what every decoder says, and keeps a byte order mark', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(decodeText(Buffer.from(text)), text)));
  assert.equal(decodeText(Buffer.from('\ufeffa')), '\ufeffa');
});

test('decodeText() joined from lines is that of the whole: a line can be taken alone', () => {
  fc.assert(
    fc.property(bytes, (one) => {
      const lines = one.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
      assert.equal(lines.map((line) => decodeText(Buffer.from(line, 'latin1'))).join(''), decodeText(one));
    }),
  );
});

test('showEscapes() names the bytes that are no UTF-8, and nothing else', () => {
  assert.equal(showEscapes(decodeText(Buffer.from('caf\xe9, caf\u00c3\u00a9', 'latin1'))), 'caf<E9>, café');
  assert.equal(showEscapes('😀'), '😀');
});

test('isText() is true of Latin-1 and of Shift JIS, and false of what has control characters or a NUL', () => {
  const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
  assert.equal(isText(latin('caf\xe9\r\n\x1b[1m\x1a')), true);
  assert.equal(isText(Buffer.from('93fa967b8cea0a', 'hex')), true);
  assert.equal(isText(latin('caf\xe9\x01')), false);
  assert.equal(isText(latin('a\0b')), false);
  assert.equal(isText(latin('a\x01b')), true, 'what is UTF-8 is text as git says it');
  assert.equal(isText(latin(`${'x'.repeat(8000)}\0`)), true);
  assert.equal(isText(latin('a\0b'), 8000), true);
});
