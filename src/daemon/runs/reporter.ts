/** Tells an agent, call by call, what has changed since it was told last. */
import type { RunSummary } from '../protocol.ts';
import type { Beginning } from './runs.ts';
import type { SessionFiles } from './session-files.ts';
import { summarizeSoon } from './summary.ts';

export class Reporter {
  #last: Beginning | undefined;

  /**
   * Sums up what everybody has done since then; the first time, since `oldest`, when the oldest run began. `now` is after the
   * snapshot of it was `taken`.
   */
  async report(
    files: SessionFiles,
    span: { readonly oldest: Beginning | undefined; readonly now: Beginning },
    taken: { readonly taken: boolean; readonly generation: number },
  ): Promise<RunSummary> {
    const { offset, before } = this.#last ?? span.oldest ?? span.now;
    this.#last = span.now;
    const summary = await summarizeSoon(files, undefined, offset);
    return { ...summary, generation: taken.generation, before, beside: false, snapshot: taken.taken };
  }
}
