/** `node load-bundle-main.js BUNDLE`: runs it as the program runs its own. */
import { loadBundle } from '../../../src/sys/process/code-cache.ts';

process.on('exit', loadBundle(process.argv[2] ?? '').keep);
