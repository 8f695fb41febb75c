/** `yolofs install AGENT`: puts the hook and the MCP server into the agent's configuration, after showing the change. */
import type { Command } from 'commander';
import { REAL_CLIENTS } from '../../agents/install/check/real-client.ts';
import type { Level } from '../../agents/install/description.ts';
import { DESCRIPTIONS } from '../../agents/install/descriptions.ts';
import { planInstall } from '../../agents/install/plan.ts';
import { loadRecords } from '../../agents/install/record.ts';
import { UserError } from '../../sys/user-error.ts';
import { carryOut, defineOptions, type Options, wantedFiles } from '../install/configuration.ts';
import { probeClient } from '../probes/agent-probe.ts';
import { findProgram } from '../wrap/program-files.ts';

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
  await prove(agent, places.level);
  for (const line of [...next, "'yolofs doctor' tries the hook"]) process.stderr.write(`next: ${line}\n`);
}

/** By the agent's own reading of its file, where it is there to be asked. */
async function prove(agent: string, level: Level): Promise<void> {
  if (findProgram(REAL_CLIENTS[agent]?.program ?? '') === undefined) return;
  process.stderr.write(`trying it: ${agent} is started once, with a model of our own\n`);
  const proof = await probeClient(agent, level);
  if (proof?.ok === false && proof.required) throw new UserError(proof.found, "'yolofs doctor' says more");
  if (proof !== undefined) process.stderr.write(`${proof.found}\n`);
}
