/** `yolofs hook AGENT`: one event on stdin, as the agent says it; on stdout one answer, in its dialect too. */
import type { Command } from 'commander';
import { answerEvent, type HookSession } from '../../agents/answer.ts';
import { noteCall, takeCall, takeLeft } from '../../agents/calls.ts';
import type { Dialect } from '../../agents/dialects/dialect.ts';
import { AGENTS_WITH_HOOKS, dialectOf } from '../../agents/dialects/index.ts';
import type { Answer, HookEvent, Malformed } from '../../agents/event.ts';
import { readInput } from '../../sys/input.ts';
import { UserError } from '../../sys/user-error.ts';
import { ownProgram } from '../own-program.ts';
import { findSession, isInsideView, namedSession } from '../session.ts';

interface Options {
  readonly ask?: true;
}

export function define(command: Command): void {
  command
    .argument('<agent>', `whose hook it is: ${AGENTS_WITH_HOOKS.join(', ')}`)
    .option('--ask', "let the agent's prompt appear for each command instead of allowing it")
    .action(hook);
}

async function hook(agent: string, options: Options, command: Command): Promise<void> {
  const dialect = await dialectOf(agent);
  if (dialect === undefined) {
    throw new UserError(`unknown agent: ${agent}`, `known agents: ${AGENTS_WITH_HOOKS.join(', ')}`);
  }
  const event = dialect.parse(readInput().toString('utf8'));
  const asked = (command.optsWithGlobals() as { session?: string }).session;
  const { stdout, stderr, exit } = dialect.render(event, await decide(event, dialect, { ...options, asked }));
  process.stdout.write(stdout === '' ? '' : `${stdout}\n`);
  if (stderr !== undefined) process.stderr.write(stderr);
  process.exitCode = exit;
}

async function decide(
  event: HookEvent | Malformed,
  dialect: Dialect,
  options: Options & { asked: string | undefined },
): Promise<Answer> {
  if (isInsideView()) {
    const { answerInside } = await import('../../agents/inside.ts');
    return answerInside(event);
  }
  return answerEvent(event, {
    program: ownProgram(),
    ask: options.ask === true,
    findSession: (cwd) => hookSession(cwd, dialect, options.asked),
    ...(dialect.runsInView === undefined ? {} : { runsInView: dialect.runsInView }),
    calls: { note: noteCall, take: takeCall, takeLeft },
  });
}

/** The agent may have left the project it was started in (`cd /tmp`): then the session is that of the project. */
function hookSession(cwd: string, dialect: Dialect, asked: string | undefined): HookSession | undefined {
  const variable = process.env.YOLOFS_SESSION;
  if (asked) return { project: namedSession(asked).project, isNearest: false };
  if (variable) return { project: namedSession(variable).project, isNearest: true };
  const nearest = findSession(cwd);
  if (nearest !== undefined) return { project: nearest.project, isNearest: true };
  const started = dialect.projectVariable && process.env[dialect.projectVariable];
  const home = findSession(started || process.cwd());
  return home && { project: home.project, isNearest: false };
}
