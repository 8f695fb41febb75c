/** What the thread that sums up a run is started with, and what it says. */
import type { Layout } from '../../history/layout.ts';
import type { Failure, RunSummary } from '../protocol.ts';

export type Summary = Pick<RunSummary, 'counts' | 'changes' | 'refused'>;

export interface SummaryThreadData {
  readonly layout: Layout;
  readonly run: number | undefined;
  readonly from: number;
}

export type SummaryMessage = { readonly summary: Summary } | { readonly failure: Failure };
