/** One agent's way to say events and answers. */
import type { Agent, Answer, HookEvent, Malformed } from '../event.ts';

/** What a hook prints and how it ends. */
export interface Rendered {
  /** JSON wherever the agent reads JSON, `{}` at least. */
  readonly stdout: string;
  readonly stderr?: string;
  readonly exit: number;
}

export interface Dialect {
  readonly agent: Agent;
  /** The environment variable that names the directory the agent was started in, where it sets one. */
  readonly projectVariable?: string;
  /** Whether the agent has been set up to run what this tool is given in the view by itself: it is not rewritten then. */
  readonly runsInView?: (tool: string, env?: NodeJS.ProcessEnv) => boolean;
  /** False where it is not certain that the model reads what the hook after a call says: the run then prints all of it, too. */
  readonly isHeard?: boolean;
  /** Never throws, on any input. `env`, here and below: the hook's environment, by default this process's. */
  parse(input: string, env?: NodeJS.ProcessEnv): HookEvent | Malformed;
  /** Never throws; an answer that the event has no place for is rendered as nothing said. */
  render(event: HookEvent | Malformed, answer: Answer, env?: NodeJS.ProcessEnv): Rendered;
}
