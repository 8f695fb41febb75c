/** Performs the steps of a seed in a directory until it is killed: `node load-main.js DIR SEED`; prints `.` after each. */
import { writeSync } from 'node:fs';
import { Random } from '../random/random.ts';
import { BASE_FILES, nextStep } from './load.ts';

const [dir = '.', seed = '0'] = process.argv.slice(2);
const random = new Random(Number(seed));
const files = new Map(BASE_FILES);
for (;;) {
  const step = nextStep(random, files);
  step.perform(dir);
  step.apply(files);
  writeSync(1, '.');
}
