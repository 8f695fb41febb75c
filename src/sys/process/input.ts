/** What this process is given on stdin, for programs that wait for nothing else: a stream of Node's takes milliseconds to set up. */
import { readSync } from 'node:fs';

const STDIN = 0;
const PIECE = 64 * 1024;
const PAUSE_MS = 2;

/** All of stdin up to its end. Throws the error of the read, as Node makes it. */
export function readInput(): Buffer {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const length = readSome(piece);
    if (length === 0) return Buffer.concat(pieces);
    if (length !== undefined) pieces.push(piece.subarray(0, length));
    // Somebody has made the pipe one that does not wait: there is nothing yet.
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function readSome(into: Buffer): number | undefined {
  try {
    return readSync(STDIN, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return undefined;
    if (code === 'EOF') return 0;
    throw error;
  }
}
