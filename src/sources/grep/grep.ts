/**
 * GNU grep over any files: what a server can narrow down is asked of it first, what may match is brought in bulk and
 * matched here. Output, errors and exit codes are those of GNU grep 3.8 in the locale C.UTF-8.
 */
import { ENOENT, type Errno } from '../../sys/errno.ts';
import { ALL } from '../formula.ts';
import { batchesOf } from './batches.ts';
import { UsageError } from './command-line/arguments.ts';
import { GrepError } from './command-line/draft.ts';
import { type GlobRule, type Options, readOptions } from './command-line/options.ts';
import type { Content, FileAccess, LinesNeeded, Opener, Sink } from './file-access.ts';
import { NameFilter } from './globs.ts';
import { errnoText } from './messages.ts';
import { Matcher } from './pattern/matcher.ts';
import { type PatternLine, patternList } from './pattern/patterns.ts';
import { PatternError } from './pattern/syntax.ts';
import { Printer } from './printer.ts';
import { type Statistics, StepSearch } from './step-search.ts';
import { type FileStep, type Step, Walk } from './walk.ts';

const SELECTED = 0;
const NOTHING = 1;
const TROUBLE = 2;
const NEWLINE = 10;
const NOTHING_OPENED: ReadonlyMap<Step, Opener> = new Map();
/** Of a file with patterns or globs. */
const PIECE = 256 * 1024;

/** Files that are searched next, whose contents are brought while those before them are searched. */
interface Batch {
  readonly steps: readonly Step[];
  /** Of the files among them that are searched whole. */
  readonly openers: Promise<ReadonlyMap<Step, Opener>>;
}

/** Carries out a command line (bytes, one code unit each); resolves to grep's exit code. Only where it is asked for it counts what it does. */
export async function runGrep(
  words: readonly string[],
  files: FileAccess,
  sink: Sink,
  statistics?: Statistics,
): Promise<number> {
  try {
    const options = readOptions(words);
    if ('ask' in options) {
      sink.out(Buffer.from(options.ask === 'help' ? HELP : VERSION));
      return SELECTED;
    }
    return await new Run(options, files, { sink, statistics }).run();
  } catch (error) {
    if (error instanceof UsageError) {
      if (error.message !== '') sink.err(`grep: ${error.message}`);
      sink.err("Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.");
      return error.code;
    }
    if (!(error instanceof GrepError || error instanceof PatternError)) throw error;
    for (const line of error.message.split('\n')) sink.err(`grep: ${line}`);
    return TROUBLE;
  }
}

const HELP = `Usage: grep [OPTION]... PATTERNS [FILE]...
Search for PATTERNS in each FILE, with the options of GNU grep but for -P and --color=always: see grep(1).
  --stat    say on stderr how many files were meant, read and matched
`;
const VERSION = 'yolofs grep, with the language of GNU grep 3.8\n';

class Run {
  readonly #files: FileAccess;
  readonly #sink: Sink;
  readonly #statistics: Statistics | undefined;
  readonly #printer: Printer;
  #options: Options;

  constructor(
    options: Options,
    files: FileAccess,
    { sink, statistics }: { sink: Sink; statistics: Statistics | undefined },
  ) {
    this.#options = options;
    this.#files = files;
    this.#sink = sink;
    this.#statistics = statistics;
    this.#printer = new Printer(sink, options);
  }

  async run(): Promise<number> {
    for (const warning of this.#options.warnings) this.#printer.error(warning);
    const lines = await this.#patternLines();
    if (lines.length === 0) {
      // Nothing matches no pattern: what does not match the empty one is as much.
      this.#options = { ...this.#options, invert: !this.#options.invert, words: false, wholeLines: false };
      lines.push({ text: '', place: '' });
    }
    if (this.#isHopeless(lines)) return NOTHING;
    const matcher = new Matcher(patternList(lines, this.#options));
    for (const warning of matcher.warnings) this.#printer.error(`warning: ${warning}`);
    const found = new StepSearch({
      options: this.#options,
      matcher,
      printer: this.#printer,
      files: this.#files,
      statistics: this.#statistics,
    });
    const isEnough = await this.#search(matcher, found);
    this.#printer.flush();
    await this.#sink.drained();
    if (isEnough) return SELECTED;
    return this.#printer.hasFailed ? TROUBLE : found.hasSelected ? SELECTED : NOTHING;
  }

  async #patternLines(): Promise<PatternLine[]> {
    const lines: PatternLine[] = [];
    for (const from of this.#options.patterns) {
      if ('text' in from) lines.push(...from.text.split('\n').map((text) => ({ text, place: '' })));
      else lines.push(...linesOf(await this.#fileText(from.file), from.file));
    }
    return lines;
  }

  /** What a file with patterns or globs holds, as bytes. */
  async #fileText(path: string): Promise<string> {
    const content = await this.#contentOf(path);
    if (typeof content === 'number') throw new GrepError(`${path}: ${errnoText(content)}`);
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = content.read(PIECE);
      if (typeof piece === 'number') throw new GrepError(`${path}: ${errnoText(piece)}`);
      if (piece.length === 0) break;
      pieces.push(Buffer.from(piece));
    }
    content.close();
    return Buffer.concat(pieces).toString('latin1');
  }

  async #contentOf(path: string): Promise<Content | Errno> {
    if (path === '-') return this.#files.input;
    const [open] = await this.#files.open([path]);
    return open?.() ?? ENOENT;
  }

  /** Whether it is plain to see that nothing can be selected. */
  #isHopeless(lines: readonly PatternLine[]): boolean {
    const { most, invert, words, wholeLines, list } = this.#options;
    const isEmpty = lines.every(({ text }) => text === '');
    return (most === 0 || (isEmpty && invert && !wholeLines && !words)) && list !== 'others';
  }

  async #search(matcher: Matcher, found: StepSearch): Promise<boolean> {
    const operands = this.#operands();
    const formula = this.#options.invert ? ALL : matcher.formula;
    const narrowing = await this.#files.narrow?.(formula, operands, this.#linesNeeded());
    const filters = {
      files: new NameFilter(await this.#globs()),
      directories: new NameFilter(this.#options.excludedDirectories),
      narrowing,
      isOnlyOfMatches: this.#isOnlyOfMatches(),
    };
    const steps = new Walk(this.#files, this.#options, filters).steps(operands);
    this.#printer.showNames(this.#namesShown(operands.length));
    let before: Batch | undefined;
    for (const batch of batchesOf(steps, () => found.bytes)) {
      const opened = { steps: batch, openers: this.#opened(batch) };
      if (before !== undefined && (await this.#batch(before, found))) return true;
      // Who stops at the first match has nothing brought that it may not need.
      if (!this.#options.quiet) before = opened;
      else if (await this.#batch(opened, found)) return true;
    }
    return before !== undefined && (await this.#batch(before, found));
  }

  /** Whether lines that may match are enough, and how; undefined: what is said depends on the others, too. */
  #linesNeeded(): LinesNeeded | undefined {
    const { invert, hasContext, byteOffsets, initialTab, lineEnd, lineNumbers } = this.#options;
    if (invert || hasContext || byteOffsets || initialTab || lineEnd !== NEWLINE) return undefined;
    const { quiet, files, excludedDirectories } = this.#options;
    const ofAll = !quiet && files.length === 0 && excludedDirectories.length === 0;
    return { as: lineNumbers ? 'numbered' : 'plain', ofAll };
  }

  /** Whether a file without a match leaves no trace. */
  #isOnlyOfMatches(): boolean {
    return this.#statistics === undefined && !this.#options.count && this.#options.list !== 'others';
  }

  #operands(): readonly string[] {
    if (this.#options.operands.length > 0) return this.#options.operands;
    return this.#options.directories === 'recurse' ? ['.'] : ['-'];
  }

  #namesShown(operands: number): boolean {
    const { names } = this.#options;
    return names === 'with' || (names === 'if-many' && operands > 1);
  }

  async #globs(): Promise<GlobRule[]> {
    const rules: GlobRule[] = [];
    for (const rule of this.#options.files) {
      if ('glob' in rule) rules.push(rule);
      else {
        const globs = (await this.#fileText(rule.excludedIn)).split('\n').map((line) => line.trimEnd());
        rules.push(...globs.filter((glob) => glob !== '').map((glob) => ({ glob, isIncluding: false })));
      }
    }
    return rules;
  }

  /** Has the contents brought of those that may match, unless it is known what in them may; of the others there is nothing to open. */
  async #opened(steps: readonly Step[]): Promise<ReadonlyMap<Step, Opener>> {
    const wanted = steps.filter(
      (step): step is FileStep => step.kind === 'file' && step.may === true && step.path !== '-',
    );
    if (wanted.length === 0) return NOTHING_OPENED;
    const opened = await this.#files.open(wanted.map(({ path }) => path));
    return new Map(wanted.map((step, i) => [step, opened[i] as Opener]));
  }

  /** Returns whether no more has to be looked at. */
  async #batch({ steps, openers }: Batch, found: StepSearch): Promise<boolean> {
    const opened = await openers;
    for (const step of steps) if (found.take(step, opened)) return true;
    this.#printer.flush();
    await this.#sink.drained();
    return false;
  }
}

/** An empty file has no pattern, an empty line is one. */
function linesOf(text: string, file: string): PatternLine[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, i) => ({ text: line, place: `${file}:${i + 1}: ` }));
}
