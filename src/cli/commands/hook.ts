/** `yolofs hook AGENT`: one event on stdin, as the agent says it; on stdout one answer, in its dialect too. */
import type { Command } from 'commander';
import { answerEvent, type HookSession } from '../../agents/answer.ts';
import { noteCall, takeCall, takeLeft } from '../../agents/calls.ts';
import { takeDecisionsIn } from '../../agents/decisions.ts';
import type { Dialect } from '../../agents/dialects/dialect.ts';
import { AGENTS_WITH_HOOKS, dialectOf } from '../../agents/dialects/index.ts';
import type { Answer, HookEvent, Malformed } from '../../agents/event.ts';
import { noteOutput } from '../../agents/outputs.ts';
import { isInsideView } from '../../sandbox/inside.ts';
import { type Caller, SELF } from '../caller.ts';
import { ownProgram } from '../own-program.ts';
import { findSession, namedSession } from '../session.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly ask?: true;
  readonly session?: string;
}

interface Asked {
  readonly options: Options;
  readonly caller: Caller;
}

export function define(command: Command, caller: Caller = SELF): void {
  command
    .argument('<agent>', `whose hook it is: ${AGENTS_WITH_HOOKS.join(', ')}`)
    .option('--ask', "let the agent's prompt appear for each command instead of allowing it")
    .action((agent: string, options: Options) => hook(agent, { ...options, ...named(command) }, caller));
}

function named(command: Command): { session?: string } {
  return command.optsWithGlobals() as { session?: string };
}

async function hook(agent: string, options: Options, caller: Caller): Promise<void> {
  const dialect = await dialectOf(agent);
  if (dialect === undefined) {
    throw new UsageError(`unknown agent: ${agent}`, `known agents: ${AGENTS_WITH_HOOKS.join(', ')}`);
  }
  const event = dialect.parse(caller.readInput().toString('utf8'), caller.env);
  caller.hear(event);
  const answer = await decide(event, dialect, { options, caller });
  const { stdout, stderr, exit } = dialect.render(event, answer, caller.env);
  if (stdout !== '') caller.out(`${stdout}\n`);
  if (stderr !== undefined) caller.err(stderr);
  caller.end(exit);
}

async function decide(event: HookEvent | Malformed, dialect: Dialect, { options, caller }: Asked): Promise<Answer> {
  if (isInsideView()) {
    const { answerInside } = await import('../../agents/inside.ts');
    return answerInside(event);
  }
  return answerEvent(event, {
    program: ownProgram(caller.program),
    env: caller.env,
    ask: options.ask === true,
    findSession: (cwd) => hookSession(cwd, dialect, { options, caller }),
    ...(dialect.isHeard === undefined ? {} : { isHeard: dialect.isHeard }),
    ...(dialect.runsInView === undefined ? {} : { runsInView: dialect.runsInView }),
    calls: {
      note: noteCall,
      take: takeCall,
      noteOutput,
      takeLeft: (project) => [...takeDecisionsIn(project), ...takeLeft(project)],
    },
  });
}

/** The agent may have left the project it was started in (`cd /tmp`): then the session is that of the project. */
function hookSession(cwd: string, dialect: Dialect, { options, caller }: Asked): HookSession | undefined {
  const variable = caller.env.YOLOFS_SESSION;
  if (options.session) return { project: namedSession(options.session, caller.cwd).project, isNearest: false };
  if (variable) return { project: namedSession(variable, caller.cwd).project, isNearest: true };
  const nearest = findSession(cwd);
  if (nearest !== undefined) return { project: nearest.project, isNearest: true };
  const started = dialect.projectVariable && caller.env[dialect.projectVariable];
  const home = findSession(started || caller.cwd);
  return home && { project: home.project, isNearest: false };
}
