/**
 * Entry of the daemon: `node main.js PROJECT`, started by life/start.ts. It says on stdout, in one line, whether it is
 * ready; what else it has to say goes to stderr, which is the session's log.
 */
import { exitNow } from '../sys/libc.ts';
import { boundHeap } from './life/bound-heap.ts';
import { serve } from './life/serve.ts';

boundHeap();

exitNow(await serve(process.argv[2] ?? ''));
