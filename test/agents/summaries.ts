/** Summaries for tests, and a reader of their text that knows nothing of how it is made. */
import type { ChangeKind, ReportedChange, RunSummary } from '../../src/daemon/protocol.ts';
import { type BytePath, toBytes } from '../../src/sys/bytes.ts';

export const FROM = { project: '/p' as BytePath, cwd: '/p' as BytePath };

/** Colours as a terminal has them. */
export const LOUD = { bold: loud, dim: loud, red: loud, yellow: loud };

export function change(kind: ChangeKind, path: string, over: Partial<ReportedChange> = {}): ReportedChange {
  return { path: toBytes(path) as BytePath, change: kind, type: 'file', ...over };
}

/** Of snapshot 7; the counts are those of `changes`. */
export function summary(changes: readonly ReportedChange[], over: Partial<RunSummary> = {}): RunSummary {
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, metadata: 0 };
  for (const { change, below } of changes) counts[change] += 1 + (below?.changes ?? 0);
  return { generation: 7, before: 6, beside: false, snapshot: true, counts, changes, refused: [], ...over };
}

export interface Plain {
  readonly kind: ChangeKind;
  readonly dir: readonly string[];
  readonly out: boolean;
}

/** Change number `i`, whose name, `n` and that number, is nobody else's. */
export function named({ kind, dir, out }: Plain, i: number): ReportedChange {
  const path = [out ? '/srv' : '/p', ...dir, `n${i}`].join('/');
  return change(kind, path, kind === 'renamed' ? { from: '/p/before' as BytePath } : {});
}

/** Of how many changes a text speaks: names `n0` to `n<most>`, and numbers that stand for others. Throws when a name is there twice. */
export function toldIn(text: string, most: number): number {
  const lines = text.split('\n').filter((line) => line.startsWith('  '));
  const names = lines.flatMap((line) => [...line.matchAll(/\bn(\d+)\b/g)].map((match) => Number(match[1])));
  if (new Set(names).size !== names.length || names.some((n) => n >= most)) throw new Error(`names twice:\n${text}`);
  const numbers = lines.flatMap((line) =>
    [...line.matchAll(/\b(\d+) (?:below|more)\b/g)].map((match) => Number(match[1])),
  );
  return names.length + numbers.reduce((sum, n) => sum + n, 0);
}

function loud(text: string): string {
  return `\x1b[31m${text}\x1b[39m`;
}
