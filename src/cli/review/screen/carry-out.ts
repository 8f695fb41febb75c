/** Shows beforehand what the decisions on the screen come to, and carries them out. Says what was done in a sentence. */
import { amount } from '../../../agents/amount.ts';
import { noteDecision } from '../../../agents/decisions.ts';
import { type Viewpoint, viewpointOf } from '../../../agents/show-path.ts';
import type { Request } from '../../../daemon/protocol.ts';
import type { Layout } from '../../../history/layout.ts';
import { label, toBytePath } from '../../../sys/bytes.ts';
import { takeBack } from '../../commands/undo.ts';
import { withDaemon } from '../../connection.ts';
import { planLines } from '../../text/notice-text.ts';
import { paintFor } from '../../text/terminal.ts';
import { listLines, rejectedText } from '../unit-text.ts';
import type { Orders } from './orders.ts';

type Commit = Omit<Extract<Request, { op: 'commit' }>, 'op' | 'dryRun'>;

/** Rejects where the daemon refuses. `generation`: of what was shown. */
export async function planText(session: Layout, orders: Orders, generation: number): Promise<readonly string[]> {
  const from = viewpointOf(session.project);
  const { reject, inseparable } = orders;
  const ask = commitOf(orders, generation);
  const plan =
    ask === undefined
      ? undefined
      : await withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: true, ...ask }));
  const steps = plan === undefined ? [] : planLines(plan, from, paintFor({}));
  const taken = plan === undefined ? [] : ['To the real files:', ...steps.map((line) => withinProject(line, session))];
  const stays =
    inseparable.length === 0
      ? []
      : [`of ${amount(inseparable.length, 'file')} what you rejected can only stay staged for now`];
  const rejected = reject.length === 0 ? [] : ['Thrown away (u brings it back):', ...rejectedLines(orders, from)];
  // The longest list is the last one: it may go on below the screen.
  return [...rejected, ...stays, ...(taken.length > 0 && rejected.length > 0 ? [''] : []), ...taken];
}

/** A step with names as the list has them: a narrow screen has no room for more. */
function withinProject(line: string, { project }: Layout): string {
  return line.replaceAll(` ${label(toBytePath(project))}/`, (found, at: number) =>
    /^(?::|$)/.test(line.slice(at + found.length)) ? ' ./' : ' ',
  );
}

function rejectedLines({ rejectedUnits }: Orders, from: Viewpoint): string[] {
  return [...listLines(rejectedUnits, new Map(), from)].map((line) => line.replace(/^ *\d+ +/, '  '));
}

/** Undefined: nothing is taken. */
function commitOf({ take, isAll, paths }: Orders, reviewed: number): Commit | undefined {
  if (isAll) return { reviewed };
  if (paths.length > 0) return { paths, reviewed };
  return take.length > 0 ? { hunks: take } : undefined;
}

/** Commits and throws away, both or neither. Rejects where that cannot be done. */
export async function carryOut(session: Layout, orders: Orders, generation: number): Promise<string> {
  const { reject, rejectedUnits } = orders;
  const said: string[] = [];
  const ask = commitOf(orders, generation);
  if (ask !== undefined) {
    const request = { op: 'commit', dryRun: false, ...ask, discard: reject } as const;
    const done = await withDaemon(session, (daemon) => daemon.request(request));
    said.push(`committed ${amount(done.changes, 'change')}`);
  } else if (reject.length > 0) await withDaemon(session, (daemon) => daemon.request({ op: 'abort', hunks: reject }));
  if (reject.length > 0) said.push(`threw away what you rejected (${rejectedUnits.length})`);
  if (rejectedUnits.length > 0)
    noteDecision(
      session,
      rejectedText(rejectedUnits, reject.length > 0, viewpointOf(session.project, session.project)),
    );
  return said.join(', ');
}

/** The last commit or abort. */
export async function undoLast(session: Layout): Promise<string> {
  const { commit, changes } = await takeBack(session, { op: 'undo' }, () => undefined);
  const which = commit === undefined ? 'the abort' : `commit ${commit}`;
  const what = `${amount(changes, 'change')} ${changes === 1 ? 'is' : 'are'} staged again`;
  noteDecision(session, `the person took ${which} back: ${what}`);
  return `took ${which} back: ${what}`;
}
