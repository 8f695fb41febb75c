/** Does the tasks one after the other, in the current directory, and prints what came of each. */
import { spawnSync } from 'node:child_process';
import { routineTasks } from './tasks.ts';

const done = routineTasks().map(({ id, script }) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], { encoding: 'utf8' });
  return { id, status, stdout, stderr };
});
process.stdout.write(JSON.stringify(done));
