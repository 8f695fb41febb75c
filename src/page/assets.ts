/** Where the files of the page are. This file, and each bundle that it gets into, lies just below `dist/src`. */
import { fileURLToPath } from 'node:url';

export const ASSETS = fileURLToPath(new URL('../../page', import.meta.url));
