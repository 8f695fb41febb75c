/** The tag's own fields of every kind of record: an encode/decode pair each. Decoders throw FieldError. */

import { type BaseStamp, UNKNOWN } from '../../staging/base-stamps.ts';
import type { Change, Delete, Link, Rename } from '../../staging/recorder.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { Body, DropRecord, TravelRecord } from './bodies.ts';
import type { Fields } from './field-reader.ts';
import {
  decodeAttributes,
  decodeBacking,
  decodeBytes,
  decodeChanged,
  decodeFingerprint,
  decodeFlag,
  decodeIno,
  decodeInteger,
  decodePath,
  decodeRange,
  encodeAttributes,
  encodeBacking,
  encodeBytes,
  encodeChanged,
  encodeFingerprint,
  encodeFlag,
  encodeRange,
  encodeStamp,
  FieldError,
  NONE,
} from './fields.ts';
import { decodeStage, encodeStage } from './stage-body.ts';

/** The fields of a record after the frame, joined by tabs. */
export function encodeBody(body: Body): string {
  switch (body.tag) {
    case 'S':
      return encodeStage(body);
    case 'D':
      return encodeDelete(body);
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

function encodeDelete(body: Delete): string {
  const what = `${encodeBytes(body.path)}\t${encodeFlag(body.hides, 'hides')}`;
  return `${what}\t${encodeBacking(body.pre)}\t${encodeStamp(body.stamp)}`;
}

function encodeRename(body: Rename): string {
  const flags = `${encodeFlag(body.exchange, 'exchange')}\t${encodeFlag(body.hides, 'hides')}`;
  const sides = `${encodeBacking(body.pre)}\t${encodeBacking(body.over)}`;
  const stamps = `${encodeStamp(body.stamp)}\t${encodeStamp(body.overStamp)}`;
  return `${encodeBytes(body.from)}\t${encodeBytes(body.to)}\t${flags}\t${body.ino}\t${sides}\t${stamps}`;
}

function encodeLink(body: Link): string {
  return `${encodeBytes(body.existing)}\t${encodeBytes(body.path)}\t${body.ino}\t${encodeBacking(body.of)}`;
}

function encodeChange(body: Change): string {
  const { xattr } = body;
  const value = xattr?.value?.toString('latin1');
  const what = `${encodeBytes(body.path)}\t${body.ino}\t${encodeChanged(body.changed)}`;
  const set = `${encodeAttributes(body.attributes)}\t${encodeBytes(xattr?.name)}\t${encodeBytes(value)}`;
  return `${what}\t${set}\t${encodeFingerprint(body.fingerprint)}\t${encodeBacking(body.pre)}`;
}

/** The inverse of `encodeBody`; takes all fields it knows, `Fields.end` finds any left. */
export function decodeBody(tag: string, fields: Fields): Body {
  switch (tag) {
    case 'S':
      return decodeStage(fields);
    case 'D':
      return decodeDelete(fields);
    case 'R':
      return decodeRename(fields);
    case 'L':
      return decodeLink(fields);
    case 'M':
      return decodeChange(fields);
    case 'P':
      return { tag, name: decodeBytes(fields.next()) ?? '', command: decodeBytes(fields.next()) };
    case 'T':
      return decodeTravel(fields);
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

function decodeTravel(fields: Fields): TravelRecord {
  const [target, name] = [decodeInteger(fields.next()) as Gen, decodeBytes(fields.next()) ?? ''];
  return { tag: 'T', target, name, ...(fields.hasMore ? { carried: decodeInteger(fields.next()) } : {}) };
}

function decodeDrop(fields: Fields): DropRecord {
  const ranges = fields.next();
  const generations = ranges === NONE ? [] : ranges.split(',').map(decodeRange);
  return { tag: 'X', generations, commit: decodeInteger(fields.next()) };
}

function decodeDelete(fields: Fields): Delete {
  const what = {
    path: decodePath(fields.next()),
    hides: decodeFlag(fields.next(), 'hides'),
    pre: decodeBacking(fields.next()),
  };
  return { tag: 'D', ...what, stamp: decodeStamp(fields, what.hides) };
}

function decodeRename(fields: Fields): Rename {
  const what = decodeMove(fields);
  // Whether the base has what is at the destination there, nothing tells; what is stamped too much is not compared.
  const { over } = what;
  const covers = over.kind === 'base' || (over.kind === 'object' && over.path !== undefined);
  const stamp = decodeStamp(fields, what.hides || what.exchange);
  return { tag: 'R', ...what, stamp, overStamp: decodeStamp(fields, covers) };
}

/** Records of format 1 end before: what the base had is not known. */
function decodeStamp(fields: Fields, had: boolean): BaseStamp | undefined {
  const field = fields.optional();
  if (field === undefined) return had ? UNKNOWN : undefined;
  return field === NONE ? undefined : (decodeInteger(field) as BaseStamp);
}

function decodeMove(fields: Fields): Omit<Rename, 'tag' | 'stamp' | 'overStamp'> {
  return {
    from: decodePath(fields.next()),
    to: decodePath(fields.next()),
    exchange: decodeFlag(fields.next(), 'exchange'),
    hides: decodeFlag(fields.next(), 'hides'),
    ino: decodeIno(fields.next()),
    pre: decodeBacking(fields.next()),
    over: decodeBacking(fields.next()),
  };
}

function decodeLink(fields: Fields): Link {
  return {
    tag: 'L',
    existing: decodePath(fields.next()),
    path: decodePath(fields.next()),
    ino: decodeIno(fields.next()),
    of: decodeBacking(fields.next()),
  };
}

function decodeChange(fields: Fields): Change {
  return {
    tag: 'M',
    path: decodePath(fields.next()),
    ino: decodeIno(fields.next()),
    changed: decodeChanged(fields.next()),
    attributes: decodeAttributes(fields.next()),
    xattr: decodeXattr(decodeBytes(fields.next()), decodeBytes(fields.next())),
    fingerprint: decodeFingerprint(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}

function decodeXattr(name: string | undefined, value: string | undefined): Change['xattr'] {
  if (name === undefined) return undefined;
  return { name, value: value === undefined ? null : Buffer.from(value, 'latin1') };
}
