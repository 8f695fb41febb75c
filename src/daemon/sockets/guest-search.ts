/**
 * What `yolofs grep` inside the view asks of sources, so that it need not open every file there. It may do without either.
 *
 *     guest: {"narrow":{"kind":"literal",…},"within":["/sources/docs"]}    out: the sources there; then, for each directory of which it is
 *                                                                              known, it and the only names in it that may match; each
 *                                                                              word is ended by a NUL, each of these lists by one more
 *     guest: {"bring":["/sources/docs/a.md","/sources/docs/b.md"]}         out: for each that is no trouble its place among these and its
 *                                                                              length, `0 1234\n`, and its content, as bytes
 *                                                                              that follow `{"bytes":1241}`
 */
import { checkedFormula, type Formula } from '../../sources/formula.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import type { LineSocket } from '../../sys/socket.ts';

export interface GuestNarrow {
  readonly narrow: Formula;
  readonly within: readonly BytePath[];
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
  /** What the view shows there beside these cannot match, however deep it is, but for directories that are told of, too. */
  readonly others: readonly Name[];
}

export interface BroughtFile {
  readonly path: BytePath;
  readonly content: Uint8Array;
}

/** Who knows of sources; both reject when it cannot be told now. */
export interface GuestSearch {
  narrow(formula: Formula, within: readonly BytePath[]): Promise<Narrowed>;
  /** Gives `take` what there is, and waits for it. */
  bring(paths: readonly BytePath[], take: (files: readonly BroughtFile[]) => Promise<void>): Promise<void>;
}

const MOST_WITHIN = 200;
/** Bytes of one line, or after one. */
const PIECE = 256 * 1024;

/** The request, if it is one of these and well made. */
export function parseSearch(value: Readonly<Record<string, unknown>>): GuestNarrow | GuestBring | undefined {
  const { narrow: formula, within, bring } = value;
  if (bring !== undefined) return arePaths(bring) && new Set(bring).size === bring.length ? { bring } : undefined;
  const narrow = checkedFormula(formula);
  if (narrow === undefined || !arePaths(within) || within.length > MOST_WITHIN) return undefined;
  return { narrow, within };
}

/** Absolute, and as they are written when nothing can be left out. */
function arePaths(value: unknown): value is readonly BytePath[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && isPlainPath(path));
}

function isPlainPath(path: string): boolean {
  return path === '/' || /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\u0100-\uffff]+)+$/.test(path);
}

/** Carries it out, as fast as the guest takes it. Rejects as `search` does. */
export async function serveSearch(
  request: GuestNarrow | GuestBring,
  search: GuestSearch,
  socket: Pick<LineSocket, 'send' | 'sendBytes' | 'drained'>,
): Promise<void> {
  if ('narrow' in request) {
    const { places, directories } = await search.narrow(request.narrow, request.within);
    const lists = [places, ...directories.map(({ dir, others }) => [dir, ...others])];
    const text = lists.map((list) => `${list.map((word) => `${word}\0`).join('')}\0`).join('');
    for (let at = 0; at < text.length; at += PIECE) {
      socket.send(JSON.stringify({ out: text.slice(at, at + PIECE) }));
      await socket.drained();
    }
  } else {
    const at = new Map(request.bring.map((path, i) => [path, i]));
    await search.bring(request.bring, async (files) => {
      for (const batch of batchesOf(files)) {
        const bytes = Buffer.concat(batch.flatMap((file) => packed(file, at.get(file.path))));
        socket.send(JSON.stringify({ bytes: bytes.length }));
        socket.sendBytes(bytes);
        await socket.drained();
      }
    });
  }
  socket.send(JSON.stringify({ exit: 0 }));
}

function packed({ content }: BroughtFile, at: number | undefined): readonly Uint8Array[] {
  return at === undefined ? [] : [Buffer.from(`${at} ${content.length}\n`), content];
}

/** Of about a piece each. */
function* batchesOf(files: readonly BroughtFile[]): Generator<readonly BroughtFile[]> {
  let batch: BroughtFile[] = [];
  let bytes = 0;
  for (const file of files) {
    batch.push(file);
    bytes += file.content.length;
    if (bytes < PIECE) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  yield batch;
}
