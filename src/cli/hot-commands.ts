/** Commands that somebody waits for again and again: each is in one file with all it needs (main.ts). */
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

export const GREP: Entry = {
  name: 'grep',
  summary: 'search what the view shows, as GNU grep does',
  load: () => import('./commands/grep.ts'),
};
