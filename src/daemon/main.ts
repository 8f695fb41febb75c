/**
 * Entry of the daemon: `node main.js PROJECT`, started by start.ts. It says on stdout, in one line, whether it is
 * ready; what else it has to say goes to stderr, which is the session's log.
 */
import { layoutOf } from '../history/layout.ts';
import { loadConfig } from '../rules/config.ts';
import { setUndumpable } from '../sys/libc.ts';
import { log } from '../sys/log.ts';
import { Daemon } from './daemon.ts';
import { failureOf } from './failure.ts';
import { takeLock } from './lock.ts';
import type { Readiness } from './start.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

await run(process.argv[2] ?? '');

async function run(project: string): Promise<void> {
  // No other process of this user may look into this one, or take its descriptors.
  setUndumpable();
  process.umask(0o077);
  const layout = layoutOf(project);
  try {
    if (!takeLock(layout.lock)) return say({ taken: true });
    const daemon = new Daemon(layout, loadConfig(layout));
    for (const signal of SIGNALS) process.on(signal, () => void daemon.stop());
    await daemon.start();
    say({ ready: true });
    const defect = await daemon.ended;
    if (defect !== undefined) fail(defect);
  } catch (error) {
    say({ error: failureOf(error) });
    process.exitCode = 1;
  }
}

function say(readiness: Readiness): void {
  process.stdout.write(`${JSON.stringify(readiness)}\n`);
}

function fail(defect: Error): void {
  log(`the FUSE thread ended: ${defect.stack ?? defect.message}`);
  process.exitCode = 1;
}
