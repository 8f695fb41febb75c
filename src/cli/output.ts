/** Data on stdout, as much as there is: pieces are handed on as the reader takes them. */

/** Writes pieces one after the other, waiting whenever stdout is full. */
export async function writePieces(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) await writeOut(piece);
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

function writeOut(text: string): Promise<void> | undefined {
  if (process.stdout.write(text)) return undefined;
  return new Promise((resolve) => {
    process.stdout.once('drain', resolve);
  });
}
