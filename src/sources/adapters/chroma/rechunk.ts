/** The chunks of a page that was changed: those that are still what they were stay, what is new is cut after lines. */

export interface Piece {
  readonly text: string;
  /** Which of the chunks before it is, unchanged. */
  readonly kept: number | undefined;
}

/** No page is cut finer than this because its chunks happen to be small. */
const SMALLEST_TARGET = 1_000;

/** Pieces that together are the content; `before`: the chunks in their order, or nothing where all are to be cut anew. */
export function rechunk(content: string, before: readonly string[], most: number): Piece[] {
  const head = keptFrom(content, before);
  const rest = content.slice(head.length);
  const tail = keptBack(rest, before.slice(head.count));
  const middle = rest.slice(0, rest.length - tail.length);
  const target = Math.min(most, Math.max(SMALLEST_TARGET, ...before.map((text) => Buffer.byteLength(text))));
  const kept = (at: number): Piece => ({ text: before[at] ?? '', kept: at });
  const pieces = [
    ...Array.from({ length: head.count }, (_, at) => kept(at)),
    ...cut(middle, target, most).map((text) => ({ text, kept: undefined })),
    ...Array.from({ length: tail.count }, (_, at) => kept(before.length - tail.count + at)),
  ];
  return pieces.length === 0 ? [{ text: '', kept: undefined }] : pieces;
}

/** How many chunks the content begins with, and how long they are together. */
function keptFrom(content: string, before: readonly string[]): { count: number; length: number } {
  let length = 0;
  const end = before.findIndex((text) => {
    const fits = text !== '' && content.startsWith(text, length);
    if (fits) length += text.length;
    return !fits;
  });
  return { count: end === -1 ? before.length : end, length };
}

/** How many chunks it ends with. */
function keptBack(content: string, before: readonly string[]): { count: number; length: number } {
  let length = 0;
  let count = 0;
  for (const text of [...before].reverse()) {
    if (text === '' || !content.endsWith(text, content.length - length) || length + text.length > content.length) break;
    length += text.length;
    count += 1;
  }
  return { count, length };
}

/** Cuts after line ends, so that a line lies in one chunk; a line longer than a document may be is cut where it must. */
function cut(text: string, target: number, most: number): string[] {
  const chunks: string[] = [];
  let bytes = 0;
  for (const part of (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).flatMap((line) => cutLine(line, most))) {
    const size = Buffer.byteLength(part);
    const last = chunks.length - 1;
    if (last < 0 || bytes + size > target) {
      chunks.push(part);
      bytes = size;
    } else {
      chunks[last] += part;
      bytes += size;
    }
  }
  return chunks;
}

function cutLine(line: string, most: number): string[] {
  if (Buffer.byteLength(line) <= most) return [line];
  // A character is four bytes at most.
  const characters = [...line];
  const step = Math.floor(most / 4);
  return Array.from({ length: Math.ceil(characters.length / step) }, (_, at) =>
    characters.slice(at * step, (at + 1) * step).join(''),
  );
}
