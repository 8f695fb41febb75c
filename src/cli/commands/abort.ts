/** `yolofs abort`: throws away what is staged, all of it or at paths. */

import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import { noteDecision } from '../../agents/decisions.ts';
import { quoteName } from '../../agents/summary-lines.ts';
import type { HunkWish } from '../../daemon/orders/part/chosen.ts';
import { loadRequests } from '../../daemon/requests/commit-request.ts';
import type { Layout } from '../../history/layout.ts';
import { type Dentry, TOMBSTONE } from '../../staging/inode.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { withDaemon } from '../connection.ts';
import { HUNK_HELP, type HunkOptions, hunkWishes, LINES_HELP } from '../look/hunk-words.ts';
import { listingOf } from '../look/listing.ts';
import { alongText, toPaths } from '../look/path-words.ts';
import { isAsked } from '../look/range-words.ts';
import { readSession } from '../look/read-session.ts';
import { requirePerson, requireYes } from '../questions/ask.ts';
import { sessionOf } from '../session.ts';
import { listed } from '../text/output.ts';
import { updateStateFiles } from '../wrap/agent-state.ts';
import { collect } from './commit.ts';

/** What an abort that nobody agrees to comes to. */
const KEPT = 'nothing was discarded';

export function define(command: Command): void {
  command
    .argument('[path...]', 'only these and what is below them')
    .option('--hunk <key...>', HUNK_HELP)
    .option('--lines <key:lines>', LINES_HELP, collect)
    .option('--yes', 'do not ask')
    .action(abort);
}

interface Options extends HunkOptions {
  readonly yes?: true;
}

async function abort(paths: readonly string[], options: Options, command: Command): Promise<void> {
  const session = sessionOf(command);
  const hunks = hunkWishes(options, paths);
  if (hunks.length > 0) {
    await abortHunks(session, hunks, options.yes === true);
    return noteDecision(session, `the person discarded ${amount(hunks.length, 'hunk')} of what was staged`);
  }
  if (!options.yes) {
    requirePerson(KEPT);
    await requireYes(await questionOf(session, toPaths(paths)), KEPT);
  }
  if (paths.length === 0 && (await isBare(session))) process.stderr.write('nothing was staged\n');
  else await discard(session, toPaths(paths));
}

/** Throws these away, after a question unless somebody has agreed. */
export async function abortHunks(session: Layout, hunks: readonly HunkWish[], isAgreed: boolean): Promise<void> {
  if (!isAgreed) {
    requirePerson(KEPT);
    await requireYes(`Discard ${amount(hunks.length, 'hunk')}? 'yolofs undo' brings it back.`, KEPT);
  }
  const { along } = await withDaemon(session, (daemon) => daemon.request({ op: 'abort', hunks }));
  process.stderr.write(`discarded ${amount(hunks.length, 'hunk')}\n${alongText(along)}`);
}

/** With how much it is, and what becomes of it. */
function questionOf(session: Layout, paths: readonly BytePath[]): Promise<string> {
  return readSession(session, async (reading) => {
    let count = 0;
    for (const { path, from } of listingOf(reading).changes) if (isAsked(paths, path, from)) count += 1;
    const what = paths.length === 0 ? 'everything that is staged' : 'what is staged there';
    return `Discard ${what} (${amount(count, 'change')})? 'yolofs undo' brings it back.`;
  });
}

/**
 * Whether there is nothing to discard, and nobody waits to hear of it. An abort would throw away only what can be traveled to:
 * whoever is at 0 has left that, not given it up.
 */
function isBare(session: Layout): Promise<boolean> {
  if (loadRequests(session.requests).some(({ state }) => state === 'pending')) return Promise.resolve(false);
  return readSession(session, async (reading) => {
    if (reading === undefined) return true;
    const { root } = reading.tree;
    const isStaged = (child: Dentry): boolean => child === TOMBSTONE || child.staged !== undefined;
    return (root.staged?.changed ?? 0) === 0 && ![...(root.children?.values() ?? [])].some(isStaged);
  });
}

/** Discards what is staged, all of it without paths, and says how much it was. */
export async function discard(session: Layout, paths: readonly BytePath[] = []): Promise<void> {
  // Tokens that an agent has rotated are no part of what anybody wants to throw away.
  if (paths.length === 0 && lookAt(session.agents) !== undefined) await updateStateFiles(session);
  const { changes, along } = await withDaemon(session, (daemon) => daemon.request({ op: 'abort', paths }));
  process.stderr.write(changes === 0 ? 'nothing was staged\n' : `discarded ${amount(changes, 'staged change')}\n`);
  process.stderr.write(alongText(along));
  if (changes === 0) return;
  const where = paths.length === 0 ? 'all that was staged' : `what was staged at ${listed(paths.map(quoted))}`;
  noteDecision(session, `the person discarded ${where}: ${amount(changes, 'change')}`);
}

function quoted(path: BytePath): string {
  return quoteName(label(path));
}
