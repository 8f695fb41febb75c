/** Entry of the daemon's thread that works for launchers (daemon/sockets/front.ts); bundled as bin/front.cjs. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FrontData, FrontMessage } from '../../daemon/sockets/front.ts';
import { Visit } from './visit.ts';

const { project } = workerData as FrontData;
const visits = new Map<number, Visit>();

parentPort?.on('message', ({ launcher, line }: FrontMessage) => {
  const visit = visits.get(launcher) ?? new Visit(project, (said) => parentPort?.postMessage({ launcher, line: said }));
  visits.set(launcher, visit);
  if (line !== undefined) {
    visit.hear(line);
  } else {
    visit.left();
    visits.delete(launcher);
  }
});
