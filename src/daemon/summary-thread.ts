/** Entry of the thread that sums up a run of very many changes: what it takes to do so is given back when it ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from './failure.ts';
import type { SummaryMessage, SummaryThreadData } from './runs/messages.ts';
import { openSessionFiles } from './runs/session-files.ts';
import { summarize } from './runs/summary.ts';

const { layout, run, from } = workerData as SummaryThreadData;
parentPort?.postMessage(work());

function work(): SummaryMessage {
  const files = openSessionFiles(layout);
  try {
    return { summary: summarize(files, run, from) };
  } catch (error) {
    return { failure: failureOf(error) };
  } finally {
    files.journal.close();
    files.base.close();
    files.store.close();
  }
}
