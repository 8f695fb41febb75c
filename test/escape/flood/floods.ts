/** Attacks from inside that flood: each bounded, a few seconds long, while a person gives orders. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { readProc } from '../../../src/sys/process/process.ts';
import type { Account } from '../../support/accounts.ts';
import { IS_EMULATED, SLOWNESS } from '../../support/exec.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { background } from '../outsiders.ts';

/** Shell lines that go on until the flood is ended; each prints `flooding` when it has begun. */
export const FLOODS: Readonly<Record<string, string>> = {
  forks: 'echo flooding; while :; do for i in $(seq 1 100); do sleep 0.5 & done; wait; done',
  'deep paths':
    'n=$(printf %0200d 0); echo flooding; while :; do mkdir -p deep; (cd deep; while mkdir $n 2>/dev/null && cd -P $n 2>/dev/null; do :; done); mv deep d$((i += 1)); done',
  'huge names': 'echo flooding; while :; do i=$((i + 1)); echo > $(printf "%0255d" $i); done',
  sockets: `exec "$NODE" -e 'const net = require("net");
    const hold = () => { const s = net.connect("/dev/yolofs").on("error", () => {}).on("close", () => setTimeout(hold, 50));
      s.write("x".repeat(60000)); if (Math.random() < 0.5) s.write("\\n".repeat(1000)); };
    for (let i = 0; i < 400; i++) hold(); console.log("flooding")'`,
  requests: `exec "$NODE" -e 'const net = require("net");
    const ask = () => { net.connect("/dev/yolofs").on("error", () => {}).on("close", () => setTimeout(ask, 20)).on("data", () => {})
      .write(JSON.stringify({ words: ["log"], cwd: "/" }) + "\\n"); };
    for (let i = 0; i < 100; i++) ask(); console.log("flooding")'`,
  questions: 'echo flooding; while :; do for i in $(seq 1 50); do cat asked/$i 2>/dev/null & done; wait; done',
  '/tmp':
    'echo flooding; while :; do i=$((i + 1)); head -c 100000000 /dev/zero 2>/dev/null > /tmp/$i; done 2>/dev/null',
  writes: 'echo flooding; while :; do head -c 100000000 /dev/zero > big; chmod 600 big; rm big; done',
};

/** By the clock of the machine it is for: an emulated one counts in its own. */
const WITHIN_MS = 5000 * (IS_EMULATED ? SLOWNESS : 1);
const MOST_MEMORY_MB = 500;

/** What a person does, and how long it took; `most` is the memory that the daemon had. */
interface Measured {
  readonly took: Readonly<Record<string, number>>;
  readonly most: number;
}

/** One flood of `ms`, then the person's orders while it goes on. Fails when one of them takes too long. */
export async function underFlood(
  t: TestContext,
  { account, flood, ms }: { readonly account: Account; readonly flood: string; readonly ms: number },
): Promise<Measured> {
  const rules = 'default_rules = false\n[rules]\n"**/asked/*" = "ask"\n[limits]\ntmp = "64 MiB"\n';
  const s = await session(t, { account, rules, noisy: true });
  await s.native(['sh', '-c', 'mkdir asked; for i in $(seq 1 50); do echo > asked/$i; done']);
  await s.sh('echo staged > staged');
  const pid = await s.daemonPid();
  const env = { NODE: process.execPath };
  const words = [process.execPath, MAIN, 'run', '--quiet', '--no-snapshot', '-c', FLOODS[flood] ?? ''];
  const flooding = await background({ s, outside: s.root, probe: '', env }, words);
  const took: Record<string, number> = {};
  let most = 0;
  const look = (): void => {
    most = Math.max(most, Number(/^VmRSS:\s*(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1] ?? 0) / 1024);
  };
  const watching = setInterval(look, 100);
  try {
    await new Promise((resolve) => setTimeout(resolve, ms));
    for (const order of [['status'], ['abort', '--yes'], ['status', '--json'], ['stop']])
      took[order.join(' ')] = await timed(s, order);
  } finally {
    clearInterval(watching);
    flooding.kill('SIGKILL');
  }
  assert.ok(most > 0 && most < MOST_MEMORY_MB, `${flood}: ${most} MB`);
  return { took, most };
}

async function timed(s: Session, order: readonly string[]): Promise<number> {
  const before = performance.now();
  const { code, stderr } = await s.cli(order);
  const ms = Math.round(performance.now() - before);
  assert.equal(code, 0, `${order.join(' ')}: ${stderr}`);
  assert.ok(ms < WITHIN_MS, `${order.join(' ')} took ${ms} ms`);
  return ms;
}
