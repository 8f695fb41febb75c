/** Operations on ranges of a file and on owners, on both sides. */
import * as fs from 'node:fs';
import * as libc from '../../../src/sys/libc.ts';
import { bytes } from './image.ts';
import type { Sides } from './operations.ts';
import type { FileStep } from './steps.ts';

const KEEP_SIZE = 0x01;
const PUNCH_HOLE = 0x02;
const ZERO_RANGE = 0x10;
const MODES = [0, KEEP_SIZE, PUNCH_HOLE | KEEP_SIZE, ZERO_RANGE, ZERO_RANGE | KEEP_SIZE] as const;
const IDS = [0, 1, 1000, 65_534] as const;

/** Whether files can be given away. */
export const MAY_CHOWN = process.getuid?.() === 0;

/** Room, holes or zeros, within the file and behind its end. */
export function fallocate({ judge, kernel }: Sides, { path, n }: FileStep): void {
  const mode = MODES[n % MODES.length] ?? 0;
  const range = { offset: n % 13, length: 1 + (n % 9) };
  const fd = fs.openSync(bytes(`${judge}/${path}`), 'r+');
  const result = libc.fallocate(fd, mode, range.offset, range.length);
  fs.closeSync(fd);
  if (result === 0) kernel.fallocate(kernel.node(path), mode, range);
}

/** From one file to another one, a part of it. */
export function copyRange({ judge, kernel }: Sides, { path, to, n }: FileStep): void {
  const [from, into] = [fs.openSync(bytes(`${judge}/${path}`), 'r'), fs.openSync(bytes(`${judge}/${to}`), 'r+')];
  const [start, end] = [n % 5, n % 7];
  // The kernel asks for no more than there is, and for nothing at all when there is nothing.
  const length = Math.min(1 + (n % 20), fs.fstatSync(from).size - start);
  const copied = length <= 0 ? 0 : libc.copyFileRange({ fd: from, offset: start }, { fd: into, offset: end }, length);
  for (const fd of [from, into]) fs.closeSync(fd);
  if (copied <= 0) return;
  kernel.copy({ from: kernel.node(path), fromOffset: start, to: kernel.node(to), toOffset: end, length: copied });
}

export function chown({ judge, kernel }: Sides, { path, n }: FileStep): void {
  const [uid, gid] = [IDS[n % 4] ?? 0, IDS[(n >> 2) % 4] ?? 0];
  const change = { ...(n % 3 === 1 ? {} : { uid }), ...(n % 3 === 2 ? {} : { gid }) };
  const found = fs.lstatSync(bytes(`${judge}/${path}`));
  fs.lchownSync(bytes(`${judge}/${path}`), change.uid ?? found.uid, change.gid ?? found.gid);
  // As fuse_do_setattr: whoever gives a file away takes its set-id bits.
  const kill = found.isDirectory() ? {} : { killSuidgid: true };
  kernel.setattr(kernel.node(path), { ...change, ...kill });
}
