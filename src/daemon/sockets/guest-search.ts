/**
 * What `yolofs grep` inside the view asks of sources, so that it need not open every file there. It may do without either.
 *
 *     guest: {"narrow":{"kind":"literal",…},"within":["/sources/docs"]}    out: the sources there; then, for each directory of which it is
 *                                                                              known, it and the only names in it that may match; each
 *                                                                              word is ended by a NUL, each of these lists by one more
 *     …,"lines":"plain"}                                                   out: that; if some were read lately one more NUL, for all these names the
 *                                                                              length of the lines in it that may match, ` 12 40\n`, none where they
 *                                                                              are not told, and then these lines
 *     …,"ofAll":true}                                         out: the same, and for it contents are fetched, as many as are no trouble
 *     guest: {"bring":["/sources/docs/a.md","/sources/docs/b.md"]}         out: for each that is no trouble its place among these and its
 *                                                                              length, `0 1234\n`, and its content, as bytes
 *                                                                              that follow `{"bytes":1241}`
 */
import { checkedFormula, type Formula } from '../../sources/formula.ts';
import type { LinesAsked } from '../../sources/searching/excerpts.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import type { LineSocket } from '../../sys/socket.ts';

export interface GuestNarrow {
  readonly narrow: Formula;
  readonly within: readonly BytePath[];
  readonly lines?: LinesAsked;
  readonly ofAll?: boolean;
}

export interface GuestBring {
  /** Each once: a content is sent for each of them. */
  readonly bring: readonly BytePath[];
}

export interface Narrowed {
  readonly places: readonly BytePath[];
  readonly directories: readonly NarrowedDirectory[];
}

export interface NarrowedDirectory {
  readonly dir: BytePath;
  /**
   * What the view shows there beside these cannot match, however deep it is, but for directories that are told of, too. With a name the lines
   * that may match, if those are known.
   */
  readonly names: ReadonlyMap<Name, Uint8Array | undefined>;
}

export interface BroughtFile {
  readonly path: BytePath;
  readonly content: Uint8Array;
}

/** Who knows of sources; both reject when it cannot be told now. */
export interface GuestSearch {
  narrow(request: GuestNarrow): Promise<Narrowed>;
  /** Gives `take` what there is, and waits for it. */
  bring(paths: readonly BytePath[], take: (files: readonly BroughtFile[]) => Promise<void>): Promise<void>;
}

const MOST_WITHIN = 200;
/** Bytes of one line, or after one. */
const PIECE = 256 * 1024;

/** The request, if it is one of these and well made. */
export function parseSearch(value: Readonly<Record<string, unknown>>): GuestNarrow | GuestBring | undefined {
  const { narrow: formula, within, lines, ofAll, bring } = value;
  if (bring !== undefined) return arePaths(bring) && new Set(bring).size === bring.length ? { bring } : undefined;
  const narrow = checkedFormula(formula);
  if (narrow === undefined || !arePaths(within) || within.length > MOST_WITHIN) return undefined;
  if (lines !== 'plain' && lines !== 'numbered') return { narrow, within };
  return { narrow, within, lines, ofAll: ofAll === true };
}

/** Absolute, and as they are written when nothing can be left out. */
function arePaths(value: unknown): value is readonly BytePath[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && isPlainPath(path));
}

function isPlainPath(path: string): boolean {
  return path === '/' || /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\u0100-\uffff]+)+$/.test(path);
}

/** Carries it out, as fast as the guest takes it. Rejects as `search` does. */
export async function serveSearch(request: GuestNarrow | GuestBring, search: GuestSearch, socket: Out): Promise<void> {
  if ('narrow' in request) await sendNarrowed(await search.narrow(request), socket);
  else {
    const at = new Map(request.bring.map((path, i) => [path, i]));
    await search.bring(request.bring, (files) =>
      sendContents(
        files.flatMap((file) => packed(at.get(file.path), file.content)),
        socket,
      ),
    );
  }
  socket.send(JSON.stringify({ exit: 0 }));
}

type Out = Pick<LineSocket, 'send' | 'sendBytes' | 'drained'>;

async function sendNarrowed({ places, directories }: Narrowed, socket: Out): Promise<void> {
  const lists = [places, ...directories.map(({ dir, names }) => [dir, ...names.keys()])];
  const lines = directories.flatMap(({ names }) => [...names.values()]);
  const isAnyTold = lines.some((one) => one !== undefined);
  const text = lists.map((list) => `${list.map((word) => `${word}\0`).join('')}\0`).join('');
  for (const out of [text, ...(isAnyTold ? ['\0', `${lines.map((one) => one?.length ?? '').join(' ')}\n`] : [])]) {
    for (let at = 0; at < out.length; at += PIECE) {
      socket.send(JSON.stringify({ out: out.slice(at, at + PIECE) }));
      await socket.drained();
    }
  }
  if (isAnyTold)
    await sendContents(
      lines.filter((one) => one !== undefined),
      socket,
    );
}

function packed(at: number | undefined, content: Uint8Array): readonly Uint8Array[] {
  return at === undefined ? [] : [Buffer.from(`${at} ${content.length}\n`), content];
}

/** In pieces of about the same length. */
async function sendContents(pieces: readonly Uint8Array[], socket: Out): Promise<void> {
  for (const batch of batchesOf(pieces)) {
    const bytes = Buffer.concat(batch);
    socket.send(JSON.stringify({ bytes: bytes.length }));
    socket.sendBytes(bytes);
    await socket.drained();
  }
}

function* batchesOf(pieces: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    batch.push(piece);
    bytes += piece.length;
    if (bytes < PIECE) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  yield batch;
}
