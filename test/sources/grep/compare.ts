/** Command lines carried out by the real grep and by ours, with a server that narrows files down by the plan. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Formula, lineText, meets } from '../../../src/sources/formula.ts';
import type { FileAccess, MayMatch } from '../../../src/sources/grep/file-access.ts';
import { runGrep } from '../../../src/sources/grep/grep.ts';
import { HOST_FILES } from '../../../src/sources/grep/host-files.ts';
import type { Statistics } from '../../../src/sources/grep/step-search.ts';
import { Excerpts, type LinesAsked } from '../../../src/sources/searching/excerpts.ts';
import { Random } from '../../random/random.ts';
import { randomCase, writeCorpus } from './cases.ts';

export interface Result {
  readonly code: number;
  readonly out: Buffer;
  readonly err: Buffer;
}

/** Command lines for each corpus. */
const EACH = 25;

/** Compares `count` random command lines; returns how many files were meant and read. */
export async function compareRandom(count: number, seed: number): Promise<Statistics> {
  const statistics: Statistics = { files: 0, read: 0, matched: 0 };
  const random = new Random(seed);
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-grep-'));
  const before = process.cwd();
  try {
    for (let done = 0; done < count; done += EACH) {
      const corpus = join(dir, 'corpus');
      writeCorpus(corpus, random);
      process.chdir(corpus);
      const cases = Array.from({ length: EACH }, () => randomCase(random));
      const wanted = gnuResults(cases, corpus, dir);
      // Where nothing is counted, files that cannot match are left out.
      for (const [i, words] of cases.entries())
        assertSame(await ownResult(words, NARROWED, i % 2 === 0 ? statistics : undefined), wanted[i], words);
    }
  } finally {
    process.chdir(before);
    rmSync(dir, { recursive: true });
  }
  return statistics;
}

/** What the real grep says, for many command lines at one go. */
export function gnuResults(cases: readonly (readonly string[])[], cwd: string, dir: string): Result[] {
  const script = cases.map(
    (words, i) =>
      `grep ${words.map(quoted).join(' ')} </dev/null >${dir}/out.${i} 2>${dir}/err.${i}; echo $? >${dir}/code.${i}`,
  );
  writeFileSync(join(dir, 'script'), script.join('\n'));
  const run = spawnSync('sh', [join(dir, 'script')], { cwd, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } });
  assert.equal(run.status, 0, String(run.stderr));
  return cases.map((_, i) => ({
    code: Number(readFileSync(`${dir}/code.${i}`, 'utf8')),
    out: readFileSync(`${dir}/out.${i}`),
    err: readFileSync(`${dir}/err.${i}`),
  }));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** What ours says, in the current directory. */
export async function ownResult(
  words: readonly string[],
  files: FileAccess = NARROWED,
  statistics?: Statistics,
): Promise<Result> {
  const out: Buffer[] = [];
  const err: string[] = [];
  const sink = {
    out: (bytes: Uint8Array): void => void out.push(Buffer.from(bytes)),
    err: (line: string): void => void err.push(`${line}\n`),
    drained: (): Promise<void> => Promise.resolve(),
  };
  const bytes = words.map((word) => Buffer.from(word).toString('latin1'));
  const code = await runGrep(bytes, files, sink, statistics);
  return { code, out: Buffer.concat(out), err: Buffer.from(err.join(''), 'latin1') };
}

export function assertSame(own: Result, wanted: Result | undefined, words: readonly string[]): void {
  const shown = (result: Result | undefined): object => ({
    code: result?.code,
    out: result?.out.toString('latin1'),
    err: result?.err.toString('latin1'),
  });
  assert.deepEqual(shown(own), shown(wanted), `grep ${words.map(quoted).join(' ')}`);
}

/** The files of this machine, as a server would narrow them down that finds exactly what the formula says; of some the lines are told. */
const NARROWED: FileAccess = {
  ...HOST_FILES,
  input: { size: undefined, read: () => new Uint8Array(), close: () => undefined },
  narrow: (formula, _operands, lines) =>
    Promise.resolve(
      (directory) => (name) =>
        mayMatch(readFileSync(Buffer.from(`${directory}/${name}`, 'latin1')), { formula, lines: lines?.as }),
    ),
};

function mayMatch(
  content: Buffer,
  asked: { readonly formula: Formula; readonly lines: LinesAsked | undefined },
): MayMatch {
  if (!meets(content, asked.formula)) return false;
  const text = lineText(asked.formula);
  if (text === undefined || asked.lines === undefined || content.length % 2 === 0) return true;
  const excerpts = new Excerpts(text, asked.lines);
  excerpts.add(content);
  return excerpts.take().excerpts?.bytes ?? true;
}
