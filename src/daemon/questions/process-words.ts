/**
 * A process in words, for whoever is asked about it. Read without waiting: the memory behind a command line may be a
 * mapping of the view, which the thread that serves it must not wait for. It is what the process says of itself, no proof.
 */
import { label } from '../../sys/bytes.ts';
import { readProcSoon } from '../../sys/process/process.ts';

export interface ProcessWords {
  /** Printable; empty when it is gone. */
  readonly process: string;
  /** Its command line as one printable line, cut. */
  readonly command: string;
}

const MOST_BYTES = 2048;
const LONGEST = 300;

/** `pid` may be a thread's. */
export async function describeProcess(pid: number): Promise<ProcessWords> {
  const [name, words] = await Promise.all([
    readProcSoon(pid, 'comm', MOST_BYTES),
    readProcSoon(pid, 'cmdline', MOST_BYTES),
  ]);
  const command = (words ?? '').replace(/\0+$/, '').split('\0').map(wordOf).join(' ');
  return { process: label((name ?? '').replace(/\n$/, '')), command: cut(command) };
}

/** Words with blanks are marked, so that one cannot be taken for two. */
function wordOf(word: string): string {
  const text = label(word);
  return /[\s'"]/.test(text) || text === '' ? JSON.stringify(text) : text;
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
