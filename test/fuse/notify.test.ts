/** Notifications, byte by byte. That the kernel obeys them is shown in mount.test.ts. */
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { encodeInvalEntry, encodeInvalInode, openNotifier, packForgotten } from '../../src/fuse/notify.ts';
import type { Name, NodeId } from '../../src/sys/bytes.ts';
import { AT_FDCWD, close, O_RDONLY, O_WRONLY, openAt } from '../../src/sys/libc.ts';
import { cstring, i32, i64, u32, u64 } from './bytes.ts';

const node = (n: number) => n as NodeId;
const name = (text: string) => text as Name;

function assertBytes(actual: Buffer, ...expected: Buffer[]): void {
  assert.equal(actual.toString('hex'), Buffer.concat(expected).toString('hex'));
}

test('invalEntry sends parent, length and name with its NUL', () => {
  const message = encodeInvalEntry(node(0x1_0000_0002), name('a\xff'));
  assertBytes(message, u32(35), i32(3), u64(0n), u64(0x1_0000_0002n), u32(2), u32(0), cstring('a\xff'));
});

test('D5: invalEntry with the node that has lost the name sends both, and the length behind them', () => {
  const message = encodeInvalEntry(node(0x1_0000_0002), name('a\xff'), node(9));
  assertBytes(message, u32(43), i32(6), u64(0n), u64(0x1_0000_0002n), u64(9n), u32(2), u32(0), cstring('a\xff'));
  const packed = packForgotten([{ kind: 'entry', parent: node(3), name: name('b'), gone: node(4) }], node(3));
  assertBytes(Buffer.from(packed), encodeInvalEntry(node(1), name('b'), node(4)));
});

test('D1: what had no node any more is forgotten by its name, and what comes behind it, too', () => {
  const one = { kind: 'entry', parent: node(3), name: name('b') } as const;
  const packed = packForgotten([
    { ...one, gone: node(0) },
    { kind: 'inode', nodeId: node(5) },
  ]);
  assertBytes(Buffer.from(packed), encodeInvalEntry(node(3), name('b')), encodeInvalInode(node(5), 0, 0));
  assertBytes(encodeInvalEntry(node(3), name('b'), node(0)), encodeInvalEntry(node(3), name('b')));
});

test('invalInode sends node, offset and length, negative ones too', () => {
  assertBytes(encodeInvalInode(node(5), 4096, 0), u32(40), i32(2), u64(0n), u64(5n), i64(4096n), i64(0n));
  assertBytes(encodeInvalInode(node(5), -1, 0), u32(40), i32(2), u64(0n), u64(5n), i64(-1n), i64(0n));
});

test('a notification that cannot be written rejects with the errno', async () => {
  const full = openAt(AT_FDCWD, '/dev/full', O_WRONLY);
  await assert.rejects(openNotifier(full).invalInode(node(5), 0, 0), /^SystemError: notify the kernel: no space left/);
  close(full);
});

test('many() sends its notifications one after the other, and rejects with the errno of the first that fails', async () => {
  const dir = mkdtempSync('/var/tmp/yolofs-notify-');
  const fd = openSync(`${dir}/sent`, 'a');
  const entries = Array.from(
    { length: 5000 },
    (_, i) => ({ kind: 'entry', parent: node(3), name: name(`a${i}`) }) as const,
  );
  const messages = packForgotten([...entries, { kind: 'inode', nodeId: node(3) }], node(3));
  await openNotifier(fd).many(messages);
  const expected = entries.map((entry) => encodeInvalEntry(node(1), entry.name));
  assertBytes(readFileSync(`${dir}/sent`), ...expected, encodeInvalInode(node(1), 0, 0));
  closeSync(fd);
  rmSync(dir, { recursive: true });
  const readOnly = openAt(AT_FDCWD, '/dev/null', O_RDONLY);
  await assert.rejects(openNotifier(readOnly).many(messages), /^SystemError: notify the kernel: EBADF/);
  close(readOnly);
});
