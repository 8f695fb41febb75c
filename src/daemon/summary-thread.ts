/** Entry of the thread that sums up a run of very many changes: what it takes to do so is given back when it ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from './failure.ts';
import type { SummaryMessage, SummaryThreadData } from './runs/messages.ts';
import { openSummaryParts, summarize } from './runs/summary.ts';

const { layout, run, from } = workerData as SummaryThreadData;
parentPort?.postMessage(work());

function work(): SummaryMessage {
  const parts = openSummaryParts(layout);
  try {
    return { summary: summarize(parts, run, from) };
  } catch (error) {
    return { failure: failureOf(error) };
  } finally {
    parts.journal.close();
    parts.base.close();
    parts.store.close();
  }
}
