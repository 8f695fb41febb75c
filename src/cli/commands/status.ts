/** `yolofs status`: what is staged, against the base. */
import type { Command } from 'commander';
import type { ChangeLine } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { label } from '../../sys/bytes.ts';
import { jsonList, writePieces } from '../output.ts';
import { changeLines, readSession } from '../read-session.ts';
import { sessionOf } from '../session.ts';
import { viewpointOf } from '../show-path.ts';
import { statusLines } from '../status-text.ts';
import { paintFor } from '../terminal.ts';

export function define(command: Command): void {
  command.option('--json', 'list as JSON').action(status);
}

async function status(options: { json?: true }, command: Command): Promise<void> {
  const session = sessionOf(command);
  if (options.json) await writeJson(session);
  else await listStatus(session);
}

/** Lists everything staged on stdout and returns how much it is. */
export function listStatus(session: Layout): Promise<number> {
  return readSession(session, async (reading) => {
    const changes = [...changeLines(reading)];
    const generation = reading?.session.state.generation ?? 0;
    const lines = statusLines(changes, viewpointOf(session.project), paintFor(process.stdout));
    if (changes.length === 0) await writePieces([`nothing is staged (generation ${generation})\n`]);
    else await writePieces(withEnds(lines));
    return changes.length;
  });
}

function writeJson(session: Layout): Promise<void> {
  return readSession(session, (reading) => {
    const generation = reading?.session.state.generation ?? 0;
    return writePieces(jsonList({ generation }, 'changes', printable(changeLines(reading))));
  });
}

/** The same changes with paths as text. */
function* printable(changes: Iterable<ChangeLine>): Generator<object, void> {
  for (const { path, change, type, from } of changes) {
    yield { path: label(path), change, type, ...(from === undefined ? {} : { from: label(from) }) };
  }
}

function* withEnds(lines: Iterable<string>): Generator<string, void> {
  for (const line of lines) yield `${line}\n`;
}
