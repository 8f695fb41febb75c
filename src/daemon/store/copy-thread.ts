/** Entry of the thread that makes one large copy. */
import { parentPort, workerData } from 'node:worker_threads';
import { carryOut } from '../../staging/copy-up/copy-job.ts';
import type { CopyJob } from '../../staging/copy-up/copy-ups.ts';

parentPort?.postMessage(carryOut(workerData as CopyJob));
