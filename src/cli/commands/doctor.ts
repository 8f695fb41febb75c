/** `yolofs doctor`: what this host offers, and each promise tried on a throw-away session. Needs no session. */
import type { Command } from 'commander';
import { type Probe, probeHost } from '../../sandbox/probe.ts';
import { UserError } from '../../sys/user-error.ts';
import { probePromises } from '../live-probe.ts';
import { writePieces } from '../output.ts';
import { isInsideView } from '../session.ts';
import { type Paint, paintFor } from '../terminal.ts';

export function define(command: Command): void {
  command.option('--json', 'list as JSON').action(doctor);
}

async function doctor(options: { json?: true }): Promise<void> {
  if (isInsideView()) throw new UserError('not possible inside the view', 'run it in a shell outside');
  const probes = [...probeHost(), ...(await probePromises())];
  const paint = paintFor(process.stdout);
  await writePieces(options.json ? [`${JSON.stringify(probes)}\n`] : probes.map((probe) => renderProbe(probe, paint)));
  const missing = probes.filter(({ ok, required }) => required && !ok).length;
  if (missing > 0) throw new UserError(`${missing} of ${probes.length} checks failed on this host`);
}

function renderProbe({ name, ok, required, found, hint }: Probe, paint: Paint): string {
  const [word, colour] = ok
    ? (['ok', paint.green] as const)
    : required
      ? (['missing', paint.red] as const)
      : (['note', paint.yellow] as const);
  const how = hint === undefined ? '' : `${' '.repeat(10)}${paint.dim(`→ ${hint}`)}\n`;
  return `${colour(word.padEnd(8))}  ${name.padEnd(16)}  ${found}\n${how}`;
}
