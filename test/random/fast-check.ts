/** fast-check, with the seed of this run. A failure prints it, with the shortest case found and its error. */
import fc from 'fast-check';
import { SEED } from './seed.ts';

fc.configureGlobal({ seed: SEED, includeErrorInReport: true });

export { fc };
