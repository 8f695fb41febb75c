/** Entry of the thread that makes the copies which travels start from: what it takes to do so is given back when it ends. */
import { workerData } from 'node:worker_threads';
import type { Layout } from '../../history/layout.ts';
import { copyTrees } from '../../history/timeline/copy-trees.ts';

await copyTrees(workerData as Layout);
