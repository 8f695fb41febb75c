/** The lines of a journal file: its header, and reading line by line in chunks, so that a gigabyte needs no more memory than a page. */

import { describeErrno, type Errno, errnoName, SystemError } from '../../sys/errno.ts';
import { fstatxInto, pread } from '../../sys/libc.ts';
import { decodeStatx, STATX_SIZE, type Stat } from '../../sys/stat.ts';
import { crc32 } from '../../sys/text/crc32.ts';
import { UserError } from '../../sys/user-error.ts';

const VERSION = 2;

/** The first line: `yolofs journal VERSION`, a tab, the checksum of what is before the tab. */
export const HEADER = makeHeader(VERSION);
/** Format 1 is format 2 without some fields; a writer changes the first line. */
const OLD_HEADER = makeHeader(1);

function makeHeader(version: number): Buffer {
  const text = `yolofs journal ${version}`;
  const sum = crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0');
  return Buffer.from(`${text}\t${sum}\n`, 'latin1');
}

/** A line before the last does not carry its checksum, or carries it but makes no sense: nothing after it can be trusted. */
export class JournalDamaged extends UserError {
  readonly line: number;
  readonly offset: number;

  constructor(at: { readonly line: number; readonly offset: number }, why: string) {
    super(
      `journal: line ${at.line} (at byte ${at.offset}) is damaged: ${why}`,
      'contents are still in its store; move .yolofs aside to start anew',
    );
    this.name = 'JournalDamaged';
    this.line = at.line;
    this.offset = at.offset;
  }
}

/**
 * The disk took a record and will not say that it keeps it, nor give it back: whether it counts, whoever opens the journal next
 * finds. Who gets this must change nothing any more, as if it had died.
 */
export class JournalInDoubt extends UserError {
  constructor(errno: Errno) {
    super(
      `cannot write the journal: ${describeErrno(errno)}; nor can what was written be taken back`,
      "whether it was done is found out at the next start: look at 'yolofs status' and 'yolofs log' then",
      { code: 'system', errno: errnoName(errno) },
    );
    this.name = 'JournalInDoubt';
  }
}

/** Attributes of an open file. */
export function statOf(fd: number): Stat {
  const buffer = Buffer.alloc(STATX_SIZE);
  const result = fstatxInto(fd, buffer);
  if (result < 0) throw new SystemError('journal: stat', -result as Errno);
  return decodeStatx(buffer);
}

/**
 * Which header the file starts with; undefined for a file that is empty or was cut off inside it. Throws UserError
 * for a version that is not known, JournalDamaged for anything else.
 */
export function headerOf(fd: number): 'present' | 'old' | undefined {
  const bytes = Buffer.alloc(256);
  const text = bytes.subarray(0, readAt(fd, bytes, 0)).toString('latin1');
  const header = HEADER.toString('latin1');
  if (text.startsWith(header)) return 'present';
  if (text.startsWith(OLD_HEADER.toString('latin1'))) return 'old';
  const version = /^yolofs journal (\d+)\t/.exec(text)?.[1];
  if (version !== undefined && !/^[12]$/.test(version)) {
    throw new UserError(
      `journal: written in format ${version}, this yolofs knows format ${VERSION}`,
      'use the version of yolofs that started this session',
    );
  }
  if (header.startsWith(text) || OLD_HEADER.toString('latin1').startsWith(text)) return undefined;
  throw new JournalDamaged({ line: 1, offset: 0 }, 'it is not the first line of a journal');
}

function readAt(fd: number, into: Buffer, position: number): number {
  const n = pread(fd, into, into.length, position);
  if (n < 0) throw new SystemError('journal: read', -n as Errno);
  return n;
}

/** One line without its newline: bytes[start..end), found at `offset` of the file; `next` is the offset of the next. */
export interface Line {
  bytes: Buffer;
  start: number;
  end: number;
  offset: number;
  next: number;
}

const CHUNK = 256 * 1024;
/** Most lines are shorter. */
const SHORT = 4096;
const NEWLINE = 10;

/** Of a reading that is over, for the next: those who look often for what is new would leave 5 MB a second to be collected. */
let spare: Buffer | undefined;

/** The complete lines from offset `from` (the start of a line) up to `to`. The object yielded is reused, and its bytes are. */
export function* readLines(fd: number, from: number, to: number): Generator<Line> {
  // A travel scans a thousand short segments, one by one.
  let bytes = spare ?? Buffer.allocUnsafe(Math.min(CHUNK, Math.max(0, to - from)));
  spare = undefined;
  let filled = 0;
  let position = from;
  const line: Line = { bytes, start: 0, end: 0, offset: from, next: from };
  try {
    while (position < to) {
      if (filled === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
      const want = Math.min(bytes.length - filled, to - position);
      const n = readAt(fd, bytes.subarray(filled, filled + want), position);
      if (n === 0) return;
      position += n;
      filled += n;
      let start = 0;
      // No newline can hide in the part that was searched before: it was carried over for not having one.
      for (let end = indexOfNewline(bytes, filled - n, filled); end >= 0; end = indexOfNewline(bytes, start, filled)) {
        line.bytes = bytes;
        line.start = start;
        line.end = end;
        line.offset = line.next;
        line.next += end + 1 - start;
        yield line;
        start = end + 1;
      }
      bytes.copyWithin(0, start, filled);
      filled -= start;
    }
  } finally {
    if (bytes.length === CHUNK) spare = bytes;
  }
}

function indexOfNewline(bytes: Buffer, from: number, to: number): number {
  const at = bytes.indexOf(NEWLINE, from);
  return at < to ? at : -1;
}

/** The number (from 1) of the line that starts at `offset`. */
export function lineNumber(fd: number, offset: number): number {
  let number = 1;
  for (const line of readLines(fd, 0, offset)) if (line.next <= offset) number += 1;
  return number;
}

/** The offset just after the last newline before offset `before`, 0 when there is none. */
export function afterLastNewline(fd: number, before: number): number {
  let position = before;
  for (let length = SHORT; position > 0; length = CHUNK) {
    const chunk = Buffer.alloc(Math.min(length, position));
    position -= chunk.length;
    const at = chunk.subarray(0, readAt(fd, chunk, position)).lastIndexOf(NEWLINE);
    if (at >= 0) return position + at + 1;
  }
  return 0;
}

const SUM_LENGTH = 8;

/** The checksum that the line ending at offset `end` carries; undefined when no line ends there. */
export function sumOfLineBefore(fd: number, end: number): string | undefined {
  const start = afterLastNewline(fd, end - 1);
  const bytes = Buffer.alloc(SUM_LENGTH);
  const last = Buffer.alloc(1);
  const complete = readAt(fd, bytes, start) === SUM_LENGTH && readAt(fd, last, end - 1) === 1 && last[0] === NEWLINE;
  return complete ? bytes.toString('latin1') : undefined;
}
