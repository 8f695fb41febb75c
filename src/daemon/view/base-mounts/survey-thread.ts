/** Entry of the thread that looks for directories to mount: at the lowest priority, since nobody waits for it. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type SurveyAsk, survey } from './survey.ts';

const LOWEST = 19;

// Of this thread: the kernel takes 0 for whoever asks.
setPriority(0, LOWEST);
parentPort?.postMessage(survey(workerData as SurveyAsk));
