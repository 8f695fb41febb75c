/**
 * Entry of the daemon: `node main.js PROJECT`, started by life/start.ts. It says on stdout, in one line, whether it is
 * ready; what else it has to say goes to stderr, which is the session's log.
 */
import { setFlagsFromString } from 'node:v8';
import { exitNow } from '../sys/libc.ts';
import { serve } from './life/serve.ts';

// The FUSE thread's objects are mostly short-lived or few. The heap may grow by half of what lives before it is
// collected: after stat of 200,000 files the daemon takes 144 MB; with V8's own choice it took 215. What is fresh may
// take 8 MB before it is looked through, not V8's 16: 20 MB less after any work. With 4 it would be 5 MB less again,
// and a commit of many files would take a tenth more of processor time.
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=8');

exitNow(await serve(process.argv[2] ?? ''));
