/** The fields of `S` records, of all kinds: an encode/decode pair each. Decoders throw FieldError. */

import type { StageContent, StageKept, StageNew } from '../../staging/recorder.ts';
import type { Fields } from './field-reader.ts';
import {
  decodeAttributes,
  decodeBacking,
  decodeBytes,
  decodeChanged,
  decodeFingerprint,
  decodeIno,
  decodeInteger,
  decodeObject,
  decodeOctal,
  decodePath,
  decodeType,
  encodeAttributes,
  encodeBacking,
  encodeBytes,
  encodeChanged,
  encodeFingerprint,
  encodeType,
  FieldError,
} from './fields.ts';

type Stage = StageNew | StageContent | StageKept;

/** The fields after the frame. */
export function encodeStage(body: Stage): string {
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
  const what = `${encodeBytes(body.path)}\t${encodeType(body.type)}\t${body.ino}\t${body.original}`;
  const state = `${body.object}\t${body.nlink}\t${encodeChanged(body.changed)}\t${encodeAttributes(body.attributes)}`;
  const more = `${body.rdev}\t${encodeBytes(body.target)}\t${encodeFingerprint(body.fingerprint)}`;
  return `kept\t${what}\t${state}\t${more}\t${encodeBacking(body.pre)}`;
}

function decodeNew(fields: Fields): StageNew {
  return {
    tag: 'S',
    how: 'new',
    path: decodePath(fields.next()),
    type: decodeType(fields.next()),
    ino: decodeIno(fields.next()),
    object: decodeObject(fields.next()),
    mode: decodeOctal(fields.next()),
    uid: decodeInteger(fields.next()),
    gid: decodeInteger(fields.next()),
    rdev: decodeInteger(fields.next()),
    target: decodeBytes(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}

/** The inverse of `encodeStage`. */
export function decodeStage(fields: Fields): Stage {
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
    ino: decodeIno(fields.next()),
    original: decodeOriginal(fields.next()),
    object: decodeObject(fields.next()),
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
  if (field !== 'here' && field !== 'born') throw new FieldError(field, '`here` or `born`');
  return field;
}

function decodeContent(fields: Fields): StageContent {
  return {
    tag: 'S',
    how: 'content',
    path: decodePath(fields.next()),
    ino: decodeIno(fields.next()),
    object: decodeObject(fields.next()),
    fingerprint: decodeFingerprint(fields.next()),
    pre: decodeBacking(fields.next()),
  };
}
