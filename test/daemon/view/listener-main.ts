/**
 * Watches files and directories with inotify(7), keeps the files open and mapped nowhere, and writes down what it hears: lines
 * `PATH EVENT NAME`, and after each read of events, of each file that is open, `PATH SIZE LINKS CONTENT`.
 */
import { fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { BytePath } from '../../../src/sys/bytes.ts';
import * as libc from '../../../src/sys/libc.ts';

const EVENTS: readonly (readonly [number, string])[] = [
  [0x2, 'MODIFY'],
  [0x4, 'ATTRIB'],
  [0x8, 'CLOSE_WRITE'],
  [0x40, 'MOVED_FROM'],
  [0x80, 'MOVED_TO'],
  [0x100, 'CREATE'],
  [0x200, 'DELETE'],
  [0x400, 'DELETE_SELF'],
  [0x800, 'MOVE_SELF'],
  [0x8000, 'IGNORED'],
];
const ALL = EVENTS.reduce((mask, [bit]) => mask | bit, 0) & 0xfff;

const inotify = libc.inotifyInit();
const watched = new Map<number, string>();
const files = new Map<string, number>();
for (const path of process.argv.slice(2)) {
  watched.set(libc.inotifyAddWatch(inotify, path as BytePath, ALL), path);
  if (statSync(path).isFile()) files.set(path, openSync(path, 'r'));
}
for (const fd of files.values()) stateOf(fd);
process.stdout.write('ready\n');
const buffer = Buffer.alloc(64 * 1024);
for (;;) {
  new libc.PollSet([inotify]).wait(-1);
  const length = libc.read(inotify, buffer);
  let lines = '';
  for (let at = 0; at < length; at += 16 + buffer.readUInt32LE(at + 12)) lines += describe(at);
  for (const [path, fd] of files) lines += `${path} ${stateOf(fd)}\n`;
  process.stdout.write(lines);
}

function describe(at: number): string {
  const path = watched.get(buffer.readInt32LE(at)) ?? '?';
  const mask = buffer.readUInt32LE(at + 4);
  const end = at + 16 + buffer.readUInt32LE(at + 12);
  const name = buffer.toString('latin1', at + 16, end).replace(/\0.*$/s, '');
  return EVENTS.filter(([bit]) => mask & bit)
    .map(([, event]) => `${path} ${event} ${name}\n`)
    .join('');
}

function stateOf(fd: number): string {
  const { size, nlink } = fstatSync(fd);
  const content = Buffer.alloc(4096);
  const read = readSync(fd, content, 0, content.length, 0);
  return `${size} ${nlink} ${JSON.stringify(content.toString('latin1', 0, read))}`;
}
