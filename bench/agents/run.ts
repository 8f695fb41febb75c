/**
 * `npm run bench:agents [-- --quick]`: what an agent waits for at each of its commands, `true` being the command: plain, staged, through the
 * hook, and through `$CLAUDE_CODE_SHELL_PREFIX`; and the start of a daemon. Run from the project's directory (../README.md).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLEAN_ENV } from '../../test/support/exec.ts';
import { median } from '../measure.ts';

const MAIN = fileURLToPath(new URL('../../src/bin/yolofs.cjs', import.meta.url));
/** Milliseconds above the plain command. */
const LIMITS: Readonly<Record<string, number>> = { 'hook, run': 100, 'shell prefix': 100 };

interface Row {
  readonly name: string;
  /** Not measured. */
  readonly before?: () => void;
  readonly work: () => void;
}

interface Sample {
  readonly ms: number;
  /** Processor time of the processes that were waited for; 10 ms is the smallest that is seen. */
  readonly cpu: number;
}

interface Place {
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly prefix: string;
}

bench(process.argv.includes('--quick') ? 3 : 41);

function bench(pairs: number): void {
  const dir = mkdtempSync('/var/tmp/yolofs-bench-');
  const place = { project: join(dir, 'project'), env: { ...CLEAN_ENV, HOME: dir }, prefix: join(dir, 'yolofs-shell') };
  try {
    mkdirSync(place.project);
    symlinkSync(MAIN, place.prefix);
    yolofs(place, ['init']);
    const samples = measure(rows(place), pairs);
    report(samples, pairs);
  } finally {
    yolofs(place, ['stop']);
    rmSync(dir, { recursive: true, force: true });
  }
}

function rows(place: Place): Row[] {
  const frame = `source ${place.project}/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && eval 'true' < /dev/null`;
  return [
    { name: 'plain', work: () => shell(place, 'true') },
    { name: 'node', work: () => start(place, [process.execPath, '-e', '0']) },
    // After 'run, first' it is the first visit to a new daemon, which starts a thread for such.
    {
      name: 'run',
      before: () => yolofs(place, ['run', '-c', 'true']),
      work: () => yolofs(place, ['run', '-c', 'true']),
    },
    { name: 'hook', work: () => void hooked(place, 'true') },
    { name: 'hook, run', work: () => shell(place, hooked(place, 'true')) },
    { name: 'shell prefix', work: () => start(place, [place.prefix, frame]) },
    { name: 'run, first', before: () => yolofs(place, ['stop']), work: () => yolofs(place, ['run', '-c', 'true']) },
  ];
}

/** As an agent starts a command. */
function shell(place: Place, command: string): void {
  start(place, ['bash', '-c', command]);
}

function yolofs(place: Place, words: readonly string[]): void {
  start(place, [MAIN, ...words]);
}

/** What Claude Code's hook makes of a command. */
function hooked(place: Place, command: string): string {
  const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' };
  const input = JSON.stringify({ ...event, cwd: place.project, session_id: 's', permission_mode: 'default' });
  const said = JSON.parse(start(place, [MAIN, 'hook', 'claude'], input)) as {
    hookSpecificOutput: { updatedInput: { command: string } };
  };
  return said.hookSpecificOutput.updatedInput.command;
}

function start({ project, env }: Place, [command = '', ...args]: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

/** All rows one right after the other, in an order that rotates; the first round is not counted. */
function measure(list: readonly Row[], pairs: number): Map<string, Sample[]> {
  const samples = new Map<string, Sample[]>(list.map(({ name }) => [name, []]));
  for (let i = -1; i < pairs; i++) {
    for (let turn = 0; turn < list.length; turn++) {
      const row = list[(i + 1 + turn) % list.length];
      row?.before?.();
      const [start, cpu] = [performance.now(), childTime()];
      row?.work();
      const sample = { ms: performance.now() - start, cpu: childTime() - cpu };
      if (i >= 0 && row !== undefined) samples.get(row.name)?.push(sample);
    }
  }
  return samples;
}

/** Of all children of this process that have ended, and theirs: fields 16 and 17 of its stat, in ticks of 10 ms. */
function childTime(): number {
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function report(samples: ReadonlyMap<string, readonly Sample[]>, pairs: number): void {
  const plain = samples.get('plain') ?? [];
  const lines = [...samples].map(([name, list]) => {
    const above = median(list.map(({ ms }, i) => ms - (plain[i]?.ms ?? 0)));
    const ratio = median(list.map(({ ms }, i) => ms / (plain[i]?.ms ?? 1)));
    const cpu = list.reduce((sum, sample) => sum + sample.cpu, 0) / list.length;
    const limit = LIMITS[name];
    const verdict = limit === undefined ? '' : above <= limit ? `ok, limit ${limit}` : `OVER ${limit}`;
    const figures = [median(list.map(({ ms }) => ms)), above, ratio, cpu].map((value) => value.toFixed(1));
    return `| ${[name, ...figures, verdict].join(' | ')} |`;
  });
  const head = '| row | ms | above plain, ms | / plain | processor, ms | verdict |';
  process.stdout.write(`${[head, head.replace(/[^|]+/g, ' --- '), ...lines].join('\n')}\n`);
  if (pairs < 41) return;
  const date = new Date().toISOString().slice(0, 10);
  const where = { kernel: release(), node: process.version, cpu: cpus()[0]?.model ?? '', load: loadavg() };
  const file = resolve('bench/results', `agents-${date}-${where.kernel}.json`);
  writeFileSync(file, `${JSON.stringify({ date, where, pairs, rows: Object.fromEntries(samples) })}\n`);
}
