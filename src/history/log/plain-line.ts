/**
 * The records that a journal has most of, read byte by byte: a new file or directory, content of a file, and a change of
 * attributes, each at its own place. A start and a travel read them by the hundred thousand, and as an object with its fields
 * as strings each costs three times as much. What is spelled otherwise, or has one field more, is left to `decodeRecord`.
 */
import { sharedTime } from '../../staging/compact.ts';
import type { Attributes, DraftAttributes, Fingerprint, Time } from '../../staging/inode.ts';
import { CHANGED_MODE, CHANGED_OWNER, CHANGED_TIMES } from '../../staging/inode.ts';
import type { Backing, StageContent, StageNew } from '../../staging/recorder.ts';
import type { BytePath, Gen, Ino, Name, ObjectId } from '../../sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../sys/stat.ts';
import { COLON, Cursor, DOT, TAB } from './cursor.ts';
import { encodeBacking, encodeChanged, encodeType, NONE } from './fields.ts';
import type { Line } from './lines.ts';

/** Where the tag is, behind the checksum. */
const TAG = 9;
const S = 83;
const M = 77;

/** The words of fields, as they are encoded. */
const word = (text: string): Buffer => Buffer.from(text, 'latin1');
const field = (text: string): Buffer => word(`${text}\t`);
const TAB_AFTER = field('');
const COMMA = word(',');
const NONE_AT_END = word(NONE);
const NO_FIELD = field(NONE);
const NO_XATTR = field(`${NONE}\t${NONE}`);
const NEW = field('new' satisfies StageNew['how']);
const CONTENT = field('content' satisfies StageContent['how']);
const FILE = field(encodeType(S_IFREG));
const DIRECTORY = field(encodeType(S_IFDIR));
const ABSENT = word(encodeBacking({ kind: 'absent' }));
const BASE_FILE = word(encodeBacking({ kind: 'base', type: S_IFREG, path: '' as BytePath }));
const BASE_DIRECTORY = word(encodeBacking({ kind: 'base', type: S_IFDIR, path: '' as BytePath }));
const OTHER_DIRECTORY = word(encodeBacking({ kind: 'other', type: S_IFDIR }));
const OBJECT = word('object:' satisfies `${Backing['kind']}:`);
/** What `changed` mostly says. */
const CHANGES: readonly (readonly [Buffer, number])[] = [0, CHANGED_MODE, CHANGED_OWNER, CHANGED_TIMES].map(
  (changed) => [field(encodeChanged(changed)), changed] as const,
);
const NO_ATTRIBUTES: Attributes = {};
const NUMBERS = (['mode', 'uid', 'gid'] as const).map((key) => [key, word(`${key}=`)] as const);
const TIMES = (['atime', 'mtime', 'ctime'] as const).map((key) => [key, word(`${key}=`)] as const);

/** One line at a time; what it said is overwritten by the next. Of the fields, those count that a record of its kind has. */
export class PlainLine {
  kind: 'new' | 'content' | 'change' = 'content';
  generation = 0 as Gen;
  /** Of a new file or directory. */
  time: Time = { sec: 0, nsec: 0 };
  run = 0;
  /** S_IFREG or S_IFDIR. */
  type = S_IFREG;
  ino = 0 as Ino;
  object = 0 as ObjectId;
  mode = 0;
  uid = 0;
  gid = 0;
  rdev = 0;
  changed = 0;
  attributes = NO_ATTRIBUTES;
  /** What the original looked like, if the line tells it. */
  fingerprint: Fingerprint | undefined = undefined;
  #sec = 0;
  #nsec = 0;
  readonly #cursor = new Cursor();

  /**
   * Reads an intact line. False if it is any other record, or one with anything out of the ordinary: escaped bytes, an
   * original elsewhere, extended attributes; `decodeRecord` understands those.
   */
  read(line: Line): boolean {
    const tag = line.bytes[line.start + TAG];
    if (tag !== S && tag !== M) return false;
    const cursor = this.#cursor;
    cursor.begin(line, TAG + 1);
    if (!cursor.takes(TAB_AFTER)) return false;
    this.generation = cursor.number(TAB) as Gen;
    this.#sec = cursor.number(DOT);
    this.#nsec = cursor.number(TAB);
    this.run = cursor.number(TAB);
    // Pid, process.
    cursor.skip();
    cursor.skip();
    const isWhole = tag === M ? this.#readChange() : cursor.takes(NEW) ? this.#readNew() : this.#readContent();
    return isWhole && cursor.fits;
  }

  get name(): Name {
    return this.#cursor.name;
  }

  get directory(): BytePath {
    return this.#cursor.directory;
  }

  /** Whether it is in the directory for which this was asked last. */
  isInSameDirectory(): boolean {
    return this.#cursor.isInSameDirectory();
  }

  #readNew(): boolean {
    const cursor = this.#cursor;
    this.kind = 'new';
    this.time = sharedTime(this.#sec, this.#nsec);
    cursor.takePath();
    const isFile = cursor.takes(FILE);
    if (!isFile && !cursor.takes(DIRECTORY)) return false;
    this.type = isFile ? S_IFREG : S_IFDIR;
    this.ino = cursor.number(TAB) as Ino;
    this.object = cursor.number(TAB) as ObjectId;
    this.mode = cursor.octal(TAB);
    this.uid = cursor.number(TAB);
    this.gid = cursor.number(TAB);
    this.rdev = cursor.number(TAB);
    return cursor.takes(NO_FIELD) && cursor.endsWith(ABSENT);
  }

  #readContent(): boolean {
    const cursor = this.#cursor;
    this.kind = 'content';
    this.type = S_IFREG;
    if (!cursor.takes(CONTENT)) return false;
    cursor.takePath();
    this.ino = cursor.number(TAB) as Ino;
    this.object = cursor.number(TAB) as ObjectId;
    this.fingerprint = this.#readFingerprint();
    return this.#readFile();
  }

  #readChange(): boolean {
    const cursor = this.#cursor;
    this.kind = 'change';
    cursor.takePath();
    this.ino = cursor.number(TAB) as Ino;
    const change = CHANGES.find(([word]) => cursor.takes(word));
    if (change === undefined) return false;
    this.changed = change[1];
    this.attributes = this.#readAttributes();
    if (!cursor.takes(NO_XATTR)) return false;
    this.fingerprint = this.#readFingerprint();
    this.type = S_IFREG;
    if (this.#readFile()) return true;
    this.type = S_IFDIR;
    return cursor.takes(BASE_DIRECTORY) ? cursor.isPath() : cursor.endsWith(OTHER_DIRECTORY);
  }

  /** What the name stood for: a file that is in its own place, or was born in the view. */
  #readFile(): boolean {
    const cursor = this.#cursor;
    if (cursor.takes(BASE_FILE)) return cursor.isPath();
    if (!cursor.takes(OBJECT)) return false;
    cursor.number(COLON);
    return cursor.isPath() || cursor.endsWith(NONE_AT_END);
  }

  #readAttributes(): Attributes {
    const cursor = this.#cursor;
    if (cursor.takes(NO_FIELD)) return NO_ATTRIBUTES;
    const attributes: DraftAttributes = {};
    // In this order, each if it is set, with commas between.
    let isOpen = true;
    for (const [key, word] of NUMBERS) {
      if (!isOpen || !cursor.takes(word)) continue;
      attributes[key] = cursor.value(key === 'mode' ? 8 : 10);
      isOpen = cursor.takes(COMMA);
    }
    for (const [key, word] of TIMES) {
      if (!isOpen || !cursor.takes(word)) continue;
      attributes[key] = cursor.timeValue();
      isOpen = cursor.takes(COMMA);
    }
    if (isOpen || !cursor.takes(TAB_AFTER)) cursor.fits = false;
    return attributes;
  }

  #readFingerprint(): Fingerprint | undefined {
    const cursor = this.#cursor;
    if (cursor.takes(NO_FIELD)) return undefined;
    const dev = cursor.number(COLON);
    const ino = cursor.number(COLON);
    const size = cursor.number(COLON);
    const mtime = cursor.time(COLON);
    const ctime = cursor.time(COLON);
    return { dev, ino, size, mtime, ctime, nlink: cursor.number(TAB) };
  }
}
