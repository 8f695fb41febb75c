/** `yolofs snapshot`: a name for the present state. */
import type { Command } from 'commander';
import type { RunSummary } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { toBytes } from '../../sys/bytes.ts';
import { SELF } from '../caller.ts';
import { withDaemon } from '../connection.ts';
import { isForGuest } from '../look/guest-sight.ts';
import { snapshotName } from '../run/snapshot-name.ts';
import { sessionOf } from '../session.ts';

interface Options {
  readonly ifChanged?: true;
  readonly summary?: true;
}

export function define(command: Command): void {
  command
    .argument('[name]', 'what to call it')
    .option('--if-changed', 'only if something has changed since the last one')
    .option('--summary', 'tell what has changed since the last one that told')
    .action(snapshot);
}

async function snapshot(name = '', options: Options, command: Command): Promise<void> {
  const session = sessionOf(command);
  const ask = {
    name: toBytes(snapshotName(name)),
    ifChanged: options.ifChanged === true,
    tell: options.summary === true,
  };
  const { taken, generation, earlier, summary } = await withDaemon(session, (daemon) =>
    daemon.request({ op: 'snapshot', ...ask }),
  );
  if (summary !== undefined) return tell(session, summary);
  if (!taken) process.stderr.write(`nothing changed since generation ${generation}\n`);
  else process.stdout.write(`snapshot ${generation}\n`);
  if (earlier !== undefined)
    process.stderr.write(`'${name}' was snapshot ${earlier} until now: 'yolofs travel ${earlier}' still goes there\n`);
}

async function tell(session: Layout, summary: RunSummary): Promise<void> {
  const [{ takeDecisions }, { renderSummary }, { viewpointOf }, { paintFor }] = await Promise.all([
    import('../../agents/decisions.ts'),
    import('../../agents/summary-text.ts'),
    import('../../agents/show-path.ts'),
    import('../text/terminal.ts'),
  ]);
  const told = renderSummary(summary, viewpointOf(session.project, SELF.cwd), paintFor(process.stdout));
  // An agent that runs in the view asks for it after each of its calls.
  const decisions = isForGuest() ? takeDecisions(session).map((line) => `${line}\n`) : [];
  process.stdout.write(`${decisions.join('')}${told}`);
}
