/**
 * `npm run bench:sources -- --grep [--quick]`: `yolofs grep` in the view over a source of 10,000 documents, whose server speaks Chroma's protocol and
 * answers at once, beside GNU grep there, of these files and of files of the host. The clock of a busy machine says little: processor time is beside it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../../src/daemon/client.ts';
import { registered } from '../../test/history/registry/layouts.ts';
import { makeCollection, PUBLICLY, pageRows } from '../../test/sources/chroma/collections.ts';
import { startProtocolServer } from '../../test/sources/servers/chroma-protocol.ts';
import { BenchSession, cpuOf, type ViewShell } from '../history/bench-session.ts';
import { Figures } from '../history/figures.ts';

const AT = '/sources/docs';
const YOLOFS = `${process.execPath} ${join(dirname(fileURLToPath(import.meta.url)), '../../src/bin/yolofs.cjs')}`;

interface Took {
  readonly ms: number;
  readonly cpu: number;
  readonly daemon: number;
}

export async function benchGrep(isQuick: boolean): Promise<void> {
  const load = loadavg();
  const [documents, rounds] = isQuick ? [500, 1] : [10_000, 5];
  const disk = mkdtempSync('/var/tmp/yolofs-bench-grep-');
  const figures = new Figures();
  const server = await startProtocolServer();
  try {
    figures.part(`grep -r over ${documents} documents`);
    const texts = documentsOf(documents);
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(disk, 'tree', path)), { recursive: true });
      writeFileSync(join(disk, 'tree', path), text);
    }
    const { name } = await makeCollection(
      server.url,
      texts.flatMap(([path, text]) => pageRows(path, [text], PUBLICLY)),
    );
    const session = await BenchSession.make(disk, 'project', () => undefined);
    await session.cli(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name]);
    await measure(session, { figures, rounds, disk: join(disk, 'tree') });
    await session.stop();
  } finally {
    await server.stop();
    rmSync(disk, { recursive: true });
  }
  process.stdout.write(`\n${figures.table()}\n`);
  if (isQuick) return;
  const machine = { release: release(), cpu: cpus()[0]?.model, cpus: cpus().length, load, loadAfter: loadavg() };
  const file = `bench/results/sources-grep-${new Date().toISOString().slice(0, 10)}-${release()}.json`;
  writeFileSync(file, `${JSON.stringify({ machine, figures: figures.list }, null, 1)}\n`);
}

async function measure(
  session: BenchSession,
  { figures, rounds, disk }: { readonly figures: Figures; readonly rounds: number; readonly disk: string },
): Promise<void> {
  const shell = session.shell();
  await shell.do(`ls -R ${AT} > /dev/null; printf ready`);
  const client = await connect(registered(session.project, join(session.project, '../home')));
  if (client === undefined) throw new Error('the daemon is not there');
  const { pid } = client.hello;
  const row = async (name: string, times: number, command: string): Promise<void> => {
    const all: Took[] = [];
    for (let i = 0; i < times; i += 1) all.push(await timed(shell, pid, command));
    const least = (of: (took: Took) => number): string => Math.min(...all.map(of)).toFixed(0);
    const note = `processor at least ${least(({ cpu }) => cpu)} ms, of the daemon ${least(({ daemon }) => daemon)} ms`;
    figures.add(name, Math.min(...all.map(({ ms }) => ms)), 'ms', { all: all.map(({ ms }) => ms), note });
  };
  await row('node, which does nothing', rounds, `${process.execPath} -e 0`);
  await row('a word that is nowhere, nothing read before', rounds, `${YOLOFS} grep -r zebrafish ${AT}`);
  await row('a rare word, nothing read before', 1, `${YOLOFS} grep -r quokka ${AT}`);
  await row('a rare word, its four files read before', rounds, `${YOLOFS} grep -r quokka ${AT}`);
  await row('a common word, nothing read before', 1, `${YOLOFS} grep -r wombat ${AT}`);
  await row('a common word, its half read before', rounds, `${YOLOFS} grep -r wombat ${AT}`);
  await row('GNU grep of it in the view, half read before', 1, `grep -r wombat ${AT}`);
  await row('a rare word, all read before', rounds, `${YOLOFS} grep -r quokka ${AT}`);
  await row('a common word, all read before', rounds, `${YOLOFS} grep -r wombat ${AT}`);
  await row('GNU grep of it in the view, all read before', rounds, `grep -r wombat ${AT}`);
  await row('GNU grep in the view of the same files of the host', rounds, `grep -r wombat ${disk}`);
  client.close();
  await shell.end();
}

async function timed(shell: ViewShell, pid: number, command: string): Promise<Took> {
  const before = cpuOf(pid);
  // Into /dev/null GNU grep writes no more than one line.
  const script = `s=$(date +%s%N); ${command} | wc -c > /dev/null; e=$(date +%s%N); echo $(( (e - s) / 1000000 )); times`;
  const said = await shell.do(`sh -c '${script}' | tr '\\n' ' '`);
  const [ms = '', ...times] = said.trim().split(' ');
  return {
    ms: Number(ms),
    cpu: times.map(milliseconds).reduce((sum, one) => sum + one, 0),
    daemon: cpuOf(pid) - before,
  };
}

/** Of `0m0.12s`. */
function milliseconds(text: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
}

/** One in 2,500 has the rare word, every second one the common one. */
function documentsOf(count: number): (readonly [path: string, text: string])[] {
  return Array.from({ length: count }, (_, at) => {
    const word = at % 2500 === 7 ? 'quokka' : at % 2 === 0 ? 'wombat' : 'koala';
    const line = (i: number): string => `page ${at} line ${i}: how to set option ${i * at} of the service`;
    const lines = Array.from({ length: 12 }, (__, i) => line(i));
    return [`guide-${at % 100}/page-${at}.md`, `${[...lines, `about the ${word}`, ...lines].join('\n')}\n`];
  });
}
