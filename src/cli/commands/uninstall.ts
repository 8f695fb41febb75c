/** `yolofs uninstall AGENT`: takes what `install` has put into the agent's configuration out again. */
import type { Command } from 'commander';
import { planUninstall } from '../../agents/install/plan.ts';
import { loadRecords } from '../../agents/install/record.ts';
import { carryOut, defineOptions, type Options, wantedFiles } from '../install/configuration.ts';

export function define(command: Command): void {
  defineOptions(command, 'uninstall').action(uninstall);
}

async function uninstall(agent: string, options: Options): Promise<void> {
  const { places, targets } = wantedFiles(agent, options);
  const changes = planUninstall(targets, places, loadRecords(places));
  if (changes.length > 0) await carryOut(changes, places, options);
  else process.stderr.write(`nothing to do: nothing of yolofs is in ${targets.map(({ path }) => path).join(' or ')}\n`);
}
