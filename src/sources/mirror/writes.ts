/** What a commit is about to make of a source, by a digest of each content: after a crash it tells what there is ours. */
import { createHash } from 'node:crypto';
import { readText, removeName, saveText } from '../../sys/files/text-files.ts';
import type { Change } from '../source.ts';

/** Null: nothing. */
export type Digest = string | null;

export class Writes {
  readonly #file: string;

  /** In the directory of a mirror's state. */
  constructor(state: string) {
    this.#file = `${state}/writes.json`;
  }

  save(changes: readonly Change[]): void {
    const digests = changes.map((one) => [one.path, one.kind === 'write' ? digestOf(one.content) : null]);
    saveText(this.#file, JSON.stringify(digests));
  }

  load(): ReadonlyMap<string, Digest> {
    return new Map(JSON.parse(readText(this.#file) ?? '[]') as [string, Digest][]);
  }

  clear(): void {
    removeName(this.#file);
  }
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
