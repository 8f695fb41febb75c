/** `yolofs status`: what is staged, against the base, or what lies between two generations. */
import type { Command } from 'commander';
import type { ChangeLine } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import type { Range } from '../../history/ranges.ts';
import { label } from '../../sys/bytes.ts';
import { jsonList, writePieces } from '../output.ts';
import { RANGE_HELP, rangeOf } from '../range-words.ts';
import { changeLines, type Reading, readSession, timelineOf } from '../read-session.ts';
import { sessionOf } from '../session.ts';
import { viewpointOf } from '../show-path.ts';
import { statusLines } from '../status-text.ts';
import { paintFor } from '../terminal.ts';

export function define(command: Command): void {
  command.argument('[range]', RANGE_HELP).option('--json', 'list as JSON').action(status);
}

async function status(range: string | undefined, options: { json?: true }, command: Command): Promise<void> {
  const session = sessionOf(command);
  if (options.json) await writeJson(session, range);
  else await listStatus(session, range);
}

/** Lists everything staged, or what lies in a range, on stdout and returns how much it is. */
export function listStatus(session: Layout, word?: string): Promise<number> {
  return readSession(session, async (reading) => {
    const { range, generation } = whatFor(reading, word);
    const changes = [...changeLines(reading, range)];
    const lines = statusLines(changes, viewpointOf(session.project), paintFor(process.stdout));
    const nothing = range === undefined ? `nothing is staged (generation ${generation})` : `no changes in ${word}`;
    await writePieces(withEnds(changes.length === 0 ? [nothing] : lines));
    return changes.length;
  });
}

function writeJson(session: Layout, word: string | undefined): Promise<void> {
  return readSession(session, (reading) => {
    const { range, generation } = whatFor(reading, word);
    return writePieces(jsonList({ generation }, 'changes', printable(changeLines(reading, range))));
  });
}

/** The range that is asked for, and the generation at whose state it ends. */
function whatFor(
  reading: Reading | undefined,
  word: string | undefined,
): { readonly range: Range | undefined; readonly generation: number } {
  const range = word === undefined ? undefined : rangeOf(word, timelineOf(reading));
  return { range, generation: range?.to.generation ?? reading?.session.state.generation ?? 0 };
}

/** The same changes with paths as text. */
function* printable(changes: Iterable<ChangeLine>): Generator<object, void> {
  for (const { path, from, ...line } of changes) {
    yield { path: label(path), ...line, ...(from === undefined ? {} : { from: label(from) }) };
  }
}

function* withEnds(lines: Iterable<string>): Generator<string, void> {
  for (const line of lines) yield `${line}\n`;
}
