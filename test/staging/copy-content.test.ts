/** Copies in pieces: how much one request takes, and that what is copied is what was there. The clock is the test's own. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { copyContent, copySome } from '../../src/staging/copy-content.ts';

const MIB = 2 ** 20;

/** A file of seven and a half MiB, of which no two pieces are alike, and an empty one. */
function files(t: TestContext): { from: number; to: number; content: Buffer; copied: () => Buffer } {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-copy-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const content = Buffer.from(Uint32Array.from({ length: (15 * MIB) / 8 }, (_, i) => i).buffer);
  const [source, target] = [join(dir, 'source'), join(dir, 'target')];
  writeFileSync(source, content);
  const [from, to] = [openSync(source, 'r'), openSync(target, 'w')];
  t.after(() => [from, to].map(closeSync));
  return { from, to, content, copied: () => readFileSync(target) };
}

test('copySome() stops once it has taken long enough, and goes on where it is told to', (t) => {
  const { from, to, content, copied } = files(t);
  let time = 0;
  const slow = (): number => (time += 100);
  let done = 0;
  const parts: number[] = [];
  while (done < content.length) {
    const n = copySome({ fd: from, offset: done }, { fd: to, offset: done }, content.length - done, slow);
    assert.ok(n > 0, `copied ${n}`);
    parts.push(n);
    done += n;
  }
  assert.deepEqual(parts, [...Array.from({ length: 7 }, () => MIB), MIB / 2]);
  assert.ok(copied().equals(content), 'the bytes');
});

test('copySome() copies everything in one go where that takes no time, and ends with the file', (t) => {
  const { from, to, content, copied } = files(t);
  const at = (fd: number): { fd: number; offset: number } => ({ fd, offset: 5 });
  assert.equal(
    copySome(at(from), at(to), content.length, () => 0),
    content.length - 5,
  );
  assert.ok(copied().subarray(5).equals(content.subarray(5)), 'the bytes');
  assert.equal(
    copySome({ fd: from, offset: content.length }, at(to), 1, () => 0),
    0,
    'nothing is left',
  );
});

test('copyContent() copies from a file system that shares nothing with the target, and keeps a hole', (t) => {
  const [here, there] = [tmpdir(), '/dev/shm'].map((at) => mkdtempSync(join(at, 'yolofs-copy-')));
  t.after(() => [here, there].map((dir) => rmSync(`${dir}`, { recursive: true })));
  const [source, target] = [`${there}/source`, `${here}/target`];
  writeFileSync(source, '');
  truncateSync(source, 4 * MIB);
  appendFileSync(source, 'end');
  const [from, to] = [openSync(source, 'r'), openSync(target, 'w')];
  t.after(() => [from, to].map(closeSync));
  assert.equal(copyContent(from, to, 4 * MIB + 3), 0);
  assert.ok(readFileSync(target).equals(Buffer.concat([Buffer.alloc(4 * MIB), Buffer.from('end')])), 'the bytes');
  assert.ok(statSync(target).blocks * 512 < MIB, 'the hole');
});

test('copyContent() of a file without holes copies all of it, also from elsewhere, and where it has shrunk the rest is zeros', (t) => {
  const [here, there] = [tmpdir(), '/dev/shm'].map((at) => mkdtempSync(join(at, 'yolofs-copy-')));
  t.after(() => [here, there].map((dir) => rmSync(`${dir}`, { recursive: true })));
  const content = Buffer.from(Uint32Array.from({ length: 20_001 }, (_, i) => i).buffer);
  for (const dir of [here, there]) {
    for (const more of [0, 5000]) {
      const [source, target] = [`${dir}/source`, `${here}/target`];
      writeFileSync(source, content);
      const [from, to] = [openSync(source, 'r'), openSync(target, 'w')];
      assert.equal(copyContent(from, to, content.length + more, true), 0);
      assert.ok(readFileSync(target).equals(Buffer.concat([content, Buffer.alloc(more)])), `${dir} ${more}`);
      for (const fd of [from, to]) closeSync(fd);
    }
  }
});
