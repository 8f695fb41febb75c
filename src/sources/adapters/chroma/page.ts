/**
 * A page out of its chunks. Whether they are all there is checked, as far as they tell: a page that lacks something is an
 * error, and never a shorter file.
 */
import { sha256 } from '../../../sys/text/sha256.ts';
import { aclOf, both, countOf, type Fields, timeOf } from './fields.ts';
import type { Row } from './rows.ts';

export interface Chunk {
  readonly id: string;
  readonly slug: string;
  readonly order: number | undefined;
  readonly start: number | undefined;
  /** How many chunks the page has, as this one says. */
  readonly of: unknown;
  readonly acl: readonly string[] | undefined;
  readonly mtime: number | undefined;
  readonly bytes: number;
  readonly digest: string;
  /** Undefined when only size and digest were of interest. */
  readonly row: Row | undefined;
}

/** What the chunks of a page amount to. */
export interface Shape {
  readonly rev: string;
  readonly mtime: number;
  /** Bytes of the content, or why there is none. */
  readonly size: number | Problem;
}

/** Why the chunks of a page make no content, as a sentence whose subject is the page. */
export interface Problem {
  readonly problem: string;
}

/** A row as a chunk; undefined for what belongs to no page. */
export function chunkOf(row: Row, fields: Fields): Chunk | undefined {
  const { metadata, document } = row;
  const slug = metadata[fields.path];
  if (typeof slug !== 'string') return undefined;
  return {
    id: row.id,
    slug,
    order: countOf(metadata[fields.order]),
    start: fields.start === undefined ? undefined : countOf(metadata[fields.start]),
    of: metadata[fields.chunks],
    acl: aclOf(metadata, fields),
    mtime: timeOf(metadata[fields.mtime]),
    bytes: Buffer.byteLength(document),
    digest: sha256(document),
    row,
  };
}

/** The groups that may see a page: those that each of its chunks admits. `fallback`: what silence means. */
export function aclOfPage(
  chunks: readonly Chunk[],
  listed: readonly string[],
  fallback: readonly string[],
): readonly string[] {
  return chunks.reduce((acl, chunk) => both(acl, chunk.acl ?? fallback), listed);
}

/** Size, time and revision. Chunks of overlapping pages need their rows for it. */
export function shapeOf(chunks: readonly Chunk[], fields: Fields): Shape {
  const ordered = arrange(chunks);
  const lines = ('problem' in ordered ? chunks : ordered).map(
    ({ order, start, of, bytes, digest }) => `${order} ${start} ${String(of)} ${bytes} ${digest}\n`,
  );
  return {
    rev: shortOf(sha256(lines.join(''))),
    mtime: Math.max(0, ...chunks.map((chunk) => chunk.mtime ?? 0)),
    size: sizeOf(ordered, fields),
  };
}

/** The content of a page. */
export function contentOf(chunks: readonly Chunk[], fields: Fields): string | Problem {
  const ordered = arrange(chunks);
  if ('problem' in ordered) return ordered;
  if (fields.start !== undefined) return overlay(ordered);
  return ordered.map((chunk) => chunk.row?.document ?? '').join('');
}

/** Of a digest as it is written; it is as good as unique. */
export function shortOf(digest: string): string {
  return digest.slice(0, 32);
}

function sizeOf(ordered: readonly Chunk[] | Problem, fields: Fields): number | Problem {
  if ('problem' in ordered) return ordered;
  if (fields.start === undefined) return ordered.reduce((sum, chunk) => sum + chunk.bytes, 0);
  const content = overlay(ordered);
  return typeof content === 'string' ? Buffer.byteLength(content) : content;
}

/** The chunks in their order, if they are 0, 1, … and as many as they say. A single one needs no number. */
function arrange(chunks: readonly Chunk[]): readonly Chunk[] | Problem {
  const of = chunks.find((chunk) => chunk.of !== undefined && chunk.of !== chunks.length)?.of;
  if (of !== undefined) return { problem: `has ${chunks.length} chunks, and one that says it has ${String(of)}` };
  if (chunks.length === 1 && chunks[0]?.order === undefined) return chunks;
  const ordered = [...chunks].sort((one, other) => (one.order ?? -1) - (other.order ?? -1));
  for (const [at, { order }] of ordered.entries()) {
    if (order === undefined) return { problem: 'has a chunk without a number' };
    if (order < at) return { problem: `has chunk ${order} twice` };
    if (order > at) return { problem: `lacks chunk ${at}` };
  }
  return ordered.length === 0 ? { problem: 'has no chunks' } : ordered;
}

/** Chunks that begin before the one before ends, put over each other where they say. */
function overlay(ordered: readonly Chunk[]): string | Problem {
  let content = '';
  let length = 0;
  for (const { order, start, row } of ordered) {
    const characters = [...(row?.document ?? '')];
    if (start === undefined) return { problem: `has chunk ${order}, which does not say where it begins` };
    if (start > length) return { problem: `lacks characters ${length} to ${start}` };
    const shared = Math.min(length - start, characters.length);
    if (start + shared === length && !content.endsWith(characters.slice(0, shared).join(''))) {
      return { problem: `has chunk ${order}, which differs from the one before where both have the text` };
    }
    content += characters.slice(shared).join('');
    length = Math.max(length, start + characters.length);
  }
  return content;
}
