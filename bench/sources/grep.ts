/**
 * `npm run bench:sources -- --grep [--quick]`: `yolofs grep` in the view over a source of 10,000 documents, whose server speaks Chroma's protocol and
 * answers at once, beside GNU grep of the same files on the disk and there, and beside one fetch of what it has to read; `cat` of what is here.
 *
 * Each round has a source of its own that nobody has read of, and the same order of rows, another one first; notes are medians. *One fetch* is one
 * request for as many documents as have the common word, by a program that is warm. Limits (issue 16): a rare word 150 ms; a common one twice GNU grep
 * on the disk and one fetch, without the fetch where all was read; `cat` at the view's speed, which is a ratio of about one.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCollection, PUBLICLY, pageRows } from '../../test/sources/chroma/collections.ts';
import { type ProtocolServer, startProtocolServer } from '../../test/sources/servers/chroma-protocol.ts';
import { succeed } from '../../test/support/exec.ts';
import { BenchSession } from '../history/bench-session.ts';
import { Figures } from '../history/figures.ts';
import { keepFigures } from '../keep-figures.ts';
import { Meter, noteOf, type Took } from './meter.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const YOLOFS = `${process.execPath} ${join(HERE, '../../src/bin/yolofs.cjs')}`;
const CAT = 1000;
/** Of issue 16. */
const RARE_MS = 150;
const COMMON_TIMES = 2;

interface Job {
  readonly documents: number;
  readonly rounds: number;
  readonly figures: Figures;
  readonly server: ProtocolServer;
  readonly collection: string;
  readonly session: BenchSession;
  /** The same files on the disk, and in the project. */
  readonly disk: string;
  readonly project: string;
}

type Work = () => Promise<Took>;

export async function benchGrep(isQuick: boolean): Promise<void> {
  const load = loadavg();
  const [documents, rounds] = isQuick ? [500, 1] : [10_000, 7];
  const place = mkdtempSync('/var/tmp/yolofs-bench-grep-');
  const figures = new Figures();
  const server = await startProtocolServer();
  try {
    const texts = documentsOf(documents);
    write(join(place, 'tree'), texts);
    const rows = texts.flatMap(([path, text]) => pageRows(path, [text], PUBLICLY));
    const { name: collection } = await makeCollection(server.url, rows);
    const session = await BenchSession.make(place, 'project', (project) => write(join(project, 'tree'), texts));
    // One a round that nobody has read of.
    for (let i = 0; i < rounds; i += 1) {
      await session.cli(['source', 'add', `docs-${i}`, 'chroma', '--url', server.url, '--collection', collection]);
    }
    const [disk, project] = [join(place, 'tree'), join(session.project, 'tree')];
    await measure({ documents, rounds, figures, server, collection, session, disk, project });
    await session.stop();
  } finally {
    await server.stop();
    rmSync(place, { recursive: true });
  }
  process.stdout.write(`\n${figures.table()}\n`);
  if (!isQuick) keepFigures('grep', figures.list, load);
}

async function measure(job: Job): Promise<void> {
  const shell = job.session.shell();
  await shell.do('ls -R /sources > /dev/null; printf ready');
  const client = await job.session.client();
  const meter = new Meter({ shell, client, server: job.server });
  await nothingRead(job, meter);
  await someRead(job, meter);
  await meter.inView('grep -r nothing /sources/docs-0');
  await allRead(job, meter);
  await cats(job, meter);
  client.close();
  await shell.end();
}

async function nothingRead(job: Job, meter: Meter): Promise<void> {
  job.figures.part(`grep -r over ${job.documents} documents, nothing read before`);
  const fetched = (): Promise<Took> => bulkFetch(job, meter);
  const took = await inTurns(job.rounds, (round) => ({
    'GNU grep of a common word on the disk': () => meter.onHost(`grep -r wombat ${job.disk}`),
    'one fetch of the half that has it': fetched,
    'a word that is nowhere': () => meter.inView(`${YOLOFS} grep -r zebrafish /sources/docs-${round}`),
    'a rare word': () => meter.inView(`${YOLOFS} grep -r quokka /sources/docs-${round}`),
    'a common word': () => meter.inView(`${YOLOFS} grep -r wombat /sources/docs-${round}`),
  }));
  add(job.figures, took, { 'a word that is nowhere': RARE_MS, 'a rare word': RARE_MS });
  const [onDisk = [], fetch = [], , , common = []] = [...took.values()];
  const ratios = common.map(({ ms }, i) => ms / ((onDisk[i]?.ms ?? 0) + (fetch[i]?.ms ?? 0)));
  const name = 'a common word, by GNU grep on the disk and one fetch';
  job.figures.median(name, ratios, 'x', { limit: COMMON_TIMES });
}

async function someRead(job: Job, meter: Meter): Promise<void> {
  job.figures.part('likewise, what matches read before');
  const took = await inTurns(job.rounds, () => ({
    'node, which does nothing': () => meter.inView(`${process.execPath} -e 0`),
    'a rare word': () => meter.inView(`${YOLOFS} grep -r quokka /sources/docs-0`),
    'a common word': () => meter.inView(`${YOLOFS} grep -r wombat /sources/docs-0`),
  }));
  add(job.figures, took, { 'a rare word': RARE_MS });
}

async function allRead(job: Job, meter: Meter): Promise<void> {
  job.figures.part('likewise, all read before');
  const took = await inTurns(job.rounds, () => ({
    'GNU grep of a common word on the disk': () => meter.onHost(`grep -r wombat ${job.disk}`),
    'GNU grep of it in the view, of files of the host': () => meter.inView(`grep -r wombat ${job.disk}`),
    'GNU grep of it in the view': () => meter.inView('grep -r wombat /sources/docs-0'),
    'a rare word': () => meter.inView(`${YOLOFS} grep -r quokka /sources/docs-0`),
    'a common word': () => meter.inView(`${YOLOFS} grep -r wombat /sources/docs-0`),
  }));
  add(job.figures, took, { 'a rare word': RARE_MS });
  const [onDisk = [], , , , common = []] = [...took.values()];
  const ratios = common.map(({ ms }, i) => ms / (onDisk[i]?.ms ?? 0));
  job.figures.median('a common word, by GNU grep on the disk', ratios, 'x', { limit: COMMON_TIMES });
}

/** Each place is read once before. */
async function cats(job: Job, meter: Meter): Promise<void> {
  const count = Math.min(CAT, job.documents);
  job.figures.part(`cat of ${count} files that were read before`);
  const files = Array.from({ length: count }, (_, at) => pathOf(at)).join(' ');
  const cat = (dir: string): string => `cd ${dir} && cat ${files}`;
  const took = await inTurns(job.rounds + 1, () => ({
    'on the disk': () => meter.onHost(cat(job.disk)),
    'in the view, of the project': () => meter.inView(cat(job.project)),
    'in the view, of files of the host': () => meter.inView(cat(job.disk)),
    'in the view, of the source': () => meter.inView(cat('/sources/docs-0')),
  }));
  const again = new Map([...took].map(([name, all]) => [name, all.slice(1)]));
  add(job.figures, again, {});
  const [, , ofHost = [], ofSource = []] = [...again.values()];
  const ratios = ofSource.map(({ ms }, i) => ms / (ofHost[i]?.ms ?? 0));
  job.figures.median('of the source, by files of the host', ratios, 'x', {});
}

/** One right after the other, each round another one first. */
async function inTurns(
  rounds: number,
  of: (round: number) => Readonly<Record<string, Work>>,
): Promise<Map<string, Took[]>> {
  const all = new Map(Object.keys(of(0)).map((name) => [name, [] as Took[]]));
  for (let round = 0; round < rounds; round += 1) {
    const works = Object.entries(of(round));
    const first = round % works.length;
    for (const [name, work] of [...works.slice(first), ...works.slice(0, first)]) all.get(name)?.push(await work());
  }
  return all;
}

function add(
  figures: Figures,
  took: ReadonlyMap<string, readonly Took[]>,
  limits: Readonly<Record<string, number>>,
): void {
  for (const [name, all] of took) {
    const limit = limits[name];
    const times = all.map(({ ms }) => ms);
    figures.median(name, times, 'ms', { note: noteOf(all), ...(limit === undefined ? {} : { limit }) });
  }
}

/** By a program that does nothing else; its start is not in its time. */
function bulkFetch({ server, collection, documents }: Job, meter: Meter): Promise<Took> {
  const words = [join(HERE, 'bulk-fetch-main.js'), server.url, collection, String(documents / 2)];
  return meter.around(async () => ({ ms: Number(await succeed([process.execPath, ...words])), cpu: 0 }));
}

function write(tree: string, texts: readonly (readonly [path: string, text: string])[]): void {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
}

/** One in 2,500 has the rare word, every second one the common one. */
function documentsOf(count: number): (readonly [path: string, text: string])[] {
  return Array.from({ length: count }, (_, at) => {
    const word = at % 2500 === 7 ? 'quokka' : at % 2 === 0 ? 'wombat' : 'koala';
    const line = (i: number): string => `page ${at} line ${i}: how to set option ${i * at} of the service`;
    const lines = Array.from({ length: 12 }, (__, i) => line(i));
    return [pathOf(at), `${[...lines, `about the ${word}`, ...lines].join('\n')}\n`];
  });
}

function pathOf(at: number): string {
  return `guide-${at % 100}/page-${at}.md`;
}
