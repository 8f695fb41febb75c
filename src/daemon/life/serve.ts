/**
 * The life of a daemon's process: what it says on stdout, in one line, when it is ready or cannot be, and its end. What else it has to
 * say goes to stderr, which is the session's log. Bundled as bin/daemon.cjs.
 */
import { sessionIn } from '../../history/registry/find.ts';
import { loadConfig } from '../../rules/config/config.ts';
import { ALL_PROTECTED, type Without } from '../../sandbox/protections.ts';
import { close, exitNow, setUndumpable } from '../../sys/libc.ts';
import { log } from '../../sys/log.ts';
import { inheritedDescriptors } from '../../sys/process/inherited.ts';
import { UserError } from '../../sys/user-error.ts';
import { Daemon } from '../daemon.ts';
import { failureOf } from '../failure.ts';
import { startFuseThread } from '../fuse-worker.ts';
import { MainSession } from '../main-session.ts';
import { takeLock } from './lock.ts';
import { stopWhenGone } from './session-watch.ts';
import type { Readiness } from './start.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Serves the session of the project that the process was started for (main.ts), and ends the process. */
export async function start(keepCode: () => void): Promise<never> {
  return exitNow(await serve(process.argv[2] ?? '', ALL_PROTECTED, keepCode));
}

/**
 * Serves the session of a project until its end; returns the exit code. `without` takes protections away, which only a
 * program of the test suite does. `keepCode` is called at the end, when all that a daemon does has been compiled.
 */
export async function serve(project: string, without: Without, keepCode: () => void): Promise<number> {
  // No other process of this user may look into this one, or take its descriptors.
  if (!without.has('undumpable')) setUndumpable();
  process.umask(0o077);
  // Whoever waits for the end of a pipe that our starter had open must not wait for ours.
  for (const fd of inheritedDescriptors()) close(fd);
  try {
    const layout = sessionIn(project);
    if (layout === undefined) throw new UserError(`there is no session in ${project}`);
    if (!takeLock(layout.lock)) {
      say({ taken: true });
      return 0;
    }
    // It takes as long to start as the rules take to be read.
    const thread = startFuseThread();
    const daemon = new Daemon(new MainSession(layout, loadConfig(layout), thread), without);
    for (const signal of SIGNALS) process.on(signal, () => void daemon.stop());
    const notes = await daemon.start();
    stopWhenGone(layout, () => void daemon.stop());
    say({ ready: true, notes });
    const defect = await daemon.ended;
    // Whoever asked for the end gets the answer first.
    await new Promise(setImmediate);
    if (defect !== undefined) {
      log(`the FUSE thread ended: ${defect.stack ?? defect.message}`);
      return 1;
    }
    keepCode();
    return 0;
  } catch (error) {
    say({ error: failureOf(error) });
    return 1;
  }
}

function say(readiness: Readiness): void {
  process.stdout.write(`${JSON.stringify(readiness)}\n`);
}
