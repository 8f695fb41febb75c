/** A session with a million records and ten thousand generations behind it: its start, what looks at it, and travels in it. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from './bench-session.ts';
import { writeOldJournal } from './old-session.ts';
import type { Bench } from './run.ts';

const ROUNDS = 3;
const LIMIT = 300;

export async function old({ figures, session, sizes }: Bench): Promise<void> {
  const age = sizes.old;
  figures.part(`${age.records} records, ${age.generations} generations, ${age.files} files`);
  const s = await session('old', () => undefined);
  rmSync(s.layout.journal, { force: true });
  writeOldJournal(s.layout.journal, s.project, age);
  figures.add('the first start, from the journal alone', (await s.cli(['run', '--quiet', '--', 'true'])).ms, 'ms');
  const starts: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    await s.stop();
    starts.push((await s.cli(['run', '--quiet', '--', 'true'])).ms);
  }
  figures.median('a start', starts, 'ms', { limit: LIMIT });
  for (const words of [['status'], ['log', '-n', '10'], ['log'], ['diff', '--stat', String(age.generations - 1)]])
    figures.add(words.join(' '), (await s.cli(words)).ms, 'ms');
  const client = await s.client();
  await copied(client.hello.pid);
  const [travels, cpu]: [number[], number[]] = [[], []];
  const last = age.generations;
  const goals = [last >> 1, last - 1, 10, last * 0.78, last / 3];
  for (const goal of goals.flatMap((one) => [Math.floor(one), last])) {
    const [spent, begin] = [cpuOf(client.hello.pid), performance.now()];
    await client.request({ op: 'travel', to: String(goal) });
    travels.push(performance.now() - begin);
    cpu.push(cpuOf(client.hello.pid) - spent);
  }
  figures.median('travel', travels, 'ms', { limit: LIMIT });
  figures.median('travel: processor time', cpu, 'ms', { note: cpu.map((ms) => ms.toFixed(0)).join(' ') });
  client.close();
}

/** The daemon copies trees for travels some seconds after its start. */
async function copied(pid: number): Promise<void> {
  await sleep(6000);
  for (let before = -1, now = cpuOf(pid); now - before > 50; now = cpuOf(pid)) {
    before = now;
    await sleep(1000);
  }
}
