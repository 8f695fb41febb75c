/** Entry of the thread that makes one large copy (staging/copy-up/copy-ups.ts), and closes the descriptors that it was given. */
import { parentPort, workerData } from 'node:worker_threads';
import { copyContent } from '../../staging/copy-content.ts';
import type { CopyJob } from '../../staging/copy-up/copy-ups.ts';
import { close } from '../../sys/libc.ts';

const { from, to, size } = workerData as CopyJob;
const error = copyContent(from, to, size);
close(from);
close(to);
parentPort?.postMessage(error);
