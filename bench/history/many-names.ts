/** One directory of very many names beside directories of a thousand: what each name costs to make, to list and to remove. */
import { type BenchSession, cpuOf } from './bench-session.ts';
import type { Bench } from './run.ts';

const FEW = 1000;
const ROUNDS = 2;
const LIMIT = 1.5;
const STEPS = ['create', 'list', 'remove'] as const;

type Step = (typeof STEPS)[number];
/** Microseconds a name, by the clock and of the daemon's processor time. */
type Spent = Readonly<Record<Step, { readonly us: number; readonly cpu: number }>>;

export async function manyNames({ figures, session, sizes: { many } }: Bench): Promise<void> {
  figures.part(`${many} names in one directory, and in directories of ${FEW}`);
  const s = await session('names', () => undefined);
  const few: Spent[] = [];
  const all: Spent[] = [];
  // The first is not counted: the daemon warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const [small, large] = [await spend(s, many, FEW), await spend(s, many, many)];
    if (round === 0) continue;
    few.push(small);
    all.push(large);
  }
  for (const step of STEPS) {
    const us = all.map((spent) => spent[step].us);
    figures.median(`${step}: a name of ${many}`, us, 'us');
    const ratios = (of: 'us' | 'cpu') => all.map((spent, i) => spent[step][of] / (few[i] as Spent)[step][of]);
    figures.median(`${step}: a name of ${many} / of ${FEW}`, ratios('us'), 'x', { limit: LIMIT });
    figures.median(`${step}: the daemon's processor time, likewise`, ratios('cpu'), 'x', { limit: LIMIT });
  }
}

/** `total` names, `each` in a directory. */
async function spend(s: BenchSession, total: number, each: number): Promise<Spent> {
  const dirs = Array.from({ length: total / each }, (_, i) => `d${i}`).join(' ');
  await s.run(['mkdir', ...dirs.split(' ')]);
  const step = async (words: string): Promise<{ us: number; cpu: number }> => {
    const client = await s.client();
    const before = cpuOf(client.hello.pid);
    const said = await s.run(['sh', '-euc', `for d in ${dirs}; do ../worker ${words}; done`]);
    const cpu = cpuOf(client.hello.pid) - before;
    client.close();
    const ns = said
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0);
    return { us: ns / 1000 / total, cpu: (cpu * 1000) / total };
  };
  const create = await step(`create $d ${each} 0`);
  const list = await step('readdir $d 0');
  const remove = await step(`unlink $d ${each}`);
  await s.run(['rmdir', ...dirs.split(' ')]);
  return { create, list, remove };
}
