/** The log of a process without a terminal: lines on stderr, which its starter has pointed at a file. */
import { writeSync } from 'node:fs';

/** Writes one line, synchronously and from any thread, with the time in front. What cannot be written is lost. */
export function log(line: string): void {
  const text = `${new Date().toISOString()} ${line.trimEnd().replaceAll('\n', '\n  ')}\n`;
  try {
    writeSync(2, text);
  } catch (error) {
    // A full disk or a closed log must not end the process that has something to say about it.
    if ((error as NodeJS.ErrnoException).errno === undefined) throw error;
  }
}
