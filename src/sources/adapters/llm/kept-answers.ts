/**
 * Replies that were given, one file each, named by a hash of everything the model was asked with: the same question in
 * the same tree has the same answer, without the model, as long as the directory is there.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateDirectories } from '../../../sys/files/plain-directory.ts';
import { readText, saveText } from '../../../sys/files/text-files.ts';
import { type Message, PROMPT_VERSION } from './prompt.ts';

export class KeptAnswers {
  readonly #directory: string;

  /** `directory` lies where only the host side writes, and need not exist. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  keyOf(model: string, messages: readonly Message[]): string {
    return createHash('sha256')
      .update(JSON.stringify([PROMPT_VERSION, model, messages]))
      .digest('hex');
  }

  get(key: string): string | undefined {
    return readText(join(this.#directory, key));
  }

  /** Whole or not at all, also after a crash; two at once write the same place, and either is an answer. */
  set(key: string, text: string): void {
    makePrivateDirectories(this.#directory);
    saveText(join(this.#directory, key), text);
  }
}
