/**
 * GNU grep over any files: what a server can narrow down is asked of it first, what may match is brought in bulk and
 * matched here. Output, errors and exit codes are those of GNU grep 3.8 in the locale C.UTF-8.
 */
import { ENOENT, type Errno } from '../../sys/errno.ts';
import { ALL } from '../formula.ts';
import type { LinesAsked } from '../searching/excerpts.ts';
import { UsageError } from './arguments.ts';
import { batchesOf } from './batches.ts';
import { contentOf } from './content.ts';
import { GrepError } from './draft.ts';
import type { Content, FileAccess, MayMatch, Opener, Sink } from './file-access.ts';
import { NameFilter } from './globs.ts';
import { errnoText } from './messages.ts';
import { type GlobRule, type Options, readOptions } from './options.ts';
import { Matcher } from './pattern/matcher.ts';
import { type PatternLine, patternList } from './pattern/patterns.ts';
import { PatternError } from './pattern/syntax.ts';
import { Printer } from './printer.ts';
import { searchFile } from './search.ts';
import { type Step, Walk } from './walk.ts';

const SELECTED = 0;
const NOTHING = 1;
const TROUBLE = 2;
const NEWLINE = 10;
/** Of a file with patterns or globs. */
const PIECE = 256 * 1024;

/** Files that are searched next, whose contents are brought while those before them are searched. */
interface Batch {
  readonly steps: readonly Step[];
  /** In the order of the steps. */
  readonly openers: Promise<readonly (Opener | undefined)[]>;
}

/** How much of the work was done where. */
export interface Statistics {
  /** Files that the command line means. */
  files: number;
  /** Of these, whose content was looked at. */
  read: number;
  /** Of these, with a selected line. */
  matched: number;
}

/** Carries out a command line (bytes, one code unit each); resolves to grep's exit code. */
export async function runGrep(
  words: readonly string[],
  files: FileAccess,
  sink: Sink,
  statistics: Statistics = { files: 0, read: 0, matched: 0 },
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
  readonly #statistics: Statistics;
  readonly #printer: Printer;
  #options: Options;
  #hasSelected = false;
  /** Bytes of the files looked at so far. */
  #bytes = 0;

  constructor(options: Options, files: FileAccess, { sink, statistics }: { sink: Sink; statistics: Statistics }) {
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
    const isEnough = await this.#search(matcher);
    this.#printer.flush();
    await this.#sink.drained();
    if (isEnough) return SELECTED;
    return this.#printer.hasFailed ? TROUBLE : this.#hasSelected ? SELECTED : NOTHING;
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

  async #search(matcher: Matcher): Promise<boolean> {
    const operands = this.#operands();
    const formula = this.#options.invert ? ALL : matcher.formula;
    const mayMatch = await this.#files.narrow?.(formula, operands, this.#linesNeeded());
    const filters = {
      files: new NameFilter(await this.#globs()),
      directories: new NameFilter(this.#options.excludedDirectories),
      isBarren: (path: string): boolean => this.#isOnlyOfMatches() && this.#files.isBarren?.(path) === true,
    };
    const steps = new Walk(this.#files, this.#options, filters).steps(operands);
    this.#printer.showNames(this.#namesShown(operands.length));
    let before: Batch | undefined;
    for (const batch of batchesOf(steps, () => this.#bytes)) {
      const opened = { steps: batch, openers: this.#opened(batch, mayMatch) };
      if (before !== undefined && (await this.#batch(before, matcher))) return true;
      // Who stops at the first match has nothing brought that it may not need.
      if (!this.#options.quiet) before = opened;
      else if (await this.#batch(opened, matcher)) return true;
    }
    return before !== undefined && (await this.#batch(before, matcher));
  }

  /** Whether lines that may match are enough, and how; undefined: what is said depends on the others, too. */
  #linesNeeded(): LinesAsked | undefined {
    const { invert, hasContext, byteOffsets, initialTab, lineEnd, lineNumbers } = this.#options;
    if (invert || hasContext || byteOffsets || initialTab || lineEnd !== NEWLINE) return undefined;
    return lineNumbers ? 'numbered' : 'plain';
  }

  /** Whether a file without a match leaves no trace in the output. */
  #isOnlyOfMatches(): boolean {
    return !this.#options.count && this.#options.list !== 'others';
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
  async #opened(steps: readonly Step[], mayMatch: MayMatch | undefined): Promise<readonly (Opener | undefined)[]> {
    const openers: (Opener | undefined)[] = [];
    const wanted: { readonly at: number; readonly path: string }[] = [];
    for (const [at, step] of steps.entries()) {
      const isOpened = step.kind === 'file' && step.path !== '-';
      const known = isOpened && (mayMatch?.(step.path) ?? true);
      openers.push(typeof known === 'object' ? () => contentOf(known) : undefined);
      if (isOpened && known === true) wanted.push({ at, path: step.path });
    }
    if (wanted.length === 0) return openers;
    const opened = await this.#files.open(wanted.map(({ path }) => path));
    for (const [i, { at }] of wanted.entries()) openers[at] = opened[i];
    return openers;
  }

  /** Returns whether no more has to be looked at. */
  async #batch({ steps, openers }: Batch, matcher: Matcher): Promise<boolean> {
    const known = await openers;
    for (const [at, step] of steps.entries()) {
      const isInput = step.kind === 'file' && step.path === '-';
      if (this.#step(step, isInput ? () => this.#files.input : known[at], matcher)) return true;
    }
    this.#printer.flush();
    await this.#sink.drained();
    return false;
  }

  #step(step: Step, open: Opener | undefined, matcher: Matcher): boolean {
    switch (step.kind) {
      case 'operand':
        if (this.#isRecursionOfOne()) this.#printer.showNames(step.isDirectory);
        return false;
      case 'failure':
        this.#printer.fileError(step.name, step.why);
        return false;
      case 'warning':
        this.#printer.error(step.text);
        return false;
      case 'unreadable':
        this.#printer.fileError(step.name, errnoText(step.errno));
        return this.#finish(step.name, 0);
      case 'file':
        return this.#file(step, open, matcher);
    }
  }

  #isRecursionOfOne(): boolean {
    const { names, directories, operands } = this.#options;
    return names === 'if-many' && directories === 'recurse' && operands.length <= 1;
  }

  #file(step: Step & { kind: 'file' }, open: Opener | undefined, matcher: Matcher): boolean {
    this.#statistics.files += 1;
    // The server says that nothing in it matches.
    if (open === undefined) return this.#finish(step.name, 0);
    const content = open();
    if (typeof content === 'number') {
      this.#printer.fileError(step.name, errnoText(content));
      return false;
    }
    this.#statistics.read += 1;
    this.#bytes += content.size ?? 0;
    this.#printer.begin(content);
    const { selected, isEnough } = searchFile(content, step.name, {
      options: this.#options,
      matcher,
      printer: this.#printer,
    });
    content.close();
    if (selected > 0) this.#statistics.matched += 1;
    return isEnough || this.#finish(step.name, selected);
  }

  /** What is said of a whole file. */
  #finish(name: string, selected: number): boolean {
    const { count, list } = this.#options;
    if (count) this.#printer.count(name, selected);
    if (list !== 'none' && (list === 'matching') === selected > 0) this.#printer.name(name);
    if (selected > 0) this.#hasSelected = true;
    return false;
  }
}

/** An empty file has no pattern, an empty line is one. */
function linesOf(text: string, file: string): PatternLine[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, i) => ({ text: line, place: `${file}:${i + 1}: ` }));
}
