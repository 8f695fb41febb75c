import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSize, renderSize } from '../../../src/sys/text/size.ts';

test('parseSize() reads what people write, powers of 1024 but for MB', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ...([
      ['0', 0],
      ['4096', 4096],
      ['12 B', 12],
      ['500M', 500 << 20],
      ['2 GiB', 2 ** 31],
      ['1.5g', 1.5 * 2 ** 30],
    ] as const),
    ...([
      ['1kB', 1000],
      ['3 MB', 3_000_000],
      [' 1k ', 1024],
      ['2t', 2 ** 41],
    ] as const),
    ...['', 'M', '-1', '1e3', '5 X', '1.', '1,5M', '10 GiBs', '99999999999999'].map(
      (text) => [text, undefined] as const,
    ),
  ];
  for (const [text, size] of cases) assert.equal(parseSize(text), size, text);
});

test('renderSize() has one digit after the point from KiB on', () => {
  assert.deepEqual([0, 1023, 1024, 1536 << 10, 2 ** 41].map(renderSize), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 MiB',
    '2.0 TiB',
  ]);
});
