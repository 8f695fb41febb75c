/** Makes the directories that the operations work in: `node seed-main.js DIR`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from './list.ts';
import { seed } from './operation.ts';

const [root = '.'] = process.argv.slice(2);
process.umask(0o022);
for (const index of OPERATIONS.keys()) {
  mkdirSync(join(root, String(index)), { recursive: true });
  seed(join(root, String(index)));
}
