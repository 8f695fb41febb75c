/**
 * Small representations of what a large tree has for every file: 200,000 changed files must not cost the daemon more
 * than a few hundred bytes each. Values are the same, whatever their representation.
 */
import type { Attributes, Time } from './attribute-set.ts';

/**
 * The same number, without memory of its own if it has less than 32 bits: what comes out of a computation of doubles is a double
 * to V8, whatever its value, and a field that holds one takes 16 bytes more.
 */
export function small(value: number): number {
  const integer = value | 0;
  return integer === value ? integer : value;
}

const TIMES = 512;
/** Times seen lately, by a hash: what one program did at one moment to many files is one object. */
const times: (Time | undefined)[] = new Array(TIMES).fill(undefined);

/** A time that equals this one. It is shared, and must not be changed. */
export function sharedTime(sec: number, nsec: number): Time {
  const slot = (sec ^ nsec ^ (nsec >>> 12)) & (TIMES - 1);
  const known = times[slot];
  if (known !== undefined && known.sec === sec && known.nsec === nsec) return known;
  const time = { sec: small(sec), nsec: small(nsec) };
  times[slot] = time;
  return time;
}

/** Sets of attributes seen lately, likewise. */
const sets: (Attributes | undefined)[] = new Array(TIMES).fill(undefined);

/** Attributes that equal these: what one program did at one moment to many files is one object here, too. */
export function sharedAttributes(attributes: Attributes): Attributes {
  const { mtime, ctime } = attributes;
  const hash = (mtime?.nsec ?? 0) ^ ((ctime?.nsec ?? 0) >>> 5) ^ (attributes.mode ?? 0);
  const slot = (hash ^ (hash >>> 12)) & (TIMES - 1);
  const known = sets[slot];
  if (known !== undefined && isSame(known, attributes)) return known;
  sets[slot] = attributes;
  return attributes;
}

function isSame(a: Attributes, b: Attributes): boolean {
  return (
    a.mode === b.mode &&
    a.uid === b.uid &&
    a.gid === b.gid &&
    isSameTime(a.mtime, b.mtime) &&
    isSameTime(a.ctime, b.ctime) &&
    isSameTime(a.atime, b.atime)
  );
}

/** Whether both are the same moment, or both none. */
export function isSameTime(a: Time | undefined, b: Time | undefined): boolean {
  return a === b || (a?.sec === b?.sec && a?.nsec === b?.nsec);
}

/**
 * `attributes`, and over them those of `patch`. The sets of fields that nearly all files have are written as literals: an
 * object that got its fields one after the other is three times as large.
 */
export function withAttributes(attributes: Attributes, patch: Attributes): Attributes {
  const atime = shared(patch.atime ?? attributes.atime);
  const mtime = shared(patch.mtime ?? attributes.mtime);
  const ctime = shared(patch.ctime ?? attributes.ctime);
  const mode = patch.mode ?? attributes.mode;
  const uid = patch.uid ?? attributes.uid;
  const gid = patch.gid ?? attributes.gid;
  if (mtime === undefined || ctime === undefined) return { ...attributes, ...patch };
  if (mode === undefined && uid === undefined && gid === undefined)
    return sharedAttributes(atime === undefined ? { mtime, ctime } : { atime, mtime, ctime });
  if (mode === undefined || uid === undefined || gid === undefined || atime === undefined)
    return { ...attributes, ...patch };
  return sharedAttributes({ mode, uid, gid, atime, mtime, ctime });
}

function shared(time: Time | undefined): Time | undefined {
  return time === undefined ? undefined : sharedTime(time.sec, time.nsec);
}
