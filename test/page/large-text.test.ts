/** A large text is shown as a small one would be, without being held: by the beginnings of its lines. */
import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { PathChange, Side } from '../../src/history/diff/changes.ts';
import { hunksOf, splitLines } from '../../src/history/diff/text/hunks.ts';
import { LargeText } from '../../src/page/server/text/large-text.ts';
import { toBytePath, toText } from '../../src/sys/bytes.ts';
import { S_IFREG } from '../../src/sys/stat.ts';
import { encodeText } from '../../src/sys/text/encoding.ts';
import { Random } from '../random/random.ts';

const facts = {
  open: (backing: Side['backing']) => (backing.kind === 'base' ? openSync(toText(backing.path), 'r') : -1),
  size: (backing: Side['backing']) => (backing.kind === 'base' ? statSync(toText(backing.path)).size : undefined),
};

async function read(t: TestContext, before: string, after: string): Promise<LargeText | undefined> {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-large-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const side = (name: string, text: string): Side => {
    const path = join(dir, name);
    writeFileSync(path, encodeText(text));
    return { backing: { kind: 'base', type: S_IFREG, path: toBytePath(path) } };
  };
  const [oldSide, newSide] = [side('old', before), side('new', after)];
  const change: PathChange = { path: toBytePath('/x'), change: 'modified', type: 'file', oldSide, newSide };
  return LargeText.read(change, facts, new Map());
}

const LINES = ['a\n', 'b\n', 'c\n', 'd\n', 'é\n', 'caf\udce9\n', 'long line\r\n', '\n'];

test('its rows are those of a text that is read as a whole, in pages of any size', async (t) => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = new Random(seed);
    const some = (count: number): string[] => Array.from({ length: count }, () => random.pick(LINES));
    const before = some(60);
    const after = before.flatMap((line) => (random.below(8) > 0 ? [line] : some(random.below(3))));
    const [a, b] = [
      before.join('').slice(0, -random.below(2) || undefined),
      after.join('').slice(0, -random.below(2) || undefined),
    ];
    const large = await read(t, a, b);
    const hunks = hunksOf(splitLines(a), splitLines(b));
    const all = hunks.flatMap(({ lines }) => lines);
    assert.ok(large);
    assert.deepEqual([large.hunkCount, large.rows], [hunks.length, all.length], `seed ${seed}`);
    const paged = [];
    for (let from = 0; from < all.length; from += 7) {
      const parts = large.page(from, 7);
      paged.push(...parts.flatMap(({ lines }) => lines));
      for (const { index, first, oldStart, newStart, oldAt = oldStart, newAt = newStart } of parts) {
        const passed = hunks[index]?.lines.slice(0, first) ?? [];
        const count = (marks: string): number => passed.filter((line) => marks.includes(line.charAt(0))).length;
        assert.deepEqual([oldAt, newAt], [oldStart + count(' -'), newStart + count(' +')], `seed ${seed}`);
      }
    }
    assert.deepEqual(paged, all, `seed ${seed}`);
  }
});

test('of a very long line the beginning is shown, also where a character lies across two pieces; bytes that are no text are none', async (t) => {
  const line = `x${'é'.repeat(3 << 20)}`;
  const large = await read(t, 'first\n', `first\n${line}`);
  const [part] = large?.page(0, 10) ?? [];
  assert.equal(part?.lines[1]?.length, 1 + 4000);
  assert.deepEqual(part?.cut, [[1, Buffer.byteLength(line) - 7999]]);
  assert.deepEqual(part?.lines.slice(2), ['\\ No newline at end of file']);
  assert.equal(await read(t, 'first\n', 'a\0b\n'), undefined);
});

test('lines that were made to look alike hide no change', async (t) => {
  const before = 'same\n'.repeat(3000);
  // A NUL at the beginning changes no sum; in the first bytes it would make the file a binary one.
  const large = await read(t, `${before}x\n`, `${before}\0x\n`);
  assert.deepEqual([large?.removed, large?.added], [3001, 3001]);
});
