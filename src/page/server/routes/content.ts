/** GET /api/content: one side of a file as it is: a picture of a kind that only draws, or a text. Nothing in it is ever run. */
import type { PathChange } from '../../../history/diff/changes.ts';
import type { Facts } from '../../../history/diff/facts.ts';
import { label } from '../../../sys/bytes.ts';
import { close, pread } from '../../../sys/libc.ts';
import { wrong } from '../http/body.ts';
import { Rejection } from '../http/reject.ts';
import type { Answer, Call } from '../http/routes.ts';
import { idOf } from '../model/show.ts';
import type { PageState } from '../state.ts';
import { imageType } from '../text/images.ts';
import { compared } from './comparing.ts';

const MOST_BYTES = 16 << 20;
/** For whoever opens the address by itself: a document that may do nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** What each kind of picture begins with. */
const MAGIC: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF....WEBP/s,
  'image/avif': /^....ftypavi[fs]/s,
  'image/bmp': /^BM/,
};

export async function content(state: PageState, { query }: Call): Promise<Answer> {
  const side = query.get('side');
  if (side !== 'old' && side !== 'new') throw wrong('side');
  const model = await state.model();
  const change = query.has('a') ? await changeOf(state, query) : state.entryOf(model, query.get('id') ?? '').change;
  const bytes = bytesOf(change, side, state.factsOf(model));
  const type = typeFor(label((side === 'old' ? change.from : undefined) ?? change.path), bytes);
  return { bytes, type, headers: { 'content-security-policy': POLICY } };
}

async function changeOf(state: PageState, query: URLSearchParams): Promise<PathChange> {
  const { changes } = await compared(state, query);
  const change = changes.find(({ path }) => idOf(path) === query.get('id'));
  if (change === undefined) throw nothing();
  return change;
}

/** Throws a Rejection where there is nothing, or too much. */
function bytesOf({ oldSide, newSide }: PathChange, side: 'old' | 'new', facts: Facts): Buffer {
  const backing = (side === 'old' ? oldSide : newSide)?.backing;
  const size = backing === undefined ? undefined : facts.size(backing);
  if (backing === undefined || size === undefined) throw nothing();
  if (size > MOST_BYTES) throw new Rejection(413, 'refused', 'it is too large to be shown');
  const fd = facts.open(backing);
  if (fd < 0) throw nothing();
  try {
    const bytes = Buffer.alloc(size);
    let at = 0;
    for (let got = 1; at < size && got > 0; at += Math.max(0, got)) got = pread(fd, bytes.subarray(at), size - at, at);
    return bytes.subarray(0, at);
  } finally {
    close(fd);
  }
}

function typeFor(path: string, bytes: Buffer): string {
  const image = imageType(path);
  if (image !== undefined && MAGIC[image]?.test(bytes.toString('latin1', 0, 16)) === true) return image;
  if (!bytes.subarray(0, 8000).includes(0)) return 'text/plain; charset=utf-8';
  throw new Rejection(415, 'refused', 'it is neither a text nor a picture that is shown');
}

function nothing(): Rejection {
  return new Rejection(404, 'missing', 'there is nothing to show');
}
