/**
 * Entry of the daemon: `node main.js PROJECT`, started by start.ts. It says on stdout, in one line, whether it is
 * ready; what else it has to say goes to stderr, which is the session's log.
 */
import { setFlagsFromString } from 'node:v8';
import { layoutOf } from '../history/layout.ts';
import { loadConfig } from '../rules/config.ts';
import { inheritedDescriptors } from '../sys/inherited.ts';
import { close, exitNow, setUndumpable } from '../sys/libc.ts';
import { log } from '../sys/log.ts';
import { Daemon } from './daemon.ts';
import { failureOf } from './failure.ts';
import { takeLock } from './lock.ts';
import type { Readiness } from './start.ts';

// The FUSE thread's objects are mostly short-lived or few. The heap may grow by half of what lives before it is
// collected: after stat of 200,000 files the daemon takes 144 MB; with V8's own choice it took 215. What is fresh may
// take 8 MB before it is looked through, not V8's 16: 20 MB less after any work. With 4 it would be 5 MB less again,
// and a commit of many files would take a tenth more of processor time.
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=8');

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

exitNow(await run(process.argv[2] ?? ''));

/** Serves the session until its end; returns the exit code. */
async function run(project: string): Promise<number> {
  // No other process of this user may look into this one, or take its descriptors.
  setUndumpable();
  process.umask(0o077);
  // Whoever waits for the end of a pipe that our starter had open must not wait for ours.
  for (const fd of inheritedDescriptors()) close(fd);
  const layout = layoutOf(project);
  try {
    if (!takeLock(layout.lock)) {
      say({ taken: true });
      return 0;
    }
    const daemon = new Daemon(layout, loadConfig(layout));
    for (const signal of SIGNALS) process.on(signal, () => void daemon.stop());
    const notes = await daemon.start();
    say({ ready: true, notes });
    const defect = await daemon.ended;
    // Whoever asked for the end gets the answer first.
    await new Promise(setImmediate);
    if (defect !== undefined) log(`the FUSE thread ended: ${defect.stack ?? defect.message}`);
    return defect === undefined ? 0 : 1;
  } catch (error) {
    say({ error: failureOf(error) });
    return 1;
  }
}

function say(readiness: Readiness): void {
  process.stdout.write(`${JSON.stringify(readiness)}\n`);
}
