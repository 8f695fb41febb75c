/** Entry of the thread that sums up a run of very many changes: what it takes to do so is given back when it ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Layout } from '../history/layout.ts';
import { failureOf } from './failure.ts';
import type { Failure } from './protocol.ts';
import { openSummaryParts, type Summary, summarize } from './runs/summary.ts';

export interface SummaryThreadData {
  readonly layout: Layout;
  readonly run: number | undefined;
  readonly from: number;
}

export type SummaryMessage = { readonly summary: Summary } | { readonly failure: Failure };

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
