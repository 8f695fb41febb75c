/** Commands that somebody waits for again and again: each is in one file with all it needs (main.ts). */
import { HOOK_COMMAND, RUN_COMMAND } from '../daemon/sockets/served-commands.ts';
import type { Entry } from './program.ts';

export const RUN: Entry = {
  name: RUN_COMMAND,
  summary: 'run a command in the view',
  load: () => import('./commands/run.ts'),
};

export const HOOK: Entry = {
  name: HOOK_COMMAND,
  summary: "answer an agent's hook",
  load: () => import('./commands/hook.ts'),
};

/** What the launch server carries out, too. */
export const LAUNCHED: readonly Entry[] = [RUN, HOOK];
