/** `node load-bundle-main.js BUNDLE`: runs it as the program runs its own. */
import { loadBundle } from '../../../src/sys/process/code-cache.ts';

loadBundle(process.argv[2] ?? '');
