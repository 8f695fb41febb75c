/** Answers of tools as text: harmless, and in pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_ANSWER, Page, toLine } from '../../../src/agents/mcp/text.ts';

test('toLine() shows bytes that are no text, and what acts on a terminal; all else stays', () => {
  const cases: readonly (readonly [string | Buffer, string])[] = [
    ['\tit\'s "ü" 😀 \\x41', '\tit\'s "ü" 😀 \\x41'],
    ['a\u001b[31m\r\u0007\u007f', 'a\\x1b[31m\\x0d\\x07\\x7f'],
    ['\u009b31m\u202eabc\u2066', '\\u009b31m\\u202eabc\\u2066'],
    [Buffer.from([0x61, 0xff, 0xc3, 0x0a]), 'a\\xff\\xc3\n'],
    ['', ''],
  ];
  for (const [given, shown] of cases) assert.equal(toLine(Buffer.from(given)), shown);
});

test('Page is the same however its input is cut, and pages follow each other without gaps', () => {
  const all = Array.from({ length: 3000 }, (_, i) => `line ${i} ${'ü'.repeat(i % 9)}`);
  const bytes = Buffer.from(`${all.join('\n')}\nno end`);
  for (const size of [1, 7, 1000, bytes.length]) {
    const lines: string[] = [];
    for (let from = 0; from >= 0; ) {
      let isFull = false;
      const page = new Page(from, () => {
        isFull = true;
      });
      for (let at = 0; at < bytes.length && !isFull; at += size) page.add(bytes.subarray(at, at + size));
      let next = -1;
      const text = page.text((more) => {
        next = more;
        return 'cut';
      });
      assert.equal(page.isFull, next >= 0);
      assert.ok(text.length <= LONGEST_ANSWER + 'cut'.length);
      lines.push(...text.split('\n').slice(0, next >= 0 ? -1 : undefined));
      from = next;
    }
    assert.deepEqual(lines, [...all, 'no end']);
  }
});
