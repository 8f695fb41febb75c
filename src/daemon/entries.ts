/**
 * What processes and threads of ours start with. This file lies just below `src`, and so does every bundle that it gets into:
 * the paths are right from each of them.
 */
import { fileURLToPath } from 'node:url';

/** The daemon's process, and in it the thread that serves the kernel (main.ts). */
export const DAEMON_MAIN = fileURLToPath(new URL('../daemon/main.js', import.meta.url));
/** The thread that sums up a run of very many changes (summary-thread.ts). */
export const SUMMARY_THREAD = new URL('../daemon/summary-thread.js', import.meta.url);
/** The thread that makes a large copy (store/copy-thread.ts). */
export const COPY_THREAD = new URL('../daemon/store/copy-thread.js', import.meta.url);
/** The thread that copies trees for travels (store/tree-thread.ts). */
export const TREE_THREAD = new URL('../daemon/store/tree-thread.js', import.meta.url);
/** The thread that looks for directories to mount (view/base-mounts/survey-thread.ts). */
export const SURVEY_THREAD = new URL('../daemon/view/base-mounts/survey-thread.js', import.meta.url);
/** The thread that talks to sources (sources/sources-thread.ts). */
export const SOURCES_THREAD = new URL('../daemon/sources/sources-thread.js', import.meta.url);
/** The command line, as a process of its own. */
export const COMMAND_LINE = fileURLToPath(new URL('../cli/main.js', import.meta.url));
/** Programs for the view's PATH. */
export const SHIMS = fileURLToPath(new URL('../bin/shims', import.meta.url));
/** The thread that works for launchers (cli/launch-server/thread.ts). */
export const LAUNCH_SERVER = new URL('../bin/launch-server.cjs', import.meta.url);
