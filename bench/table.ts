/** `npm run bench:table`: makes RESULTS.md from results/. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { resultsTable } from './results-table.ts';

writeFileSync(resolve('bench/RESULTS.md'), resultsTable(resolve('bench/results')));
