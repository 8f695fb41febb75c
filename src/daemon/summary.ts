import type { RunSummary } from './protocol.ts';
export function summarize(_x: unknown): Pick<RunSummary, 'counts' | 'changes'> {
  return { counts: { added: 0, modified: 0, deleted: 0, renamed: 0, metadata: 0 }, changes: [] };
}
