/** What a child process writes, to its end. */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

export interface Collected {
  /** 128 + n when signal n ended it. */
  readonly code: number;
  readonly stdout: readonly Uint8Array[];
  readonly stderr: readonly Uint8Array[];
}

type OnOutput = (piece: Uint8Array, stream: 'stdout' | 'stderr') => void;

/** Resolves when it has ended and all that it wrote is here, or was handed to `onOutput`. */
export function collect(child: ChildProcess, onOutput?: OnOutput): Promise<Collected> {
  const pieces = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (piece: Buffer) => {
      if (onOutput === undefined) pieces[stream].push(piece);
      else onOutput(piece, stream);
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code: code ?? 128 + constants.signals[signal ?? 'SIGTERM'], ...pieces });
    });
  });
}

export function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8');
}
