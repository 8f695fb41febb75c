/**
 * The journal: an append-only file, one line a record, the truth about a session (FORMAT.md).
 *
 * One process appends (it holds the session's lock), any number may scan meanwhile: a record is one write(2) to
 * an O_APPEND descriptor, and a last line that is not complete does not count, for readers and after a crash alike.
 * A file system shows a write(2) page by page: to a reader such a line is one that has not been written yet.
 */
import { type BytePath, splitPath, toBytePath } from '../../sys/bytes.ts';
import { EIO, ENOSPC, EOPNOTSUPP, type Errno, OK, SystemError } from '../../sys/errno.ts';
import { syncDirectory } from '../../sys/files/sync-directory.ts';
import {
  AT_FDCWD,
  close,
  fallocate,
  fdatasync,
  ftruncate,
  O_APPEND,
  O_CREAT,
  O_NOFOLLOW,
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
  openAt,
  pwrite,
  write,
} from '../../sys/libc.ts';
import { encodeTime, FieldError } from './fields.ts';
import {
  afterLastNewline,
  HEADER,
  headerOf,
  JournalDamaged,
  type Line,
  lineNumber,
  readLines,
  statOf,
  sumOfLineBefore,
} from './lines.ts';
import { decodeRecord, encodeRecord, isIntact, type JournalRecord, type Tag, tagOf } from './record.ts';

/** A record with the place of its line: bytes [offset, next) of the journal. */
export interface Scanned {
  readonly offset: number;
  readonly next: number;
  readonly record: JournalRecord;
}

/** Where a record's line lies: from `offset` up to `next`. */
export interface Extent {
  readonly offset: number;
  readonly next: number;
}

export interface ScanOptions {
  /** Offset of the first line to read; default: the first record. */
  readonly from?: number;
  /** Offset to stop at, the start of a line; default: the end of the file. */
  readonly to?: number;
  /** Decode these only; the checksums of the others are still checked. */
  readonly only?: ReadonlySet<Tag>;
}

const FILE_MODE = 0o600;
const LINE_CAPACITY = 16 * 1024;
const BATCH = 1024 * 1024;
/** Bytes kept allocated behind the last record: on a full disk a deletion, which makes room, can still be recorded. */
const RESERVE = 128 * 1024;
const FALLOC_FL_KEEP_SIZE = 1;

export class Journal {
  /** Offset of the first record. */
  static readonly start = HEADER.length;

  #fd: number;
  readonly #path: string;
  readonly #writable: boolean;
  #size: number;
  #line = Buffer.allocUnsafe(LINE_CAPACITY);
  /** An append failed and could not be undone: the file is longer than `#size`. */
  #torn = false;
  /** Up to here there is room on the disk. Infinite where the file system cannot reserve any. */
  #reserved = 0;
  /** A reader sees no more than this. */
  #limit = Number.POSITIVE_INFINITY;
  /** The directory entry of a file made here is durable from the first sync on. */
  #named: boolean;

  /**
   * Opens the journal at `path` (text). To append (`create` also makes a missing file) the caller must hold the
   * session's lock, as a torn tail is cut off. Throws SystemError, JournalDamaged, or UserError for a version
   * this program does not know.
   */
  static open(path: string, options: { readonly create?: boolean; readonly readOnly?: boolean } = {}): Journal {
    const flags = options.readOnly ? O_RDONLY : O_RDWR | O_APPEND | (options.create ? O_CREAT : 0);
    const fd = openAt(AT_FDCWD, toBytePath(path), flags | O_NOFOLLOW, FILE_MODE);
    if (fd < 0) throw new SystemError(`journal ${path}`, -fd as Errno);
    try {
      return new Journal(fd, path, options.readOnly !== true);
    } catch (error) {
      close(fd);
      throw error;
    }
  }

  private constructor(fd: number, path: string, writable: boolean) {
    this.#fd = fd;
    this.#path = path;
    this.#writable = writable;
    const header = headerOf(fd);
    const begun = header !== undefined;
    this.#named = begun;
    this.#size = begun ? statOf(fd).size : 0;
    if (!writable) return;
    if (header === 'old') this.#modernize();
    if (begun) this.#cutTornTail();
    else this.#begin();
  }

  /** Bytes of the complete lines; for a reader, of the file as it is now: of a write(2) under way it may have a part. */
  get size(): number {
    return this.#writable ? this.#size : Math.min(this.#limit, afterLastNewline(this.#fd, statOf(this.#fd).size));
  }

  /** Appends one record with one write(2). On an error the file is as before and the errno is returned. */
  append(record: JournalRecord): Errno {
    let length = encodeRecord(record, this.#line);
    if (length > this.#line.length) {
      this.#line = Buffer.allocUnsafe(length * 2);
      length = encodeRecord(record, this.#line);
    }
    return this.#write(this.#line, length);
  }

  /**
   * Appends records that count only all together, with few writes; `onLine` hears where each is going to lie, before the
   * next is asked for. On an error the caller cuts off those that were written.
   */
  appendAll(records: Iterable<JournalRecord>, onLine: (record: JournalRecord, at: Extent) => void): Errno {
    let batch = Buffer.allocUnsafe(BATCH);
    let [filled, offset]: [number, number] = [0, this.#size];
    for (const record of records) {
      let length = encodeRecord(record, batch.subarray(filled));
      if (filled + length > batch.length) {
        const errno = this.#write(batch, filled);
        if (errno !== OK) return errno;
        filled = 0;
        if (length > batch.length) batch = Buffer.allocUnsafe(length * 2);
        length = encodeRecord(record, batch);
      }
      filled += length;
      onLine(record, { offset, next: offset + length });
      offset += length;
    }
    return this.#write(batch, filled);
  }

  /** Takes the records from `offset` (the start of one) on back; a reader overlooks them from now on. */
  cut(offset: number): Errno {
    if (!this.#writable) {
      this.#limit = offset;
      return OK;
    }
    this.#size = offset;
    return this.#truncate() ? OK : EIO;
  }

  /** Makes everything appended so far survive a power cut (fdatasync(2)). */
  sync(): Errno {
    const result = fdatasync(this.#fd);
    if (result < 0) return -result as Errno;
    if (this.#named) return OK;
    const synced = syncDirectory(splitPath(toBytePath(this.#path))?.dir ?? ('.' as BytePath));
    this.#named = synced === OK;
    return synced;
  }

  /** The records in order. A torn last line ends it; a damaged line before throws JournalDamaged. */
  *scan(options: ScanOptions = {}): Generator<Scanned> {
    for (const line of this.lines(options)) {
      if (options.only?.has(tagOf(line.bytes, line.start) as Tag) === false) continue;
      yield { offset: line.offset, next: line.next, record: this.decode(line) };
    }
  }

  /**
   * As `scan`, of lines whose checksum is right; each is overwritten by the next. `again` says that they were read before up to
   * `to`: who alone writes to the file does not check them twice.
   */
  *lines({
    from,
    to: until,
    again,
  }: Pick<ScanOptions, 'from' | 'to'> & { again?: boolean | undefined }): Generator<Line> {
    const size = this.size;
    const to = Math.min(until ?? size, size);
    for (const line of readLines(this.#fd, Math.max(from ?? 0, HEADER.length), to)) {
      if ((again && this.#writable) || isIntact(line.bytes, line.start, line.end)) yield line;
      else if (line.next === size) return;
      else throw this.#damaged(line.offset, 'its checksum does not match');
    }
  }

  /** The record of one of `lines`. Throws JournalDamaged when this version does not understand it. */
  decode(line: Line): JournalRecord {
    try {
      return decodeRecord(line.bytes, line.start, line.end);
    } catch (error) {
      if (error instanceof FieldError) throw this.#damaged(line.offset, error.message);
      throw error;
    }
  }

  /** Changes whenever anybody writes to the file. */
  get stamp(): string {
    const { size, mtimeSec, mtimeNsec, ctimeSec, ctimeNsec } = statOf(this.#fd);
    return `${size} ${encodeTime({ sec: mtimeSec, nsec: mtimeNsec })} ${encodeTime({ sec: ctimeSec, nsec: ctimeNsec })}`;
  }

  /** Throws JournalDamaged when a line before offset `to` is not as it was written. */
  verify(to: number): void {
    for (const _ of this.scan({ to, only: new Set() }));
  }

  /** The checksum of the line that ends at `offset`; undefined when none does. Names a state of the journal. */
  sumBefore(offset: number): string | undefined {
    return sumOfLineBefore(this.#fd, offset);
  }

  /** Where the line begins that `offset` is in, to scan from there; of what comes before all records the first. */
  lineAt(offset: number): number {
    return offset <= HEADER.length ? HEADER.length : Math.max(HEADER.length, afterLastNewline(this.#fd, offset));
  }

  /** Closes the file; a second time does nothing. */
  close(): void {
    if (this.#fd >= 0) close(this.#fd);
    this.#fd = -1;
  }

  #damaged(offset: number, why: string): JournalDamaged {
    return new JournalDamaged({ line: lineNumber(this.#fd, offset), offset }, why);
  }

  #write(bytes: Buffer, length: number): Errno {
    if (this.#torn && !this.#truncate()) return EIO;
    const written = write(this.#fd, bytes, length);
    if (written === length) {
      this.#size += length;
      if (this.#size + RESERVE / 2 > this.#reserved) this.#reserve();
      return OK;
    }
    if (written > 0) this.#torn = true;
    if (this.#torn) this.#truncate();
    // A short write to a regular file means that the space ran out on the way.
    return written < 0 ? (-written as Errno) : ENOSPC;
  }

  /** Allocates blocks beyond the end. Where the disk is full already there is nothing to reserve, and the next append asks again. */
  #reserve(): void {
    const result = fallocate(this.#fd, FALLOC_FL_KEEP_SIZE, this.#size, RESERVE);
    if (result >= 0) this.#reserved = this.#size + RESERVE;
    else if (result === -EOPNOTSUPP) this.#reserved = Number.POSITIVE_INFINITY;
  }

  /** Back to the last complete record. */
  #truncate(): boolean {
    this.#reserved = 0;
    this.#torn = ftruncate(this.#fd, this.#size) < 0;
    return !this.#torn;
  }

  #begin(): void {
    if (!this.#truncate()) throw new SystemError(`journal ${this.#path}`, EIO);
    const errno = this.#write(HEADER, HEADER.length);
    if (errno !== OK) throw new SystemError(`journal ${this.#path}`, errno);
  }

  /** Records of this version may follow: an older program must not misread them. */
  #modernize(): void {
    const fd = openAt(AT_FDCWD, toBytePath(this.#path), O_WRONLY | O_NOFOLLOW);
    const written = fd < 0 ? fd : pwrite(fd, HEADER, HEADER.length, 0);
    if (fd >= 0) close(fd);
    if (written !== HEADER.length)
      throw new SystemError(`journal ${this.#path}`, written < 0 ? (-written as Errno) : EIO);
  }

  #cutTornTail(): void {
    const size = this.#size;
    const end = afterLastNewline(this.#fd, size);
    const start = afterLastNewline(this.#fd, end - 1);
    this.#size = end;
    for (const line of start >= HEADER.length ? readLines(this.#fd, start, end) : []) {
      if (!isIntact(line.bytes, line.start, line.end)) this.#size = start;
    }
    if (this.#size < size && !this.#truncate()) throw new SystemError(`journal ${this.#path}`, EIO);
  }
}
