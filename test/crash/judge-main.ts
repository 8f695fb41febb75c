/**
 * Judges directories after crashes: `node judge-main.js ROOT SEED:COUNT...`; each `ROOT/SEED` must hold what COUNT
 * finished steps leave. Prints what is wrong, as a JSON array of lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, judge } from './load.ts';

const [root = '.', ...claims] = process.argv.slice(2);
const problems: string[] = [];
for (const claim of claims) {
  const [seed = '', count = ''] = claim.split(':');
  const dir = join(root, seed);
  const found: Files = new Map(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'latin1')]));
  problems.push(...judge(found, Number(seed), Number(count)));
}
process.stdout.write(JSON.stringify(problems));
