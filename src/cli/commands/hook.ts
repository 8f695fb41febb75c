/** `yolofs hook AGENT`: one JSON event on stdin; on stdout one JSON answer, or nothing to leave the call as it is. */
import type { Command } from 'commander';
import { answerClaude, type HookSession } from '../../agents/claude.ts';
import { isExecutable } from '../../sys/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { findSession, isInsideView, namedSession } from '../session.ts';

export function define(command: Command): void {
  command
    .argument('<agent>', 'whose hook it is: claude')
    .option('--ask', "let the agent's prompt appear for each command instead of allowing it")
    .action(hook);
}

async function hook(agent: string, options: { ask?: true }, command: Command): Promise<void> {
  if (agent !== 'claude') throw new UserError(`unknown agent: ${agent}`, 'known agents: claude');
  const input = await readStdin();
  // An agent that runs in the view as a whole has all of its commands staged already.
  if (isInsideView()) return;
  const asked = (command.optsWithGlobals() as { session?: string }).session;
  const answer = answerClaude(input, {
    program: ownProgram(),
    ask: options.ask === true,
    findSession: (cwd) => hookSession(cwd, asked),
  });
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** The agent may have left the project it was started in (`cd /tmp`): then the session is that of the project. */
function hookSession(cwd: string, asked: string | undefined): HookSession | undefined {
  const variable = process.env.YOLOFS_SESSION;
  if (asked) return { project: namedSession(asked).project, isNearest: false };
  if (variable) return { project: namedSession(variable).project, isNearest: true };
  const nearest = findSession(cwd);
  if (nearest !== undefined) return { project: nearest.project, isNearest: true };
  const home = findSession(process.env.CLAUDE_PROJECT_DIR || cwd);
  return home && { project: home.project, isNearest: false };
}

/** How the agent's shell starts this program from any directory. */
function ownProgram(): string[] {
  const script = process.argv[1];
  if (script === undefined) throw new UserError('the path of this program is unknown');
  return isExecutable(script) ? [script] : [process.execPath, script];
}

async function readStdin(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
