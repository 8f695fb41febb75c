/** Travel among 1,000 generations, each of which changed ten files of a project of 10,000. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpuOf, type ViewShell } from './bench-session.ts';
import type { Bench } from './run.ts';

const PER_DIRECTORY = 100;
const ROUNDS = 3;

export async function travels({ figures, session, sizes }: Bench): Promise<void> {
  const { generations, changed } = sizes;
  const files = generations * changed;
  figures.part(`Travel among ${generations} generations of a ${files}-file change`);
  const s = await session('travels', (project) => {
    for (let i = 0; i < files; i++) {
      if (i % PER_DIRECTORY === 0) mkdirSync(`${project}/d${i / PER_DIRECTORY}`);
      writeFileSync(`${project}/${pathOf(i)}`, 'base\n');
    }
  });
  const shell = s.shell();
  await shell.do('true');
  const client = await s.client();
  const { generation: start } = await client.request({ op: 'snapshot', name: '', ifChanged: false });
  for (let g = 0; g < generations; g++) {
    const paths = Array.from({ length: changed }, (_, i) => pathOf(g * changed + i));
    await shell.do(`for f in ${paths.join(' ')}; do echo ${g + 1} > $f; done`);
    await client.request({ op: 'snapshot', name: '', ifChanged: false });
  }
  // How far away a generation is, in files, is what counts: all of them, half of them, one generation's.
  const goals = [0, generations, generations >> 1, generations, generations - 1, generations];
  const times = new Map<string, number[]>();
  for (let i = 0, at = generations; i < goals.length * ROUNDS; i++) {
    const goal = goals[i % goals.length] ?? 0;
    const [cpu, begin] = [cpuOf(client.hello.pid), performance.now()];
    await client.request({ op: 'travel', to: String(start + goal) });
    const way = `${Math.abs(goal - at) * changed} files ${goal < at ? 'back' : 'forth'}`;
    const [ms, spent] = [performance.now() - begin, cpuOf(client.hello.pid) - cpu];
    note(times, way, ms);
    note(times, `${way}: processor time`, spent);
    // The program is not warm yet: these count, too.
    if (i < 2)
      figures.add(`${way}, the first in a daemon`, ms, 'ms', {
        limit: 200,
        note: `processor time ${spent.toFixed(0)} ms`,
      });
    at = goal;
    await check(shell, goal, sizes);
  }
  for (const [name, all] of times) {
    figures.median(name, all, 'ms', name.includes(':') ? {} : { limit: 200 });
  }
  const commands = [];
  for (const goal of [0, generations, 0, generations])
    commands.push((await s.cli(['travel', String(start + goal)])).ms);
  figures.median(`yolofs travel, the command, ${files} files`, commands, 'ms');
  client.close();
  await shell.end();
}

function note(times: Map<string, number[]>, name: string, value: number): void {
  times.set(name, [...(times.get(name) ?? []), value]);
}

function pathOf(i: number): string {
  return `d${Math.floor(i / PER_DIRECTORY)}/f${i % PER_DIRECTORY}`;
}

/** The last file that the generation changed and the first it did not, as a process in the view sees them. */
async function check(
  shell: ViewShell,
  goal: number,
  { generations, changed }: { generations: number; changed: number },
): Promise<void> {
  const look = async (i: number, expected: string): Promise<void> => {
    const said = await shell.do(`read -r x < ${pathOf(i)}; printf %s "$x"`);
    if (said !== expected) throw new Error(`${pathOf(i)} is ${said} at generation ${goal}, not ${expected}`);
  };
  if (goal > 0) await look(goal * changed - 1, String(goal));
  if (goal < generations) await look(goal * changed, 'base');
}
