/**
 * `npm run bench:sources -- --view [--quick]`: what a source adds to the start of a session, to listings, and to the daemon's memory. The source is a
 * directory of this machine (`memory`), so no server's time is in it.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '../../src/daemon/client.ts';
import type { Layout } from '../../src/history/layout.ts';
import { registered } from '../../test/history/registry/layouts.ts';
import { BenchSession, cpuOf, memoryOf, type ViewShell } from '../history/bench-session.ts';
import { Figures } from '../history/figures.ts';
import { keepFigures } from '../keep-figures.ts';
import { median } from '../measure.ts';

const PER_DIRECTORY = 100;
const LOOK = ['ls', '-d', '/sources/docs/guide-0'];
const LOOK_PLAIN = ['ls', '-d', '/'];

export async function benchView(isQuick: boolean): Promise<void> {
  const load = loadavg();
  const [few, many, rounds] = isQuick ? [500, 2000, 2] : [10_000, 100_000, 7];
  const disk = mkdtempSync('/var/tmp/yolofs-bench-sources-');
  const figures = new Figures();
  try {
    await starts({ disk: join(disk, 'few'), figures, documents: few, rounds, limited: true });
    await starts({ disk: join(disk, 'many'), figures, documents: many, rounds: 3, limited: false });
  } finally {
    rmSync(disk, { recursive: true });
  }
  const { limited, within } = figures.verdict;
  process.stdout.write(`\n${figures.table()}\n\n${within} of ${limited} within their limits\n`);
  if (isQuick) return;
  keepFigures('view', figures.list, load);
}

interface Job {
  readonly disk: string;
  readonly figures: Figures;
  readonly documents: number;
  readonly rounds: number;
  /** Whether the limits of issue 16 are for this number. */
  readonly limited: boolean;
}

async function starts(job: Job): Promise<void> {
  const { disk, figures, documents, rounds, limited } = job;
  figures.part(`${documents} documents`);
  const tree = join(disk, 'tree');
  fill(tree, documents);
  const [plain, session] = [await make(join(disk, 'plain')), await make(join(disk, 'sources'))];
  await start(plain, LOOK_PLAIN);
  await session.cli(['source', 'add', 'docs', 'memory', '--dir', tree, '--open']);
  await session.stop();
  const [bare, cold, warm]: [Start[], Start[], Start[]] = [[], [], []];
  for (let i = 0; i < rounds; i += 1) {
    bare.push(await start(plain, LOOK_PLAIN));
    // Put away, and not removed: ext4 keeps from using inodes again for half a minute, and looks through all of them for each new file.
    const { sources } = layoutIn(session);
    if (existsSync(sources)) renameSync(sources, join(disk, `before-${i}`));
    cold.push(await start(session, LOOK));
    warm.push(await start(session, LOOK));
  }
  figures.median(
    'first run of a session without sources',
    bare.map(({ ms }) => ms),
    'ms',
  );
  add(figures, 'what the source adds, from nothing', { starts: cold, bare, limit: limited ? 1000 : undefined });
  add(figures, 'what the source adds, from a cached tree', { starts: warm, bare, limit: limited ? 100 : undefined });
  await listings(session, job);
  await session.stop();
}

/** The median of the differences to the start of the same round. */
function add(
  figures: Figures,
  name: string,
  { starts, bare, limit }: { starts: readonly Start[]; bare: readonly Start[]; limit: number | undefined },
): void {
  const over = (of: 'ms' | 'cpu'): number[] => starts.map((one, i) => one[of] - (bare[i]?.[of] ?? 0));
  const note = `daemon's processor time ${median(over('cpu')).toFixed(0)} ms more`;
  figures.median(name, over('ms'), 'ms', limit === undefined ? { note } : { note, limit });
}

async function listings(session: BenchSession, { figures, documents, rounds, limited }: Job): Promise<void> {
  const shell = session.shell();
  await shell.do('printf ready');
  const client = await clientOf(session);
  const { pid } = client.hello;
  figures.add('daemon at rest', memoryOf(pid, 'VmRSS') / 1e6, 'MB', limited ? {} : { limit: 200 });
  for (const [name, command] of [
    ['ls -R', 'ls -R /sources/docs'],
    ['ls -lR', 'ls -lR /sources/docs'],
  ] as const) {
    const first = await timed(shell, command);
    const before = cpuOf(pid);
    const asked = await requests(client);
    const all: number[] = [];
    for (let i = 0; i < rounds; i += 1) all.push(await timed(shell, command));
    const more = (await requests(client)) - asked;
    const cpu = (cpuOf(pid) - before) / rounds;
    figures.add(`${name}, first`, first, 'ms');
    const note = `${(more / rounds).toFixed(0)} requests, ${cpu.toFixed(0)} ms of the daemon`;
    figures.median(`${name}, warm`, all, 'ms', { ...(limited && name === 'ls -R' ? { limit: 50 } : {}), note });
  }
  figures.add('daemon after that', memoryOf(pid, 'VmRSS') / 1e6, 'MB', limited ? {} : { limit: 200 });
  figures.add('most memory ever', memoryOf(pid, 'VmHWM') / 1e6, 'MB', {
    note: `${documents} documents`,
    ...(limited ? {} : { limit: 200 }),
  });
  client.close();
  await shell.end();
}

async function make(disk: string): Promise<BenchSession> {
  mkdirSync(disk, { recursive: true });
  return BenchSession.make(disk, 'project', () => undefined);
}

function layoutIn({ project }: BenchSession): Layout {
  return registered(project, join(project, '../home'));
}

/** The daemon of a session that runs. */
async function clientOf(session: BenchSession): Promise<Client> {
  const client = await connect(layoutIn(session));
  if (client === undefined) throw new Error('the daemon is not there');
  return client;
}

interface Start {
  readonly ms: number;
  /** Processor time of the daemon until the run had ended, which does not depend on what else the machine does. */
  readonly cpu: number;
}

/** A run that starts the daemon, and its end. */
async function start(session: BenchSession, argv: readonly string[]): Promise<Start> {
  const { ms } = await session.cli(['run', '--quiet', '--no-snapshot', '--', ...argv]);
  const client = await clientOf(session);
  const cpu = cpuOf(client.hello.pid);
  client.close();
  await session.stop();
  return { ms, cpu };
}

async function timed(shell: ViewShell, command: string): Promise<number> {
  const said = await shell.do(`s=$(date +%s%N); ${command} > /dev/null; printf %s $(( $(date +%s%N) - s ))`);
  return Number(said) / 1e6;
}

async function requests(client: Client): Promise<number> {
  const { opcodes } = await client.request({ op: 'stats' });
  return Object.values(opcodes).reduce((sum, count) => sum + count, 0);
}

function fill(tree: string, documents: number): void {
  for (let i = 0; i < documents; i += 1) {
    const dir = join(tree, `guide-${Math.floor(i / PER_DIRECTORY)}`);
    if (i % PER_DIRECTORY === 0) mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `page-${i}.md`), `page ${i}: how to set option ${i * 7} of the service\n`);
  }
}
