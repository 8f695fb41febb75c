/** What a run of the whole suite must leave as it found it: processes of ours, temporary directories, mounts. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, processesNaming } from './leaks.ts';

/** Lines that describe everything of ours that is on the host; `program` is a path that only our processes name. */
export function hostState(program: string): Set<string> {
  const processes = processesNaming(program)
    .filter(({ pid }) => pid !== process.ppid)
    .map(({ pid, command }) => `process ${pid}: ${command.slice(0, 200)}`);
  const directories = [...new Set(['/var/tmp', tmpdir()])].flatMap((dir) =>
    readdirSync(dir)
      // A cache stays on purpose, for the next run.
      .filter((name) => name.startsWith('yolofs-') && !name.endsWith('-cache'))
      .map((name) => `directory ${join(dir, name)}`),
  );
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => / - fuse\S* .*yolofs/.test(line))
    .map((line) => `mount on ${line.split(' ')[4]}`);
  return new Set([...processes, ...directories, ...mounts]);
}

/** What is there now and was not before, after a moment of grace. Whose directories they are cannot be told while others run suites, too. */
export async function newOnHost(before: ReadonlySet<string>, program: string): Promise<string[]> {
  let others = otherRuns();
  const added = (): string[] => {
    others ||= otherRuns();
    return [...hostState(program)].filter((line) => !before.has(line) && !(others && line.startsWith('directory ')));
  };
  await eventually(() => added().length === 0);
  return added();
}

function otherRuns(): boolean {
  const own = [process.pid, process.ppid];
  return processesNaming('test/run.js').some(
    ({ pid, command }) => /^\S*node \S*test\/run\.js\b/.test(command) && !own.includes(pid),
  );
}
