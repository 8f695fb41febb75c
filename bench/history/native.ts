/** The same work without a session, on the same disk: what a commit and an undo are measured against. */
import { mkdirSync } from 'node:fs';
import { succeed } from '../../test/support/exec.ts';
import { type BenchSession, cpuOf } from './bench-session.ts';
import type { Bench } from './run.ts';

const PER_DIRECTORY = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** What mv(1) took, and with the syncfs(2) that a commit ends with. */
export interface Moved {
  readonly moved: number;
  readonly synced: number;
}

/** So many files of a size, in directories of a thousand. */
export interface Amount {
  readonly files: number;
  readonly size: number;
}

/** Directories of `amount` files, `DIR/d0` and so on. */
export function directoriesOf(dir: string, { files }: Amount): string[] {
  return Array.from({ length: Math.ceil(files / PER_DIRECTORY) }, (_, i) => `${dir}/d${i}`);
}

/** Makes them natively. */
export async function createNatively({ worker }: Pick<Bench, 'worker'>, dir: string, amount: Amount): Promise<void> {
  for (const each of directoriesOf(dir, amount)) {
    mkdirSync(each, { recursive: true });
    await succeed([worker, 'create', each, String(Math.min(PER_DIRECTORY, amount.files)), String(amount.size)]);
  }
}

/** Moves all of them by mv(1) from directory to directory; the disk has everything before. */
export async function moveNatively(from: string, to: string, amount: Amount): Promise<Moved> {
  for (const each of directoriesOf(to, amount)) mkdirSync(each, { recursive: true });
  await succeed(['sync']);
  const last = directoriesOf(from, amount).length - 1;
  const start = performance.now();
  await succeed(['sh', '-euc', `for i in $(seq 0 ${last}); do mv -t ${to}/d$i ${from}/d$i/*; done`], {
    timeout: 120_000,
  });
  const moved = performance.now() - start;
  await succeed(['sync', '-f', to]);
  return { moved, synced: performance.now() - start };
}

/** After a commit the daemon tidies up in the background: it must not be measured with what comes next. */
export async function settle(s: BenchSession): Promise<void> {
  const client = await s.client();
  const end = performance.now() + LONGEST_PAUSE_MS;
  for (let idle = 0; idle < 3 && performance.now() < end; ) {
    const before = cpuOf(client.hello.pid);
    await new Promise((done) => setTimeout(done, 200));
    idle = cpuOf(client.hello.pid) - before < 10 ? idle + 1 : 0;
  }
  client.close();
}
