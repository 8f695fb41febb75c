/** The page's side of the highlighting worker: asks once for each text, and keeps what was answered last. */
import type { HighlightAnswer, HighlightRequest, Token } from './messages.ts';

export type Lines = readonly (readonly Token[])[];

/** Texts above these are drawn plain. */
const MOST_LINES = 3000;
const MOST_CHARACTERS = 200_000;
/** A text that takes longer is given up, and the worker made anew: an odd text must not hold up the others. */
const LONGEST_WAIT_MS = 3000;

let worker: Worker | undefined;
let next = 0;
const waiting = new Map<number, (lines: Lines | undefined) => void>();

/** Undefined where there are no colours for it. */
export function highlight(path: string, lines: readonly string[]): Promise<Lines | undefined> {
  const size = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length === 0 || lines.length > MOST_LINES || size > MOST_CHARACTERS) return Promise.resolve(undefined);
  const request: HighlightRequest = { id: next++, path, lines };
  return new Promise((resolve) => {
    const limit = setTimeout(() => giveUp(), LONGEST_WAIT_MS);
    waiting.set(request.id, (answer) => {
      clearTimeout(limit);
      resolve(answer);
    });
    started().postMessage(request);
  });
}

function started(): Worker {
  if (worker !== undefined) return worker;
  worker = new Worker('worker.js', { type: 'module', name: 'highlight' });
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  worker.addEventListener('error', () => giveUp());
  return worker;
}

/** Whoever waits gets plain text; the next text has a new worker. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  for (const resolve of waiting.values()) resolve(undefined);
  waiting.clear();
}
