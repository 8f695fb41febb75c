/** Entry of the launch server's thread (daemon/sockets/launch-server.ts); bundled as bin/launch-server.cjs. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LauncherMessage, LaunchServerData } from '../../daemon/sockets/launch-server.ts';
import { Visit } from './visit.ts';

const { session } = workerData as LaunchServerData;
const visits = new Map<number, Visit>();

parentPort?.on('message', ({ launcher, line }: LauncherMessage) => {
  const visit = visits.get(launcher) ?? new Visit(session, (said) => parentPort?.postMessage({ launcher, line: said }));
  visits.set(launcher, visit);
  if (line !== undefined) {
    visit.hear(line);
  } else {
    visit.left();
    visits.delete(launcher);
  }
});
