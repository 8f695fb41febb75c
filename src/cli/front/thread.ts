/** Entry of the daemon's thread that works for launchers (daemon/front.ts); bundled as bin/front.cjs. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FrontData, FrontMessage } from '../../daemon/front.ts';
import { Visit } from './visit.ts';

const { project } = workerData as FrontData;
const visits = new Map<number, Visit>();

parentPort?.on('message', ({ launcher, line }: FrontMessage) => {
  const known = visits.get(launcher);
  if (line === undefined) {
    known?.left();
    visits.delete(launcher);
  } else if (known !== undefined) {
    known.hear(line);
  } else {
    visits.set(launcher, new Visit(line, project, (answer) => parentPort?.postMessage({ launcher, line: answer })));
  }
});
