/**
 * `npm run bench:sources [-- --quick] [-- --view | --grep]`: how long real servers and our adapters take, for 10,000 pages; what the view and `grep` add
 * is not in it. Installs the servers on first use.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import type { Formula } from '../../src/sources/formula.ts';
import type { Entry, Principal, Source } from '../../src/sources/source.ts';
import { median } from '../measure.ts';
import { benchGrep } from './grep.ts';
import { type Page, SUBJECTS, type Subject } from './subjects.ts';
import { benchView } from './view.ts';

const FIRST = 'tree, from nothing';
const PAGES = process.argv.includes('--quick') ? 500 : 10_000;
const ROUNDS = process.argv.includes('--quick') ? 2 : 5;
/** One page in so many has the word. */
const RARE = 2_500;
const COMMON = 2;

const EVERYBODY: Principal = { groups: [] };
const SIGNAL = new AbortController().signal;

interface Figure {
  readonly subject: string;
  readonly row: string;
  /** Milliseconds by the clock, of our own processor time, and of the server's: what is left is the machine's other work. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly serverMs: number;
  /** Entries, pages or hits. */
  readonly count: number;
  readonly all: readonly number[];
}

type Work = (source: Source, entries: readonly Entry[]) => Promise<number>;

/** What each source has said of its tree. */
const versions = new WeakMap<Source, string>();

const literal = (text: string, fold = false): Formula => ({ kind: 'literal', text, fold });

const WORK: Readonly<Record<string, Work>> = {
  [FIRST]: async (source) => (await treeOf(source)).length,
  'tree, unchanged': async (source, entries) => {
    if ((await source.tree(EVERYBODY, versions.get(source), SIGNAL)) !== 'unchanged')
      throw new Error('the tree changed');
    return entries.length;
  },
  'read one page': async (source, entries) => read(source, entries.slice(0, 1)),
  'read 150 pages': async (source, entries) => read(source, entries.slice(0, 150)),
  'read all': read,
  'candidates of a word that is nowhere': (source) => search(source, literal('zebrafish')),
  'candidates of a rare word': (source) => search(source, literal('quokka')),
  'candidates of a rare word, either case': (source) => search(source, literal('QUOKKA', true)),
  'candidates of a common word': (source) => search(source, literal('wombat')),
  'a rare word, and its pages read': async (source, entries) => {
    const found = await source.candidates?.({ formula: literal('quokka'), scope: undefined }, EVERYBODY, SIGNAL);
    return read(
      source,
      entries.filter(({ path }) => found?.has(path)),
    );
  },
};

if (process.argv.includes('--view')) await benchView(process.argv.includes('--quick'));
else if (process.argv.includes('--grep')) await benchGrep(process.argv.includes('--quick'));
else await bench();

async function bench(): Promise<void> {
  const load = loadavg();
  const figures: Figure[] = [];
  for (const subject of SUBJECTS) figures.push(...(await measure(subject)));
  for (const { subject, row, ms, cpuMs, serverMs, count } of figures) {
    const cells = [
      subject,
      row.padEnd(40),
      `${ms.toFixed(1)} ms`,
      `own cpu ${cpuMs.toFixed(1)} ms`,
      `server's ${serverMs.toFixed(0)} ms`,
      String(count),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  const machine = { release: release(), cpus: cpus().length, load, loadAfter: loadavg(), pages: PAGES };
  const file = `bench/results/sources-${new Date().toISOString().slice(0, 10)}-${release()}.json`;
  if (PAGES === 10_000) writeFileSync(file, `${JSON.stringify({ machine, figures }, null, 1)}\n`);
}

async function measure(subject: Subject): Promise<Figure[]> {
  const server = await subject.start();
  try {
    const begun = performance.now();
    const open = await server.fill(pages());
    const filled = performance.now() - begun;
    const figures: Figure[] = [
      {
        subject: subject.name,
        row: 'filling the server',
        ms: filled,
        cpuMs: 0,
        serverMs: serverTime(server.pid),
        count: PAGES,
        all: [filled],
      },
    ];
    const source = open();
    const entries = await treeOf(source);
    for (const [row, work] of Object.entries(WORK)) {
      figures.push({
        subject: subject.name,
        row,
        ...(await timed(server.pid, () => work(row === FIRST ? open() : source, entries))),
      });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

async function timed(pid: number, work: () => Promise<number>): Promise<Omit<Figure, 'subject' | 'row'>> {
  const serverBefore = serverTime(pid);
  const all: number[] = [];
  const cpu: number[] = [];
  let count = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    const begun = performance.now();
    count = await work();
    all.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  return { ms: median(all), cpuMs: median(cpu), serverMs: (serverTime(pid) - serverBefore) / ROUNDS, count, all };
}

/** Processor time of a process so far. The kernel counts it in hundredths of a second. */
function serverTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function treeOf(source: Source): Promise<readonly Entry[]> {
  const listing = await source.tree(EVERYBODY, undefined, SIGNAL);
  if (listing === 'unchanged') throw new Error('nothing was known');
  if (listing.entries.length !== PAGES) throw new Error(`${listing.entries.length} entries instead of ${PAGES}`);
  versions.set(source, listing.version);
  return listing.entries;
}

async function read(source: Source, entries: readonly Entry[]): Promise<number> {
  const reads = await source.readMany(entries, EVERYBODY, SIGNAL);
  const failed = reads.find((one) => !('content' in one));
  if (failed !== undefined) throw new Error(`a page cannot be read: ${JSON.stringify(failed)}`);
  return reads.length;
}

async function search(source: Source, formula: Formula): Promise<number> {
  const found = await source.candidates?.({ formula, scope: undefined }, EVERYBODY, SIGNAL);
  if (found === undefined) throw new Error('the server cannot tell');
  return found.size;
}

/** Pages of two parts of half a kilobyte, which end in the midst of a line, as most splitters cut. */
function pages(): Page[] {
  return Array.from({ length: PAGES }, (_, at) => {
    const word = at % RARE === 7 ? 'quokka' : at % COMMON === 0 ? 'wombat' : 'koala';
    const lines = Array.from(
      { length: 12 },
      (__, line) => `page ${at} line ${line}: how to set option ${line * at} of the service`,
    );
    const text = [...lines.slice(0, 6), `about the ${word}`, ...lines.slice(6)].join('\n');
    const half = Math.floor(text.length / 2);
    return { slug: `guide-${at % 100}/page-${at}`, parts: [text.slice(0, half), text.slice(half)] };
  });
}
