/** The tag's own fields of every kind of record: an encode/decode pair each. Decoders throw FieldError. */

import type { Change, Link, Rename, StageContent, StageKept, StageNew } from '../../staging/recorder.ts';
import type { Gen, Ino, ObjectId } from '../../sys/bytes.ts';
import type { Body, DropRecord } from '../record.ts';
import {
  decodeAttributes,
  decodeBacking,
  decodeBytes,
  decodeFingerprint,
  decodeFlag,
  decodeInteger,
  decodeOctal,
  decodePath,
  decodeRange,
  decodeType,
  encodeAttributes,
  encodeBacking,
  encodeBytes,
  encodeFingerprint,
  encodeFlag,
  encodeRange,
  encodeType,
  FieldError,
  NONE,
} from './fields.ts';

/** Takes the fields of a line one by one. */
export class Fields {
  readonly #parts: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#parts = text.split('\t');
  }

  /** Whether fields are left: those that format 2 added to a record are missing in format 1. */
  get hasMore(): boolean {
    return this.#at < this.#parts.length;
  }

  next(): string {
    const part = this.#parts[this.#at++];
    if (part === undefined) throw new FieldError(`${this.#parts.length} fields`, 'enough of them');
    return part;
  }

  rest(): string[] {
    const parts = this.#parts.slice(this.#at);
    this.#at = this.#parts.length;
    return parts;
  }

  end(): void {
    if (this.#at !== this.#parts.length) throw new FieldError(this.#parts[this.#at] ?? '', 'expected at the end');
  }
}

/** A set of CHANGED_* bits in words, by its number. */
const CHANGED_WORDS = makeChangedWords();

function makeChangedWords(): string[] {
  const bits = ['mode', 'owner', 'times', 'xattr'];
  return Array.from({ length: 16 }, (_, set) => bits.filter((_bit, i) => set & (1 << i)).join('+') || '-');
}

/** The fields of a record after the frame, joined by tabs. */
export function encodeBody(body: Body): string {
  switch (body.tag) {
    case 'S':
      return encodeStage(body);
    case 'D':
      return `${encodeBytes(body.path)}\t${encodeFlag(body.hides, 'hides')}\t${encodeBacking(body.pre)}`;
    case 'R':
      return encodeRename(body);
    case 'L':
      return encodeLink(body);
    case 'M':
      return encodeChange(body);
    case 'P':
      return `${encodeBytes(body.name)}\t${encodeBytes(body.command)}`;
    case 'T':
      return `${body.target}\t${encodeBytes(body.name)}${body.carried === undefined ? '' : `\t${body.carried}`}`;
    case 'K':
    case 'A':
      return body.commit === undefined ? `${body.changes}` : `${body.changes}\t${body.commit}\t${body.carried ?? 0}`;
    case 'U':
      return `${body.commit}\t${body.changes}\t${body.carried}`;
    case 'X':
      return `${body.generations.map(encodeRange).join(',') || NONE}\t${body.commit}`;
    case 'G':
    case 'C':
    case 'N':
      return body.fields.map(encodeBytes).join('\t');
  }
}

function encodeStage(body: StageNew | StageContent | StageKept): string {
  switch (body.how) {
    case 'new':
      return encodeNew(body);
    case 'content':
      return encodeContent(body);
    case 'kept':
      return encodeKept(body);
  }
}

function encodeNew(body: StageNew): string {
  const owner = `0${body.mode.toString(8)}\t${body.uid}\t${body.gid}`;
  const what = `${encodeBytes(body.path)}\t${encodeType(body.type)}\t${body.ino}\t${body.object}`;
  return `new\t${what}\t${owner}\t${body.rdev}\t${encodeBytes(body.target)}\t${encodeBacking(body.pre)}`;
}

function encodeContent(body: StageContent): string {
  const what = `${encodeBytes(body.path)}\t${body.ino}\t${body.object}`;
  return `content\t${what}\t${encodeFingerprint(body.fingerprint)}\t${encodeBacking(body.pre)}`;
}

function encodeKept(body: StageKept): string {
  const { original } = body;
  const what = `${encodeBytes(body.path)}\t${encodeType(body.type)}\t${body.ino}\t${encodeBytes(original)}`;
  const state = `${body.object}\t${body.nlink}\t${CHANGED_WORDS[body.changed] ?? '-'}\t${encodeAttributes(body.attributes)}`;
  const more = `${body.rdev}\t${encodeBytes(body.target)}\t${encodeFingerprint(body.fingerprint)}`;
  return `kept\t${what}\t${state}\t${more}\t${encodeBacking(body.pre)}`;
}

function encodeRename(body: Rename): string {
  const flags = `${encodeFlag(body.exchange, 'exchange')}\t${encodeFlag(body.hides, 'hides')}`;
  const sides = `${encodeBacking(body.pre)}\t${encodeBacking(body.over)}`;
  return `${encodeBytes(body.from)}\t${encodeBytes(body.to)}\t${flags}\t${body.ino}\t${sides}`;
}

function encodeLink(body: Link): string {
  return `${encodeBytes(body.existing)}\t${encodeBytes(body.path)}\t${body.ino}\t${encodeBacking(body.of)}`;
}

function encodeChange(body: Change): string {
  const { xattr } = body;
  const value = xattr?.value?.toString('latin1');
  const what = `${encodeBytes(body.path)}\t${body.ino}\t${CHANGED_WORDS[body.changed] ?? '-'}`;
  const set = `${encodeAttributes(body.attributes)}\t${encodeBytes(xattr?.name)}\t${encodeBytes(value)}`;
  return `${what}\t${set}\t${encodeFingerprint(body.fingerprint)}\t${encodeBacking(body.pre)}`;
}

/** The inverse of `encodeBody`; takes all fields it knows, `Fields.end` finds any left. */
export function decodeBody(tag: string, fields: Fields): Body {
  switch (tag) {
    case 'S':
      return decodeStage(fields);
    case 'D':
      return {
        tag,
        path: decodePath(fields.next()),
        hides: decodeFlag(fields.next(), 'hides'),
        pre: decodeBacking(fields.next()),
      };
    case 'R':
      return decodeRename(fields);
    case 'L':
      return decodeLink(fields);
    case 'M':
      return decodeChange(fields);
    case 'P':
      return { tag, name: decodeBytes(fields.next()) ?? '', command: decodeBytes(fields.next()) };
    case 'T': {
      const travel = {
        tag,
        target: decodeInteger(fields.next()) as Gen,
        name: decodeBytes(fields.next()) ?? '',
      } as const;
      return fields.hasMore ? { ...travel, carried: decodeInteger(fields.next()) } : travel;
    }
    case 'K':
    case 'A': {
      const reset = { tag, changes: decodeInteger(fields.next()) } as const;
      if (!fields.hasMore) return reset;
      return { ...reset, commit: decodeInteger(fields.next()), carried: decodeInteger(fields.next()) };
    }
    case 'U': {
      const [commit, changes, carried] = [fields.next(), fields.next(), fields.next()].map(decodeInteger);
      return { tag, commit: commit ?? 0, changes: changes ?? 0, carried: carried ?? 0 };
    }
    case 'X':
      return decodeDrop(fields);
    case 'G':
    case 'C':
    case 'N':
      return { tag, fields: fields.rest().map((field) => decodeBytes(field) ?? '') };
    default:
      throw new FieldError(tag, 'a record this version knows');
  }
}

function decodeDrop(fields: Fields): DropRecord {
  const ranges = fields.next();
  const generations = ranges === NONE ? [] : ranges.split(',').map(decodeRange);
  return { tag: 'X', generations, commit: decodeInteger(fields.next()) };
}

function decodeIno(fields: Fields): Ino {
  return decodeInteger(fields.next()) as Ino;
}

function decodeObject(fields: Fields): ObjectId {
  return decodeInteger(fields.next()) as ObjectId;
}

function decodeNew(fields: Fields): StageNew {
  return {
    tag: 'S',
    how: 'new',
    path: decodePath(fields.next()),
    type: decodeType(fields.next()),
    ino: decodeIno(fields),
    object: decodeObject(fields),
    mode: decodeOctal(fields.next()),
    uid: decodeInteger(fields.next()),
    gid: decodeInteger(fields.next()),
    rdev: decodeInteger(fields.next()),
    target: decodeBytes(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}

function decodeStage(fields: Fields): StageNew | StageContent | StageKept {
  const how = fields.next();
  switch (how) {
    case 'new':
      return decodeNew(fields);
    case 'content':
      return decodeContent(fields);
    case 'kept':
      return decodeKept(fields);
    default:
      throw new FieldError(how, '`new`, `content` or `kept`');
  }
}

function decodeKept(fields: Fields): StageKept {
  return {
    tag: 'S',
    how: 'kept',
    path: decodePath(fields.next()),
    type: decodeType(fields.next()),
    ino: decodeIno(fields),
    original: decodeOriginal(fields.next()),
    object: decodeObject(fields),
    nlink: decodeInteger(fields.next()),
    changed: decodeChanged(fields.next()),
    attributes: decodeAttributes(fields.next()),
    rdev: decodeInteger(fields.next()),
    target: decodeBytes(fields.next()),
    fingerprint: decodeFingerprint(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}

function decodeOriginal(field: string): StageKept['original'] {
  return field === 'here' || field === 'born' ? field : decodePath(field);
}

function decodeContent(fields: Fields): StageContent {
  return {
    tag: 'S',
    how: 'content',
    path: decodePath(fields.next()),
    ino: decodeIno(fields),
    object: decodeObject(fields),
    fingerprint: decodeFingerprint(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}

function decodeRename(fields: Fields): Rename {
  return {
    tag: 'R',
    from: decodePath(fields.next()),
    to: decodePath(fields.next()),
    exchange: decodeFlag(fields.next(), 'exchange'),
    hides: decodeFlag(fields.next(), 'hides'),
    ino: decodeIno(fields),
    pre: decodeBacking(fields.next()),
    over: decodeBacking(fields.next()),
  };
}

function decodeLink(fields: Fields): Link {
  return {
    tag: 'L',
    existing: decodePath(fields.next()),
    path: decodePath(fields.next()),
    ino: decodeIno(fields),
    of: decodeBacking(fields.next()),
  };
}

function decodeChange(fields: Fields): Change {
  return {
    tag: 'M',
    path: decodePath(fields.next()),
    ino: decodeIno(fields),
    changed: decodeChanged(fields.next()),
    attributes: decodeAttributes(fields.next()),
    xattr: decodeXattr(decodeBytes(fields.next()), decodeBytes(fields.next())),
    fingerprint: decodeFingerprint(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}

function decodeChanged(field: string): number {
  const changed = CHANGED_WORDS.indexOf(field);
  if (changed < 0) throw new FieldError(field, 'a set of changes');
  return changed;
}

function decodeXattr(name: string | undefined, value: string | undefined): Change['xattr'] {
  if (name === undefined) return undefined;
  return { name, value: value === undefined ? null : Buffer.from(value, 'latin1') };
}
