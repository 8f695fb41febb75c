/** All commands, in the order of `--help`. */
import { HOOK, RUN } from './hot-commands.ts';
import type { Entry } from './program.ts';

export const COMMANDS: readonly Entry[] = [
  {
    name: 'init',
    sessionless: true,
    summary: 'prepare a directory for sessions',
    load: () => import('./commands/init.ts'),
  },
  RUN,
  { name: 'shell', summary: 'open a shell in the view', load: () => import('./commands/shell.ts') },
  { name: 'wrap', summary: 'run a whole agent in the view', load: () => import('./commands/wrap.ts') },
  { name: 'status', summary: 'list what is staged', load: () => import('./commands/status.ts') },
  { name: 'diff', summary: 'show what is staged, line by line', load: () => import('./commands/diff.ts') },
  {
    name: 'review',
    summary: 'look at what is staged, and take or refuse it hunk by hunk',
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'grep',
    summary: 'search what the view shows, as GNU grep does',
    load: () => import('./commands/grep.ts'),
  },
  { name: 'log', alias: 'timeline', summary: 'list the snapshots', load: () => import('./commands/log.ts') },
  { name: 'audit', summary: 'list all that was done, and by whom', load: () => import('./commands/audit.ts') },
  { name: 'snapshot', summary: 'name the present state', load: () => import('./commands/snapshot.ts') },
  {
    name: 'travel',
    summary: 'go to the state of any snapshot, back and forth',
    load: () => import('./commands/travel.ts'),
  },
  { name: 'commit', summary: 'apply what is staged to the real files', load: () => import('./commands/commit.ts') },
  {
    name: 'export',
    summary: 'write what is staged as a branch or patches, for elsewhere',
    load: () => import('./commands/export.ts'),
  },
  { name: 'undo', summary: 'take the last commit or abort back', load: () => import('./commands/undo.ts') },
  { name: 'abort', summary: 'discard what is staged; undo brings it back', load: () => import('./commands/abort.ts') },
  { name: 'rule', summary: 'list, set and explain what paths are for', load: () => import('./commands/rule.ts') },
  {
    name: 'source',
    sessionless: true,
    summary: 'a search index, a vector store or a model as a directory of the view',
    load: () => import('./commands/source.ts'),
  },
  { name: 'watch', summary: 'answer questions of what runs in the view', load: () => import('./commands/watch.ts') },
  { name: 'mount', summary: 'show the view at a directory of the host', load: () => import('./commands/mount.ts') },
  { name: 'unmount', summary: 'take it away from there', load: () => import('./commands/unmount.ts') },
  {
    name: 'mcp',
    summary: "serve an agent's tools (MCP) on stdin and stdout",
    load: () => import('./commands/mcp.ts'),
  },
  HOOK,
  {
    name: 'install',
    sessionless: true,
    summary: "put the hook into an agent's configuration",
    load: () => import('./commands/install.ts'),
  },
  {
    name: 'uninstall',
    sessionless: true,
    summary: 'take it out again',
    load: () => import('./commands/uninstall.ts'),
  },
  {
    name: 'doctor',
    sessionless: true,
    summary: 'show what this host offers, and try it',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'setup',
    sessionless: true,
    summary: 'as root: give ordinary users what this host keeps from them',
    load: () => import('./commands/setup.ts'),
  },
  { name: 'stop', summary: "end the session's daemon", load: () => import('./commands/stop.ts') },
  { name: 'gc', summary: 'remove contents that nothing needs', load: () => import('./commands/gc.ts') },
  { name: 'du', summary: 'show what the session occupies', load: () => import('./commands/du.ts') },
  {
    name: 'completion',
    sessionless: true,
    summary: 'print what completes this program in a shell',
    load: () => import('./commands/completion.ts'),
  },
  { name: 'debug', summary: 'show a live daemon from inside', load: () => import('./commands/debug.ts') },
];
