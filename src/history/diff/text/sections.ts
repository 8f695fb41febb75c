/**
 * What of a change can be decided alone: hunks of its text, and what else it changes. Each has a key, made of what it says: the
 * key is the same as long as that is, and of other content there is none with the same key.
 */
import { createHash } from 'node:crypto';
import type { BytePath } from '../../../sys/bytes.ts';
import { close, pread } from '../../../sys/libc.ts';
import { S_IFLNK, S_IFREG } from '../../../sys/stat.ts';
import { encodeText } from '../../../sys/text/encoding.ts';
import { type Facts, typeOf } from '../facts.ts';
import type { PathChange, Side } from '../path-change.ts';
import { attributesOf } from '../side-attributes.ts';
import { type Hunk, hunksOf, splitLines } from './hunks.ts';
import { type Content, loadSide } from './load.ts';

/** `whole`: a file that was added or deleted, or is of another type now. */
export type Section = 'whole' | 'rename' | 'mode' | 'attributes' | 'target' | 'binary';

export interface KeyedHunk extends Hunk {
  readonly key: string;
}

export interface Sections {
  readonly sections: ReadonlyMap<Section, string>;
  /** Undefined where the content is no text, is too large to be shown, or did not change. */
  readonly text?: TextChange;
}

export interface TextChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly hunks: readonly KeyedHunk[];
}

/** Characters of a key that stand for its path. */
const OF_PATH = 8;
const OF_CONTENT = 32;
const CHUNK = 1 << 20;
/** One for all: to make it anew for each file costs ten times what reading a small one does. */
let chunk: Buffer | undefined;

/** The beginning of all keys of a path. */
export function keyPrefix(path: BytePath): string {
  return createHash('sha256').update(path, 'latin1').digest('hex').slice(0, OF_PATH);
}

/** What `keyPrefix` says of the path that a key is about. */
export function prefixOf(key: string): string {
  return key.slice(0, OF_PATH);
}

/** Reads both contents. */
export function sectionsOf(change: PathChange, facts: Facts): Sections {
  const { path, from, oldSide, newSide, displaced } = change;
  const key = (...said: readonly (string | Buffer | undefined)[]): string => keyOf(path, said);
  const isModified = oldSide !== undefined && newSide !== undefined && displaced !== true;
  if (!isModified || typeOf(oldSide.backing) !== typeOf(newSide.backing)) {
    const said = [change.change, change.type, from, ...[oldSide, newSide].map((side) => contentOf(side, facts))];
    return { sections: new Map([['whole', key('whole', ...said)]]) };
  }
  const sections = new Map<Section, string>();
  if (from !== undefined) sections.set('rename', key('rename', from));
  const [before, after] = [attributesOf(oldSide, facts), attributesOf(newSide, facts)];
  if (before.mode !== after.mode) sections.set('mode', key('mode', `${before.mode}`, `${after.mode}`));
  const owners = [before.uid, before.gid, after.uid, after.gid].join(':');
  if (before.uid !== after.uid || before.gid !== after.gid) sections.set('attributes', key('attributes', owners));
  const text = contentSections(change, facts, { sections, key });
  // Times, extended attributes.
  if (sections.size === 0 && text === undefined) sections.set('attributes', key('attributes', owners));
  return text === undefined ? { sections } : { sections, text };
}

interface Keyed {
  readonly sections: Map<Section, string>;
  readonly key: (...said: readonly (string | Buffer | undefined)[]) => string;
}

function contentSections(
  { path, oldSide, newSide }: PathChange,
  facts: Facts,
  { sections, key }: Keyed,
): TextChange | undefined {
  const [before, after] = [loaded(oldSide, facts), loaded(newSide, facts)];
  const type = newSide === undefined ? 0 : typeOf(newSide.backing);
  if (before === undefined || after === undefined) return undefined;
  if ('bytes' in before && 'bytes' in after && before.bytes.equals(after.bytes)) return undefined;
  const isFile = type === S_IFREG;
  if (isFile && before.kind === 'text' && after.kind === 'text') return textChangeOf(path, before.text, after.text);
  const name = isFile ? 'binary' : 'target';
  sections.set(name, key(name, contentOf(oldSide, facts), contentOf(newSide, facts)));
  return undefined;
}

/** The hunks of a text at a path, each with its key. */
export function textChangeOf(path: BytePath, oldText: string, newText: string): TextChange {
  const [before, after] = [splitLines(oldText), splitLines(newText)];
  const seen = new Map<string, number>();
  const hunks = hunksOf(before, after).map((hunk) => {
    const said = hunk.lines.join('\n');
    // Of hunks that say the same, each has its number.
    const number = (seen.get(said) ?? 0) + 1;
    seen.set(said, number);
    return { key: keyOf(path, ['hunk', said, `${number}`]), ...hunk };
  });
  return { before, after, hunks };
}

function loaded(side: Side | undefined, facts: Facts): Content | undefined {
  const type = side === undefined ? 0 : typeOf(side.backing);
  return side === undefined || (type !== S_IFREG && type !== S_IFLNK) ? undefined : loadSide(side, facts);
}

/** A hash of what one side of a change holds; undefined: nothing, or nothing that can be read. */
function contentOf(side: Side | undefined, facts: Facts): string | undefined {
  if (side === undefined) return undefined;
  const { backing } = side;
  const type = typeOf(backing);
  if (type === S_IFLNK) return facts.target(backing);
  const fd = type === S_IFREG ? facts.open(backing) : -1;
  if (fd < 0) return undefined;
  const hash = createHash('sha256');
  chunk ??= Buffer.allocUnsafeSlow(CHUNK);
  try {
    for (let at = 0; ; ) {
      const got = pread(fd, chunk, chunk.length, at);
      if (got <= 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, got));
      at += got;
    }
  } finally {
    close(fd);
  }
}

function keyOf(path: BytePath, said: readonly (string | Buffer | undefined)[]): string {
  const hash = createHash('sha256').update(path, 'latin1');
  // Each with its length, so that no two lists are the same bytes.
  for (const one of said) {
    const bytes = typeof one === 'string' ? encodeText(one) : one;
    hash.update(one === undefined ? '-' : `${one.length}:`).update(bytes ?? '');
  }
  return keyPrefix(path) + hash.digest('hex').slice(0, OF_CONTENT);
}
