/** The FUSE thread's side of `yolofs debug`: it looks, between two requests, and changes nothing but who looks on. */

import { type Measured, Observer } from '../../fuse/observer.ts';
import type { WaitingRequest } from '../../fuse/pending-requests.ts';
import type { FuseSession } from '../../fuse/session.ts';
import { type Inode, TOMBSTONE, viewPath } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { type BytePath, label, type Name } from '../../sys/bytes.ts';
import { TraceSink } from '../../sys/trace.ts';
import { UserError } from '../../sys/user-error.ts';
import type { LiveView } from '../live-view.ts';
import type { PendingFetches } from '../sources/pending-fetches.ts';
import { describeInode, treeLines } from './dump-tree.ts';
import type { Inspect, Inspected, ThreadStats, WaitingFor } from './messages.ts';

/** What is looked at. */
export interface Inside {
  readonly live: LiveView;
  readonly session: FuseSession | undefined;
  readonly fetches: PendingFetches | undefined;
}

/** A tree of a million files must not hold up whoever works in the view. */
const MOST_LINES = 20_000;

/** Of this thread. */
let measured: Map<string, Measured> | undefined;
let tracing: { readonly file: string; readonly sink: TraceSink } | undefined;

/** Throws a UserError for what is not there, a SystemError for a file that cannot be written. */
export function inspect(ask: Inspect, inside: Inside): Inspected {
  switch (ask.what) {
    case 'stats':
      if (ask.measure !== undefined) measure(ask.measure, inside);
      return { stats: stats(inside) };
    case 'pending':
      return { waiting: (inside.session?.waiting ?? []).map((request) => waitingFor(request, inside)) };
    case 'tree':
      return { lines: linesOf(inside.live.tree) };
    case 'inode':
      return { lines: inodeLines(inside.live.tree, ask.path ?? ('/' as BytePath)) };
    case 'trace':
      trace(ask.file, inside);
      return { stats: stats(inside) };
  }
}

function measure(on: boolean, inside: Inside): void {
  measured = on ? new Map() : undefined;
  lookOn(inside);
}

/** The earlier trace ends, whatever comes of this one. */
function trace(file: string | undefined, inside: Inside): void {
  tracing?.sink.close();
  tracing = undefined;
  try {
    if (file !== undefined) tracing = { file, sink: TraceSink.open(file) };
  } finally {
    lookOn(inside);
  }
}

function lookOn({ session }: Inside): void {
  if (session === undefined) throw new UserError('the view is not served yet', undefined, { code: 'busy' });
  const sink = tracing?.sink;
  const trace = sink && ((line: string): void => sink.write(line));
  session.observer = trace === undefined && measured === undefined ? undefined : new Observer({ trace, measured });
}

function stats({ live, session }: Inside): ThreadStats {
  const requests = Object.entries(session?.counters ?? {}).map(([op, total]) => ({ op, total, ...measured?.get(op) }));
  const { file, sink } = tracing ?? {};
  return {
    requests: requests.sort((a, b) => b.total - a.total),
    isMeasuring: measured !== undefined,
    nodes: live.overlay.liveInodes,
    ...(file === undefined || sink === undefined
      ? {}
      : { trace: { file, lines: sink.lines, ...(sink.stopped === undefined ? {} : { stopped: sink.stopped }) } }),
  };
}

function waitingFor({ ticket, name, nodeId, pid, age }: WaitingRequest, { live, fetches }: Inside): WaitingFor {
  const path = live.overlay.nodePaths.pathOf(nodeId);
  const question = live.gatekeeper.asking.questions.of(ticket);
  const source = path === undefined ? undefined : fetches?.sourceOf(path);
  const what =
    question !== undefined ? `question ${question}` : source === undefined ? 'copy' : `source ${label(source)}`;
  return { op: name, node: nodeId, ...(path === undefined ? {} : { path }), pid, age, for: what };
}

function linesOf(tree: OverrideTree): string[] {
  const lines: string[] = [];
  for (const line of treeLines(tree)) {
    if (lines.length === MOST_LINES) return [...lines, `… (the first ${MOST_LINES} lines)`];
    lines.push(line);
  }
  return lines;
}

/** What this thread knows of the inode at a path; what it does not know is the base's, as it is. */
function inodeLines(tree: OverrideTree, path: BytePath): string[] {
  let at: Inode = tree.root;
  for (const name of path.split('/').filter(Boolean)) {
    const child = at.children?.get(name as Name);
    if (child === TOMBSTONE) throw new UserError(`${label(path)} is deleted in the view`);
    if (child === undefined) throw new UserError(`${label(path)}: not staged, and the kernel has not asked for it`);
    at = child;
  }
  const own = viewPath(at);
  return [
    `path ${own === undefined ? 'none any more' : label(own)}`,
    `kernel ${at.nodeId === 0 ? 'does not know it' : `node ${at.nodeId}, ${at.lookups} lookups`}`,
    `inode ${at.ino}`,
    `names below ${at.children?.size ?? 0}`,
    `${at.staged === undefined ? 'not staged' : `staged as ${at.staged.id}`}: ${describeInode(at)}`,
  ];
}
