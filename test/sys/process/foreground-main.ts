/** Runs its arguments with startForeground below a launcher that forks, as nsenter does, and reports the exit code. */
import { writeSync } from 'node:fs';
import { startForeground } from '../../../src/sys/process/foreground.ts';

const { exit } = startForeground({
  program: process.argv.slice(2),
  launcher: (words) => ['/bin/sh', '-c', '"$@"; exit $?', 'sh', ...words],
  env: process.env,
});
writeSync(2, `exit ${await exit}\n`);
