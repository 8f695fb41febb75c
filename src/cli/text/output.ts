/** Data on stdout, as much as there is: pieces are handed on as the reader takes them. */
import { encodeText } from '../../sys/text/encoding.ts';

/** Pieces are joined up to this many code units: a system call for each of 100,000 lines is most of a `status`. */
const BLOCK = 64 * 1024;

/** Pieces of text, one after the other. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

/** Writes pieces one after the other, waiting whenever stdout, or what else takes them, is full. */
export async function writePieces(pieces: Pieces, write = writeOut): Promise<void> {
  let block = '';
  const take = (piece: string): Promise<void> | undefined => {
    block += piece;
    if (block.length < BLOCK) return undefined;
    const full = encodeText(block);
    block = '';
    return write(full);
  };
  if (Symbol.asyncIterator in pieces) for await (const piece of pieces) await take(piece);
  else {
    for (const piece of pieces) {
      const waits = take(piece);
      if (waits !== undefined) await waits;
    }
  }
  await write(encodeText(block));
}

/** Lines, each with its end. */
export function* withEnds(lines: Iterable<string>): Generator<string, void> {
  for (const line of lines) yield `${line}\n`;
}

/** A JSON document whose list is written element by element: `{"head":1,"list":[` … `]}`. */
export function* jsonList(
  head: Readonly<Record<string, unknown>>,
  list: string,
  items: Iterable<unknown>,
): Generator<string, void> {
  const start = JSON.stringify(head).slice(0, -1);
  yield `${start}${start.length > 1 ? ',' : ''}${JSON.stringify(list)}:[`;
  yield* elements(items);
  yield ']}\n';
}

/** A JSON list, written element by element. */
export function* jsonItems(items: Iterable<unknown>): Generator<string, void> {
  yield '[';
  yield* elements(items);
  yield ']\n';
}

function* elements(items: Iterable<unknown>): Generator<string, void> {
  let separator = '';
  for (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
}

function writeOut(bytes: Buffer): Promise<void> | undefined {
  if (process.stdout.write(bytes)) return undefined;
  return new Promise((resolve) => {
    process.stdout.once('drain', resolve);
  });
}

/** So many of a list are named. */
const MOST_LISTED = 8;

/** A list in a sentence, cut. */
export function listed(all: readonly string[]): string {
  const more = all.length - MOST_LISTED;
  return `${all.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
