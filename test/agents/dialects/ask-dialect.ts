/** What a hook prints for an event: its dialect and the decision together, without the program around them. */
import { answerEvent, type HookContext } from '../../../src/agents/answer.ts';
import type { Dialect } from '../../../src/agents/dialects/dialect.ts';

export const PROGRAM = '/opt/yolofs/bin/yolofs';
export const PROJECT = '/home/dev/project';

const CONTEXT: HookContext = {
  program: [PROGRAM],
  ask: false,
  findSession: (cwd) => (cwd.startsWith(PROJECT) ? { project: PROJECT, isNearest: true } : undefined),
};

export interface Printed {
  readonly json: Record<string, unknown>;
  readonly stdout: string;
  readonly exit: number;
}

/** `input` is an event, or the text of one. */
export function askDialect(dialect: Dialect, input: unknown, over: Partial<HookContext> = {}): Printed {
  const event = dialect.parse(typeof input === 'string' ? input : JSON.stringify(input));
  const { stdout, exit } = dialect.render(event, answerEvent(event, { ...CONTEXT, ...over }));
  return { stdout, exit, json: exit === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : {} };
}
