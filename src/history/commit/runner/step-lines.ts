/** Steps as the fields of a line, and back. What only carrying a step out for the first time needs is left out. */
import type { Name, ObjectId } from '../../../sys/bytes.ts';
import type { Fields } from '../../log/field-reader.ts';
import {
  decodeAttributes,
  decodeBytes,
  decodeFlag,
  decodeInteger,
  decodePath,
  decodeTime,
  decodeType,
  encodeAttributes,
  encodeBytes,
  encodeFlag,
  encodeTime,
  encodeType,
  FieldError,
  NONE,
} from '../../log/fields.ts';
import type { FileAttributes, Xattr } from '../apply/attributes.ts';
import type { Adjust, Identity, LinkName, Looks, Make, Move, Place, Rewrite, Step } from '../plan/steps.ts';
import { Directory } from '../plan/steps.ts';
import type { DirectoryNumbers, DirectoryTable } from './directory-table.ts';

export function encodeStep(step: Step, numbers: DirectoryNumbers): string {
  const path = encodeBytes(step.path);
  switch (step.do) {
    case 'move':
      return `move\t${path}\t${encodeMove(step, numbers)}`;
    case 'place':
      return `place\t${path}\t${encodePlace(step, numbers)}`;
    case 'make':
      return `make\t${path}\t${numbers.slot(step.at)}\t${encodeType(step.type)}\t${encodeBytes(step.target)}\t${step.rdev}\t${encodeSet(step.attributes)}`;
    case 'link':
      return `link\t${path}\t${numbers.slot(step.from)}\t${numbers.slot(step.at)}\t${step.spare}`;
    case 'rewrite':
      return `rewrite\t${path}\t${encodeRewrite(step, numbers)}`;
    case 'adjust':
      return `adjust\t${path}\t${encodeAdjust(step, numbers)}`;
  }
}

export function decodeStep(word: string, fields: Fields, table: DirectoryTable): Step {
  const path = decodePath(fields.next());
  switch (word) {
    case 'move':
      return { do: word, path, ...decodeMove(fields, table) };
    case 'place':
      return { do: word, path, ...decodePlace(fields, table) };
    case 'make':
      return { do: word, path, ...decodeMake(fields, table) };
    case 'link':
      return { do: word, path, ...decodeLink(fields, table) };
    case 'rewrite':
      return { do: word, path, ...decodeRewrite(fields, table) };
    case 'adjust':
      return { do: word, path, ...decodeAdjust(fields, table) };
    default:
      throw new FieldError(word, 'a step');
  }
}

/** `dev:ino`, or `-`. */
export function encodeIdentity(id: Identity | undefined): string {
  return id === undefined ? NONE : `${id.dev}:${id.ino}`;
}

export function decodeIdentity(field: string): Identity | undefined {
  if (field === NONE) return undefined;
  const [dev = '', ino = ''] = field.split(':');
  return { dev: decodeInteger(dev), ino: decodeInteger(ino) };
}

function needIdentity(field: string): Identity {
  const id = decodeIdentity(field);
  if (id === undefined) throw new FieldError(field, 'device and inode number');
  return id;
}

function encodeMove(step: Move, numbers: DirectoryNumbers): string {
  const { size, mtime, mode, uid, gid } = step.looks;
  const looks = `${size}:${encodeTime(mtime)}:${mode}:${uid}:${gid}`;
  const directory = step.directory === undefined ? NONE : numbers.of(step.directory);
  const places = `${step.why}\t${numbers.slot(step.from)}\t${numbers.slot(step.to)}\t${directory}`;
  const names = `${step.spare}\t${step.kept ?? NONE}\t${encodeBytes(step.origin)}`;
  return `${places}\t${encodeIdentity(step.id)}\t${looks}\t${names}\t${encodeFlag(step.superseded === true, 'superseded')}`;
}

function decodeMove(fields: Fields, table: DirectoryTable): Omit<Move, 'do' | 'path'> {
  const why = fields.next();
  if (why !== 'save' && why !== 'aside' && why !== 'place') throw new FieldError(why, 'a reason to move');
  const from = table.slot(fields.next(), fields.next());
  const to = table.slot(fields.next(), fields.next());
  const directory = fields.next();
  return {
    ...{ why, from, to, directory: directory === NONE ? undefined : table.at(directory) },
    id: needIdentity(fields.next()),
    looks: decodeLooks(fields.next()),
    spare: fields.next() as Name,
    kept: decodeBytes(fields.next()) as Name | undefined,
    ...originOf(fields.next()),
    superseded: decodeFlag(fields.next(), 'superseded'),
  };
}

function originOf(field: string): Pick<Move, 'origin'> {
  return field === NONE ? {} : { origin: decodePath(field) };
}

function decodeLooks(field: string): Looks {
  const [size = '', mtime = '', mode = '', uid = '', gid = ''] = field.split(':');
  return {
    ...{ size: decodeInteger(size), mtime: decodeTime(mtime) },
    ...{ mode: decodeInteger(mode), uid: decodeInteger(uid), gid: decodeInteger(gid) },
  };
}

function encodePlace(step: Place, numbers: DirectoryNumbers): string {
  const what = `${step.object}\t${encodeIdentity(step.id)}\t${step.size}\t${encodeIdentity(step.over)}`;
  const names = `${step.spare}\t${step.kept}\t${encodeBytes(step.origin)}`;
  const own = step.own === undefined ? '' : `\t${encodeTime(step.own)}`;
  return `${numbers.slot(step.at)}\t${what}\t${names}\t${encodeSet(step.attributes)}${own}`;
}

function decodePlace(fields: Fields, table: DirectoryTable): Omit<Place, 'do' | 'path'> {
  const placed = {
    at: table.slot(fields.next(), fields.next()),
    object: decodeInteger(fields.next()) as ObjectId,
    id: needIdentity(fields.next()),
    size: decodeInteger(fields.next()),
    over: decodeIdentity(fields.next()),
    spare: fields.next() as Name,
    kept: fields.next() as Name,
    origin: originOf(fields.next()).origin,
    attributes: decodeSet(fields),
  };
  const own = fields.optional();
  const { mtime, xattrs = [] } = placed.attributes;
  if (own === undefined && xattrs.length === 0) return { ...placed, adjust: undefined };
  // Who took the step back has given the object its own time back, and taken its extended attributes away.
  if (own === undefined) return { ...placed, adjust: { xattrs } };
  return { ...placed, adjust: { mtime, xattrs }, own: decodeTime(own) };
}

function decodeMake(fields: Fields, table: DirectoryTable): Omit<Make, 'do' | 'path'> {
  return {
    at: table.slot(fields.next(), fields.next()),
    type: decodeType(fields.next()),
    target: decodeBytes(fields.next()),
    rdev: decodeInteger(fields.next()),
    attributes: decodeSet(fields),
  };
}

function decodeLink(fields: Fields, table: DirectoryTable): Omit<LinkName, 'do' | 'path'> {
  return {
    from: table.slot(fields.next(), fields.next()),
    at: table.slot(fields.next(), fields.next()),
    spare: fields.next() as Name,
  };
}

function encodeRewrite(step: Rewrite, numbers: DirectoryNumbers): string {
  const what = `${step.object}\t${encodeIdentity(step.id)}\t${step.size}\t${step.kept}`;
  return `${numbers.slot(step.at)}\t${what}\t${encodeSet(step.attributes)}\t${encodeSet(step.before)}`;
}

function decodeRewrite(fields: Fields, table: DirectoryTable): Omit<Rewrite, 'do' | 'path'> {
  return {
    at: table.slot(fields.next(), fields.next()),
    object: decodeInteger(fields.next()) as ObjectId,
    id: needIdentity(fields.next()),
    size: decodeInteger(fields.next()),
    kept: fields.next() as Name,
    attributes: decodeSet(fields),
    before: decodeSet(fields),
  };
}

function encodeAdjust(step: Adjust, numbers: DirectoryNumbers): string {
  const at = step.at instanceof Directory ? `${numbers.of(step.at)}\t${NONE}` : numbers.slot(step.at);
  const how = `${encodeFlag(step.lenient, 'lenient')}\t${step.says ?? NONE}`;
  return `${at}\t${encodeIdentity(step.id)}\t${how}\t${encodeSet(step.attributes)}\t${encodeSet(step.before)}`;
}

function decodeAdjust(fields: Fields, table: DirectoryTable): Omit<Adjust, 'do' | 'path'> {
  const directory = fields.next();
  const name = fields.next();
  return {
    at: name === NONE ? table.at(directory) : table.slot(directory, name),
    id: decodeIdentity(fields.next()),
    lenient: decodeFlag(fields.next(), 'lenient'),
    says: fields.next() === 'attributes' ? 'attributes' : undefined,
    attributes: decodeSet(fields),
    before: decodeSet(fields),
  };
}

/** Attributes, the number of extended ones, and each of those as name, value and whether it is carried. */
function encodeSet(attributes: FileAttributes): string {
  const { xattrs = [] } = attributes;
  let text = `${encodeAttributes(attributes)}\t${xattrs.length}`;
  for (const { name, value, carried } of xattrs) {
    text += `\t${encodeBytes(name)}\t${encodeBytes(value?.toString('latin1'))}\t${encodeFlag(carried, 'carried')}`;
  }
  return text;
}

function decodeSet(fields: Fields): FileAttributes {
  const attributes = decodeAttributes(fields.next());
  const xattrs: Xattr[] = [];
  for (let left = decodeInteger(fields.next()); left > 0; left--) {
    const name = decodeBytes(fields.next()) ?? '';
    const value = decodeBytes(fields.next());
    xattrs.push({
      ...{ name, value: value === undefined ? null : Buffer.from(value, 'latin1') },
      carried: decodeFlag(fields.next(), 'carried'),
    });
  }
  return { ...attributes, xattrs };
}
