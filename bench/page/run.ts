/**
 * `npm run bench:page [-- --quick]`: what a person waits for in the review page at scale, against the limits of issue 18
 * (../README.md). A real session and Debian's Chromium. Needs root, for a fresh loop-mounted ext4. Run from the project's directory.
 * Old and new are equally long, so the server compares the bytes of each file: a third of its processor time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { loopDisk } from '../../test/support/disk.ts';
import { BenchSession, cpuOf, memoryOf } from '../history/bench-session.ts';
import { Figures } from '../history/figures.ts';
import { keepFigures } from '../keep-figures.ts';
import { Reviewed } from './browser.ts';

const PER_DIRECTORY = 500;
const LONGEST_TASK = 200;
const JUMPS = 20;

const isQuick = process.argv.includes('--quick');
const SIZES = isQuick ? { files: 5000, lines: 20_000, text: 4e6 } : { files: 100_000, lines: 400_000, text: 47e6 };

if (process.getuid?.() !== 0) throw new Error('the benchmark needs root: it mounts a fresh ext4');
const load = loadavg();
const figures = new Figures();
const disk = await loopDisk(4096, { mount: 'noatime', inodes: 600_000 });
try {
  await measure(await BenchSession.make(disk.mountPoint, 'page', seed));
} finally {
  await disk.remove();
}
const { limited, within } = figures.verdict;
process.stdout.write(
  `${figures.table()}\n\n${within} of ${limited} within their limits; load ${load[0]?.toFixed(1)} before\n`,
);
if (!isQuick) keepFigures('page', figures.list, load);

function seed(project: string): void {
  for (let file = 0; file < SIZES.files; file++) {
    const directory = join(project, `src/part${Math.floor(file / PER_DIRECTORY)}`);
    if (file % PER_DIRECTORY === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file${file}.ts`), `export const value = ${file};\n`);
  }
  const lines = Array.from({ length: SIZES.lines }, (_, number) => `line ${number}\n`);
  writeFileSync(join(project, 'lines.txt'), lines.join(''));
  writeFileSync(
    join(project, 'text.log'),
    `${'some words of a long text that was there before\n'.repeat(SIZES.text / 48)}`,
  );
}

async function measure(session: BenchSession): Promise<void> {
  const change =
    'find src -name "*.ts" -exec sed -i s/value/other/ {} +; sed -i s/line/row/ lines.txt; sed -i "s/was/is/" text.log';
  await session.run(['sh', '-euc', change]);
  const client = await session.client();
  const { pid } = client.hello;
  const before = memoryOf(pid, 'VmRSS');
  const server = await serve(session);
  const page = await Reviewed.open(server.address);
  try {
    await list(page, server.process.pid ?? 0);
    await texts(page);
    figures.part('What it costs');
    figures.add("growth of the daemon's memory", (memoryOf(pid, 'VmRSS') - before) / 1e6, 'MB', { limit: 100 });
    figures.add("the page's server: most memory ever", memoryOf(server.process.pid ?? 0, 'VmHWM') / 1e6, 'MB');
    figures.add("the page's files, compressed", assets() / 1e6, 'MB', { limit: 1 });
  } finally {
    await page.close();
    server.process.kill();
    client.close();
    await session.stop();
  }
}

async function list(reviewed: Reviewed, server: number): Promise<void> {
  const { page } = reviewed;
  figures.part(`A review of ${SIZES.files} changed files`);
  await page.getByRole('treeitem').nth(3).waitFor();
  figures.add('first rows', await reviewed.now(), 'ms', { limit: 1500 });
  figures.add('first paint', await reviewed.firstPaint(), 'ms', { limit: 1500 });
  await page
    .getByText(`${(SIZES.files + 2).toLocaleString('en')} changes`)
    .first()
    .waitFor();
  figures.add('all rows', await reviewed.now(), 'ms', {
    note: `the server's processor time ${cpuOf(server).toFixed(0)} ms`,
  });
  figures.add('longest task until then', await reviewed.longestTask(), 'ms', { limit: LONGEST_TASK });
  const tree = page.getByRole('tree', { name: 'Changes' });
  await tree.evaluate((element) => {
    element.scrollTop = 0;
  });
  for (let jump = 1; jump <= JUMPS; jump++) {
    const part = jump / JUMPS;
    await tree.evaluate((element, to) => element.scrollTo(0, to * element.scrollHeight), part);
    await page.mouse.wheel(0, 400);
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
  }
  figures.add('longest task: scrolling and jumping', await reviewed.longestTask(), 'ms', { limit: LONGEST_TASK });
  const wanted = `file${SIZES.files - 7}.ts`;
  const search = await reviewed.timed(async () => {
    await page.getByRole('searchbox', { name: 'Search paths' }).fill(wanted);
    await page.getByRole('treeitem').filter({ hasText: wanted }).waitFor();
  });
  figures.add('search', search, 'ms', { limit: 1000 });
  figures.add('longest task: search', await reviewed.longestTask(), 'ms', { limit: LONGEST_TASK });
}

/** Texts of which everything has changed are opened, and their parts turned over. */
async function texts(reviewed: Reviewed): Promise<void> {
  const { page } = reviewed;
  figures.part(`A text of ${SIZES.text / 1e6} MB, and one of ${SIZES.lines} lines, each changed`);
  for (const name of ['text.log', 'lines.txt']) {
    await page.getByRole('searchbox', { name: 'Search paths' }).fill(name);
    const opened = await reviewed.timed(async () => {
      await page.getByRole('treeitem').filter({ hasText: name }).click();
      await page.getByRole('heading', { name, level: 2 }).waitFor();
      await page
        .getByRole('region', { name: /^Hunk / })
        .first()
        .waitFor();
    });
    figures.add(`${name}: opened`, opened, 'ms');
    const next = page.getByRole('navigation', { name: 'Parts of this file' }).getByRole('button', { name: 'Further' });
    const turned = await reviewed.timed(() => next.first().click());
    figures.add(`${name}: the next part`, turned, 'ms');
    figures.add(`${name}: longest task`, await reviewed.longestTask(), 'ms', { limit: LONGEST_TASK });
  }
}

interface Serving {
  readonly address: string;
  readonly process: ChildProcess;
}

async function serve(session: BenchSession): Promise<Serving> {
  const main = resolve('dist/src/cli/main.js');
  const env = { ...process.env, HOME: join(disk.mountPoint, 'home') };
  const started = spawn(process.execPath, [main, 'review', '--no-open'], {
    cwd: session.project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(started.stdout)) {
    const address = /http\S+/.exec(line)?.[0];
    if (address !== undefined) return { address, process: started };
  }
  throw new Error('the review gave no address');
}

function assets(): number {
  const directory = resolve('dist/page');
  const files = readdirSync(directory).map((name) => gzipSync(readFileSync(join(directory, name))).length);
  return files.reduce((sum, size) => sum + size, 0);
}
