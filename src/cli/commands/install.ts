/** `yolofs install AGENT`: puts the hook and the MCP server into the agent's configuration, after showing the change. */
import type { Command } from 'commander';
import { DESCRIPTIONS } from '../../agents/install/descriptions.ts';
import { planInstall } from '../../agents/install/plan.ts';
import { loadRecords } from '../../agents/install/record.ts';
import { carryOut, defineOptions, type Options, wantedFiles } from '../install/configuration.ts';

export function define(command: Command): void {
  defineOptions(command, 'install').action(install);
}

async function install(agent: string, options: Options): Promise<void> {
  const { places, targets } = wantedFiles(agent, options);
  const changes = planInstall(targets, places, loadRecords(places));
  if (changes.length === 0) {
    process.stderr.write(`nothing to do: it is in ${targets.map(({ path }) => path).join(' and ')} already\n`);
    return;
  }
  if (!(await carryOut(changes, places, options))) return;
  const next = DESCRIPTIONS[agent]?.next(places.level) ?? [];
  for (const line of [...next, "'yolofs doctor' tries the hook"]) process.stderr.write(`next: ${line}\n`);
}
