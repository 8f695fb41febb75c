/** The commands that an agent waits for at each of its own: they are in a file of their own with all they need (main.ts). */
import type { Entry } from './program.ts';

export const RUN: Entry = {
  name: 'run',
  summary: 'run a command in the view',
  load: () => import('./commands/run.ts'),
};

export const HOOK: Entry = {
  name: 'hook',
  summary: "answer an agent's hook",
  load: () => import('./commands/hook.ts'),
};
