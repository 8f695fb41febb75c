/** `yolofs wrap`: a whole agent in the view, with what it keeps of its own, and at its end the choice what to do with the changes. */
import type { Command } from 'commander';
import { PROFILES, profileOf } from '../../agents/profiles/index.ts';
import type { Profile } from '../../agents/profiles/profile.ts';
import { viewpointOf } from '../../agents/show-path.ts';
import { renderSummary } from '../../agents/summary-text.ts';
import type { Layout } from '../../history/layout.ts';
import { loadAgents } from '../../rules/config/agents.ts';
import { removeOddEntries } from '../../sys/files/odd-entries.ts';
import { UserError } from '../../sys/user-error.ts';
import { canAsk } from '../questions/ask.ts';
import { loadAhead, reviewAtEnd } from '../review/offer.ts';
import { type Job, type Outcome, runInView } from '../run/launch.ts';
import { madeSessionOf } from '../session.ts';
import { paintFor } from '../text/terminal.ts';
import { updateStateFiles } from '../wrap/agent-state.ts';
import { namedInTmp } from '../wrap/named-files.ts';
import { jobOf, prepare } from '../wrap/prepare-agent.ts';
import { findProgram } from '../wrap/program-files.ts';

export function define(command: Command): void {
  command
    .usage('AGENT [ARGUMENT…]')
    .argument('<agent>', `${PROFILES.map(({ agent }) => agent).join(', ')}, or any other command`)
    .argument('[argument...]', 'for the agent')
    .passThroughOptions()
    .action(wrap);
}

async function wrap(agent: string, args: readonly string[], _options: unknown, command: Command): Promise<void> {
  const session = madeSessionOf(command);
  const profile = profileOf(agent);
  const program = findProgram(profile?.program ?? agent);
  if (program === undefined) throw missing(agent, profile);
  await prepare(session, profile ?? agent, program);
  if (profile === undefined)
    return finish(
      session,
      await start(session, { program: [program, ...args], text: [agent, ...args].join(' '), shows: namedInTmp(args) }),
    );
  const outcome = await start(session, { ...jobOf(profile, program, args), shows: namedInTmp(args) });
  // Nothing of the agent runs any more. A link in there would have the agent outside write where it leads.
  for (const path of removeOddEntries(loadAgents(session).direct)) {
    process.stderr.write(`yolofs: removed ${path}: not a file\n`);
  }
  await updateStateFiles(session);
  await finish(session, outcome);
}

function missing(agent: string, profile: Profile | undefined): UserError {
  if (profile !== undefined) return new UserError(`${profile.program}: not found in PATH`, profile.hint);
  const known = PROFILES.map((one) => one.agent).join(', ');
  return new UserError(`${agent}: no such agent or program`, `agents with a profile: ${known}`);
}

async function start(session: Layout, job: Omit<Job, 'snapshot'>): Promise<Outcome> {
  await loadAhead();
  if (canAsk()) process.stderr.write("in the view: changes are staged until 'yolofs commit'\n");
  return runInView(session, { ...job, snapshot: '', endsAll: true });
}

/** A person is asked what to do; without one, the summary tells what there is. */
async function finish(session: Layout, { code, summary }: Outcome): Promise<void> {
  process.exitCode = code;
  if (summary.notice !== undefined) process.stderr.write(`yolofs: ${summary.notice}\n`);
  if (canAsk()) return reviewAtEnd(session);
  process.stderr.write(renderSummary(summary, viewpointOf(session.project), paintFor(process.stderr)));
}
