/**
 * The journal's records and the frame of their lines: `CHECKSUM tag generation time run pid process fields...`,
 * tab-separated (FORMAT.md). What follows the frame is in body.ts, single values are in fields.ts.
 */

import type { Time } from '../../staging/inode.ts';
import type { Gen } from '../../sys/bytes.ts';
import { crc32 } from '../../sys/text/crc32.ts';
import type { Body } from './bodies.ts';
import { decodeBody, encodeBody } from './body.ts';
import { Fields } from './field-reader.ts';
import { decodeBytes, decodeInteger, decodeTime, encodeBytes, encodeTime } from './fields.ts';

export type {
  Body,
  DropRecord,
  NoteRecord,
  ResetRecord,
  SnapshotRecord,
  Tag,
  TravelRecord,
  UndoRecord,
} from './bodies.ts';

/** Who did it, as far as known when it happened. */
export interface Who {
  /** Number of the `yolofs run`; 0 = none. */
  readonly run: number;
  readonly pid: number;
  /** Name of the process (bytes), undefined when it was gone or is the kernel. */
  readonly process: string | undefined;
}

export interface JournalRecord {
  readonly generation: Gen;
  readonly time: Time;
  readonly who: Who;
  readonly body: Body;
}

/** The line without checksum and newline. */
function encodeText(record: JournalRecord): string {
  const { who, body } = record;
  const process = encodeBytes(who.process);
  const head = `${body.tag}\t${record.generation}\t${encodeTime(record.time)}\t${who.run}\t${who.pid}\t${process}`;
  return `${head}\t${encodeBody(body)}`;
}

/** Length of the checksum (CRC-32 as eight hexadecimal digits) and the tab after it. */
const SUM = 9;
const TAB = 9;
const NEWLINE = 10;

/**
 * Writes the record's line, newline included, into the start of `into` and returns its length in bytes. When it
 * does not fit, nothing is written and the length it needs is returned: larger than `into`.
 */
export function encodeRecord(record: JournalRecord, into: Buffer): number {
  return sealLine(encodeText(record), into);
}

/** As `encodeRecord`, for any line of printable ASCII and tabs, from the byte `at` on. */
export function sealLine(text: string, into: Buffer, at = 0): number {
  const length = SUM + text.length + 1;
  if (at + length > into.length) return length;
  const start = at + SUM;
  const end = start + text.length;
  into.write(text, start, 'latin1');
  writeSum(into, at, crc32(into, start, end));
  into[start - 1] = TAB;
  into[end] = NEWLINE;
  return length;
}

const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** Digit by digit: on the hot path, a string is ten times the work. */
function writeSum(into: Buffer, at: number, sum: number): void {
  for (let i = 0; i < 8; i++) into[at + i] = DIGITS[(sum >>> (28 - 4 * i)) & 15] as number;
}

/** Whether bytes[start..end), a line without its newline, carry the checksum they should. */
export function isIntact(bytes: Buffer, start: number, end: number): boolean {
  if (end - start <= SUM || bytes[start + SUM - 1] !== TAB) return false;
  const sum = crc32(bytes, start + SUM, end);
  for (let i = 0; i < 8; i++) {
    if (bytes[start + i] !== DIGITS[(sum >>> (28 - 4 * i)) & 15]) return false;
  }
  return true;
}

/** The tag of an intact line. */
export function tagOf(bytes: Buffer, start: number): string {
  return String.fromCharCode(bytes[start + SUM] ?? 0);
}

/** Decodes an intact line (without newline); throws FieldError when this version does not understand it. */
export function decodeRecord(bytes: Buffer, start: number, end: number): JournalRecord {
  const fields = new Fields(bytes.toString('latin1', start + SUM, end));
  const tag = fields.next();
  const generation = decodeInteger(fields.next()) as Gen;
  const time = decodeTime(fields.next());
  const run = decodeInteger(fields.next());
  const pid = decodeInteger(fields.next());
  const who = { run, pid, process: decodeBytes(fields.next()) };
  const body = decodeBody(tag, fields);
  fields.end();
  return { generation, time, who, body };
}
