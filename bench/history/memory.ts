/** The daemon's memory, and how long it keeps callers waiting, while 200,000 files of the base are changed. */
import { makeMany } from '../base-tree.ts';
import { cpuOf, memoryOf } from './bench-session.ts';
import type { Bench } from './run.ts';

const PER_DIRECTORY = 1000;

export async function memory({ figures, session, sizes, worker }: Bench): Promise<void> {
  figures.part(`The daemon, ${sizes.many} files changed`);
  const s = await session('memory', (project) => makeMany(`${project}/many`, sizes.many));
  await s.run(['true']);
  const client = await s.client();
  const { pid } = client.hello;
  figures.add('at rest', memoryOf(pid, 'VmRSS') / 1e6, 'MB');
  const dirs = Array.from({ length: Math.ceil(sizes.many / PER_DIRECTORY) }, (_, i) => `many/m${i}`);
  const script = `for d in ${dirs.join(' ')}; do "$0" touch $d ${Math.min(PER_DIRECTORY, sizes.many)}; done`;
  const before = cpuOf(pid);
  const { ms } = await s.cli(['run', '--quiet', '--', 'sh', '-euc', script, worker]);
  figures.add('time of the run', ms, 'ms', { note: `daemon's processor time ${(cpuOf(pid) - before).toFixed(0)} ms` });
  figures.add('after changing them all, snapshot and summary', memoryOf(pid, 'VmRSS') / 1e6, 'MB', { limit: 200 });
  figures.add('most memory ever', memoryOf(pid, 'VmHWM') / 1e6, 'MB');
  client.close();
  await s.stop();
  await s.run(['true']);
  const again = await s.client();
  figures.add('started again with all of them staged', memoryOf(again.hello.pid, 'VmRSS') / 1e6, 'MB', { limit: 200 });
  again.close();
  await s.stop();
  await known({ figures, session, sizes });
}

/** Nothing is changed: the kernel knows the names, and so do we. */
async function known({ figures, session, sizes }: Pick<Bench, 'figures' | 'session' | 'sizes'>): Promise<void> {
  const s = await session('known', (project) => makeMany(`${project}/many`, sizes.known));
  await s.run(['find', 'many', '-size', '+1']);
  const client = await s.client();
  figures.add(`${sizes.known} names known`, memoryOf(client.hello.pid, 'VmRSS') / 1e6, 'MB', { limit: 400 });
  figures.add(`${sizes.known} names known: most memory ever`, memoryOf(client.hello.pid, 'VmHWM') / 1e6, 'MB');
  const { nodes } = await client.request({ op: 'stats' });
  figures.add(`${sizes.known} names known: inodes that the kernel holds`, nodes, '');
  client.close();
}
