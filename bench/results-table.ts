/**
 * The table of RESULTS.md: the newest file of each benchmark in results/, and what results/noted.json holds of runs
 * whose samples were not kept. A figure above its limit is bold.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './history/figures.ts';
import type { KeptRow } from './keep.ts';
import { median } from './measure.ts';
import { duration, type Extra, misses } from './report.ts';

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly limit?: string;
  readonly isOver?: boolean;
  /** Of this line, where the lines of a file were measured one by one. */
  readonly commit?: string;
}

interface Run {
  readonly commit?: string;
  readonly where?: { readonly load?: readonly number[] };
}

interface Noted {
  readonly bench: string;
  readonly what: string;
  /** One, or those of several rounds; the median counts. */
  readonly values: readonly number[];
  readonly unit: string;
  readonly limit?: number;
  readonly date: string;
  readonly commit?: string;
  readonly note?: string;
}

interface Sample {
  readonly ms: number;
}

interface RulesRow {
  readonly name: string;
  readonly place: string;
  readonly samples: Readonly<Record<string, readonly { readonly time: number }[]>>;
}

interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly max: number;
}

interface Shape {
  readonly src: Readonly<Record<'linesOfAFile' | 'linesOfAFunction' | 'importsOfAFile', Spread>>;
  readonly circles: { readonly loaded: number; readonly typesOnly: number };
  readonly nouns: { readonly exported: number; readonly nouns: number; readonly inNoDictionary?: number };
}

interface SourceFigure {
  readonly subject: string;
  readonly row: string;
  readonly ms: number;
  readonly cpuMs: number;
  readonly count: number;
}

/** The commands of README.md by the first word of a file's name; files of `npm run bench` have none. */
const KINDS: Readonly<Record<string, (data: never) => Line[]>> = {
  files: fileLines,
  agents: agentLines,
  history: ({ figures }: { figures: readonly Figure[] }) => figures.map(figureLine),
  rules: ruleLines,
  shape: shapeLines,
  sources: sourceLines,
  page: partLines,
  view: partLines,
  grep: partLines,
};

const FILE = /^(?:([a-z]+)-)?(\d{4}-\d\d-\d\d)-.*\.json$/;
const HEAD = `# What was measured

Made by \`npm run bench:table\` from \`results/\`; not to be edited. \`README.md\` says how each benchmark measures and what
its limits are. A figure above its limit is bold. The newest run of each benchmark comes first, then what was noted.

| bench | what | measured | limit | run |
| --- | --- | --- | --- | --- |
`;

export function resultsTable(dir: string): string {
  const noted = JSON.parse(readFileSync(join(dir, 'noted.json'), 'utf8')) as readonly Noted[];
  const kinds = new Set([...Object.keys(KINDS), ...noted.map(({ bench }) => bench)]);
  const lines = [...kinds].flatMap((kind) => [
    ...newest(dir, kind),
    ...noted.filter(({ bench }) => bench === kind).map(notedLine),
  ]);
  return `${HEAD}${lines.join('\n')}\n`;
}

/** The lines of the newest file of a benchmark. */
function newest(dir: string, kind: string): string[] {
  const files = readdirSync(dir).sort();
  const file = files.findLast((name) => FILE.test(name) && (FILE.exec(name)?.[1] ?? 'files') === kind);
  const lines = KINDS[kind];
  if (file === undefined || lines === undefined) return [];
  const data = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Run;
  const load = data.where?.load?.[0];
  const date = FILE.exec(file)?.[2];
  const busy = load === undefined ? undefined : `load ${load.toFixed(1)}`;
  return lines(data as never).map((line) => cells(kind, line, [date, line.commit ?? data.commit, busy]));
}

function notedLine({ bench, what, values, unit, limit, date, commit, note }: Noted): string {
  const measured = `${values.map(shown).join(', ')} ${unit}`;
  const line = { what, measured, ...(limit === undefined ? {} : limited(median(values), limit, unit)) };
  return cells(bench, line, [date, commit, note]);
}

function cells(bench: string, line: Line, run: readonly (string | undefined)[]): string {
  const measured = line.isOver === true ? `**${line.measured}**` : line.measured;
  const when = run.filter((part) => part !== undefined).join(', ');
  return `| ${[bench, line.what, measured, line.limit ?? '', when].join(' | ')} |`;
}

function fileLines({ rows, figures }: { rows: readonly KeptRow[]; figures: readonly Extra[] }): Line[] {
  return [...rows.map(fileLine), ...figures.map((figure) => figureLine(figure))];
}

function fileLine(row: KeptRow): Line {
  const [ofExt4 = Number.NaN, ofLimit = Number.NaN] = [row.ratio.yolofs, row.ofLimit.yolofs];
  const others = Object.entries(row.ofLimit).filter(([name]) => name === 'fuse-overlayfs' || name === 'yolofs, pinned');
  const limits = [
    row.must === undefined ? [] : [`${row.must}x the limit`],
    row.aim === undefined ? [] : [`${row.aim}x ext4`],
  ];
  return {
    what: row.row,
    measured: [
      `${duration(row.median.yolofs ?? Number.NaN)}, ${shown(ofExt4)}x ext4, ${shown(ofLimit)}x the limit`,
      ...others.map(([name, ratio]) => `${name} ${shown(ratio)}x`),
    ].join('; '),
    limit: [...limits.flat(), '1x fuse-overlayfs'].join(', '),
    isOver: misses(row).length > 0,
    commit: row.commit,
  };
}

function figureLine(figure: Extra | Figure): Line {
  const { name, value, unit, limit } = figure;
  const measured = `${shown(value)} ${unit}`.trim();
  return { what: name, measured, ...(limit === undefined ? {} : limited(value, limit, unit)) };
}

/** Figures whose names say little without their part. */
function partLines({ figures }: { figures: readonly Figure[] }): Line[] {
  return figures.map((figure) => {
    const line = figureLine(figure);
    const measured = figure.note === undefined ? line.measured : `${line.measured}; ${figure.note}`;
    return { ...line, what: `${figure.part}: ${figure.name}`, measured };
  });
}

function shapeLines({ src, circles, nouns }: Shape): Line[] {
  const spread = ({ median, p90, max }: Spread): string => `${median} / ${p90} / ${max}`;
  const unknown = nouns.inNoDictionary === undefined ? '' : `, ${nouns.inNoDictionary} in no dictionary`;
  return [
    { what: 'lines of a file, median / p90 / max', measured: spread(src.linesOfAFile), limit: '300' },
    { what: 'lines of a function, likewise', measured: spread(src.linesOfAFunction), limit: '40' },
    { what: 'imports of a file, likewise', measured: spread(src.importsOfAFile) },
    { what: 'circles of files, of types only', measured: `${circles.loaded}, ${circles.typesOnly}`, limit: '0, 0' },
    { what: 'nouns of exported names', measured: `${nouns.nouns} in ${nouns.exported} names${unknown}` },
  ];
}

/** Milliseconds above the plain command of the same round. */
function agentLines({ rows }: { rows: Readonly<Record<string, readonly Sample[]>> }): Line[] {
  const { plain = [], ...others } = rows;
  return Object.entries(others).map(([name, samples]) => {
    const above = median(samples.map(({ ms }, i) => ms - (plain[i]?.ms ?? Number.NaN)));
    const limit = ['hook, run', 'shell prefix'].includes(name) ? limited(above, 100, 'ms') : {};
    return { what: `${name}, above the plain command`, measured: `${shown(above)} ms`, ...limit };
  });
}

function ruleLines({ rows }: { rows: readonly RulesRow[] }): Line[] {
  return rows.map(({ name, place, samples }) => {
    const off = samples.off ?? [];
    const ratio = (key: string): number =>
      median((samples[key] ?? []).map(({ time }, i) => time / (off[i]?.time ?? Number.NaN)));
    const [on, many] = [ratio('on'), ratio('on1000')];
    const time = duration(median(off.map((sample) => sample.time)));
    const isLimited = place === 'project';
    return {
      what: `${name}, ${isLimited ? 'in the project' : 'outside'}`,
      measured: `${time} off; control ${shown(ratio('again'))}, on ${shown(on)}, 1,000 rules ${shown(many)}`,
      ...(isLimited ? { limit: 'on 1.05, 1,000 rules 1.1', isOver: on > 1.05 || many > 1.1 } : {}),
    };
  });
}

function sourceLines({ figures }: { figures: readonly SourceFigure[] }): Line[] {
  return figures.map(({ subject, row, ms, cpuMs, count }) => ({
    what: `${subject}: ${row} (${count})`,
    measured: `${shown(ms)} ms, own processor time ${shown(cpuMs)} ms`,
  }));
}

function limited(value: number, limit: number, unit: string): Pick<Line, 'limit' | 'isOver'> {
  return { limit: `${limit} ${unit}`, isOver: value > limit };
}

function shown(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
