/** The inside of a daemon for people. */
import type { DebugReply, OpRow, ThreadStats, Underway, WaitingFor } from '../../daemon/debug/messages.ts';
import { label } from '../../sys/bytes.ts';
import { renderSize } from '../../sys/text/size.ts';

export function* statsLines({ stats, process }: DebugReply): Generator<string, void> {
  if (process !== undefined) {
    const { pid, rss, heap, uptime } = process;
    yield `process ${pid}, for ${Math.round(uptime)} s: ${renderSize(rss)} of memory, ${renderSize(heap)} of it objects`;
  }
  if (stats === undefined) return;
  yield `${stats.nodes} inodes are known to the kernel`;
  if (stats.trace !== undefined) yield traceLine(stats);
  yield '';
  yield* stats.requests.map(opLine);
  if (!stats.isMeasuring) yield "\ntimes and bytes are not measured: 'yolofs debug stats --measure on'";
}

function opLine({ op, total, requests, answered = 0, microseconds = 0, ...row }: OpRow): string {
  const head = `${op.padEnd(16)} ${String(total).padStart(10)}`;
  if (requests === undefined) return head;
  const mean = answered === 0 ? 0 : microseconds / answered;
  const times = `mean ${mean.toFixed(1)} us, slowest ${(row.slowest ?? 0).toFixed(0)} us`;
  const bytes = `${renderSize(row.received ?? 0)} in, ${renderSize(row.sent ?? 0)} out`;
  return `${head}  of these ${requests} measured: ${times}, ${bytes}`;
}

/** What becomes of the trace. */
export function traceLine(stats: ThreadStats | undefined): string {
  const { file, lines, stopped } = stats?.trace ?? {};
  if (file === undefined) return 'nothing is traced';
  return `trace ${file}: ${lines} lines${stopped === undefined ? '' : `; it has ended: ${stopped}`}`;
}

export interface Pending {
  readonly clients: readonly Underway[];
  readonly orders: readonly Underway[];
  readonly waiting: readonly WaitingFor[] | undefined;
}

export function* pendingLines({ clients, orders, waiting }: Pending): Generator<string, void> {
  yield* group('requests of clients, in order', clients.map(underwayLine));
  yield* group('orders of the thread that serves the view, in order', orders.map(underwayLine));
  if (waiting === undefined) yield `that thread does not answer: it is at '${orders[0]?.what ?? 'a request'}'`;
  else yield* group('requests of programs in the view that wait', waiting.map(waitingLine));
}

function* group(title: string, lines: readonly string[]): Generator<string, void> {
  yield lines.length === 0 ? `${title}: none` : `${title}:`;
  for (const line of lines) yield `  ${line}`;
}

function underwayLine({ what, age }: Underway): string {
  return `${what}, for ${seconds(age)}`;
}

function waitingLine({ op, node, path, pid, age, for: what }: WaitingFor): string {
  return `${op} ${path === undefined ? `node ${node}` : label(path)}, process ${pid}, for ${seconds(age)}: ${what}`;
}

function seconds(age: number): string {
  return `${(age / 1000).toFixed(1)} s`;
}
