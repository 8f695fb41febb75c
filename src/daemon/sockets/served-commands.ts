/**
 * Which commands the daemon's sockets serve, said once for both of their ends. What a command is, and what loads it:
 * cli/command-table.ts.
 */

/** Carried out outside for who is in the view (guest.ts): they only look, or add to the history. */
export const GUEST_COMMANDS: readonly string[] = ['status', 'diff', 'log', 'audit', 'snapshot', 'travel'];

export const RUN_COMMAND = 'run';
/** An agent's event on stdin, answered on stdout. */
export const HOOK_COMMAND = 'hook';

/** What the installed program hands to the launch server (launch-server.ts): an agent waits for it at each of its commands. */
export const LAUNCHED_COMMANDS: readonly string[] = [RUN_COMMAND, HOOK_COMMAND];
