/**
 * `npm run test:mutation`: puts small faults into a copy of the checkout, one at a time, and says which of them no unit
 * test notices. `--seed N` chooses others, `--each N` so many of each kind in each folder, `--from N` leaves the first N
 * out, which an earlier run has tried, `--jobs N` tries as many at once, `--models` asks the models, too, `--unchecked`
 * does not first see that the tests pass without any fault; other arguments are parts of `FILE:LINE`: all faults there
 * are. It takes root, as the machine is made read-only for what runs with a fault.
 */
import { parseArgs } from 'node:util';
import { isRoot } from '../support/accounts.ts';
import { chooseFaults, FOLDERS } from './choose.ts';
import { Copy } from './copy.ts';
import { EQUIVALENT } from './equivalent.ts';
import type { Fault } from './faults.ts';
import { allUnits, reaching } from './reaching.ts';
import { firstFailure, type Result, type Trial, tryFault } from './trial.ts';

const OF_EACH = '7';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      each: { type: 'string', default: OF_EACH },
      from: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '1' },
      models: { type: 'boolean', default: false },
      unchecked: { type: 'boolean', default: false },
    },
  });
  if (!isRoot)
    throw new Error('this takes root: what has a fault may write anywhere, so the machine is made read-only');
  const faults = chooseFaults(Number(values.each), Number(values.seed), positionals).slice(Number(values.from));
  const copy = new Copy();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      copy.remove();
      process.exit(1);
    });
  }
  try {
    const units = allUnits();
    if (!values.unchecked) await withoutFault(copy, units);
    const results = await tryAll(copy, { units, models: values.models }, faults, Number(values.jobs));
    return summary(results);
  } finally {
    copy.remove();
  }
}

/** What fails without any fault notices nothing. */
async function withoutFault(copy: Copy, units: readonly string[]): Promise<void> {
  for (const folder of FOLDERS) {
    const files = units.filter((unit) => unit.startsWith(folder.replace('src/', '')));
    const failed = await firstFailure(copy, undefined, files);
    if (failed !== undefined) throw new Error(`without any fault a unit test of ${folder} fails: ${failed}`);
  }
}

async function tryAll(copy: Copy, trial: Trial, faults: readonly Fault[], jobs: number): Promise<Result[]> {
  const waiting = [...faults];
  const results: Result[] = [];
  const work = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const result = await tryFault(copy, trial, fault);
      results.push(result);
      const loaded = reaching(trial.units, fault.path).length === 0 ? ' (no unit test loads the file)' : '';
      const outcome = result.by ?? equivalence(fault) ?? `NOT NOTICED${loaded}`;
      say(`${results.length}/${faults.length}  ${nameOf(fault)}\n    ${result.seconds} s: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

function summary(results: readonly Result[]): number {
  const unnoticed = results.filter(({ by }) => by === undefined);
  const open = unnoticed.filter(({ fault }) => equivalence(fault) === undefined);
  const equal = unnoticed.length - open.length;
  say(
    `\n${results.length} faults: ${results.length - unnoticed.length} noticed, ${equal} change nothing, ${open.length} not noticed`,
  );
  for (const { fault } of open) say(`  ${nameOf(fault)}`);
  return open.length === 0 ? 0 : 1;
}

function equivalence(fault: Fault): string | undefined {
  const found = EQUIVALENT.find(
    ({ path, text, after }) => path === fault.path && text === fault.text && after === fault.after,
  );
  return found === undefined ? undefined : `changes nothing: ${found.because}`;
}

function nameOf({ path, line, kind, before, after }: Fault): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 70);
  return `${path}:${line}  ${kind}  ${short(before)} -> ${short(after)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
