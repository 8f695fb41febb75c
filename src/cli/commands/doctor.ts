/** `yolofs doctor`: what this host offers, and each promise tried on a throw-away session. Needs no session. */
import type { Command } from 'commander';
import { type HostFact, probeHost } from '../../sandbox/probe.ts';
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
  const facts = [...probeHost(), ...(await probePromises())];
  const paint = paintFor(process.stdout);
  await writePieces(options.json ? [`${JSON.stringify(facts)}\n`] : facts.map((fact) => renderFact(fact, paint)));
  const missing = facts.filter(({ state }) => state === 'missing').length;
  if (missing > 0) throw new UserError(`${missing} of ${facts.length} checks failed on this host`);
}

function renderFact({ name, state, detail, fix }: HostFact, paint: Paint): string {
  const colour = { ok: paint.green, missing: paint.red, optional: paint.yellow }[state];
  const how = fix === undefined ? '' : `${' '.repeat(10)}${paint.dim(`→ ${fix}`)}\n`;
  return `${colour(state.padEnd(8))}  ${name.padEnd(16)}  ${detail}\n${how}`;
}
