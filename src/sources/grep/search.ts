/** One file searched: its lines in order, those that are selected, and the lines around them. */
import { isUtf8 } from 'node:buffer';
import type { Options } from './command-line/options.ts';
import type { Content } from './file-access.ts';
import { errnoText } from './messages.ts';
import { lineAround, type Matcher } from './pattern/matcher.ts';
import type { Printer } from './printer.ts';
import { Window } from './window.ts';

export interface Searched {
  readonly selected: number;
  /** -q has its answer. */
  readonly isEnough: boolean;
}

export interface Job {
  readonly options: Options;
  readonly matcher: Matcher;
  readonly printer: Printer;
}

/** Searches one file and prints what it selects. */
export function searchFile(content: Content, name: string, job: Job): Searched {
  return new FileSearch(content, name, job).run();
}

class FileSearch {
  readonly #window: Window;
  readonly #name: string;
  readonly #options: Options;
  readonly #matcher: Matcher;
  readonly #printer: Printer;
  #selected = 0;
  /** Selected lines that may still come, and lines after them that are still to print. */
  #left: number;
  #pending = 0;
  /** Where the last printed line ended; undefined: nothing was printed, or it lies before the window. */
  #printed: number | undefined;
  /** Lines before `#counted`, and bytes before the window. */
  #lines = 0;
  #counted = 0;
  #offset = 0;
  /** Nothing is printed: only the number of lines, or one line, is of interest. */
  #isSilent: boolean;
  #stopsAtFirst: boolean;
  /** Lines selected before the first NUL was seen; undefined: none was. */
  #beforeNul: number | undefined;
  #isGarbled = false;
  #isEnough = false;

  constructor(content: Content, name: string, { options, matcher, printer }: Job) {
    this.#window = new Window(content);
    this.#name = name;
    this.#options = options;
    this.#matcher = matcher;
    this.#printer = printer;
    this.#left = options.most;
    this.#stopsAtFirst = options.quiet || options.list !== 'none';
    this.#isSilent = this.#stopsAtFirst || options.count;
  }

  run(): Searched {
    const wasSilent = this.#isSilent;
    const isSkipped = this.#read();
    const isBinary = this.#isGarbled || (this.#beforeNul !== undefined && this.#beforeNul < this.#selected);
    if (!isSkipped && this.#options.binary === 'binary' && !wasSilent && isBinary && !this.#isEnough) {
      this.#printer.error(`${this.#name}: binary file matches`);
    }
    return { selected: this.#selected, isEnough: this.#isEnough };
  }

  /** Returns whether the file is none that is to be searched. */
  #read(): boolean {
    const window = this.#window;
    let residue = 0;
    let kept = 0;
    for (;;) {
      const filled = window.fill(kept);
      if ('errno' in filled) {
        this.#printer.fileError(this.#name, errnoText(filled.errno));
        return false;
      }
      if (this.#printed !== undefined) this.#printed = window.begin;
      this.#counted = window.begin;
      if (this.#isSkipped()) return true;
      if (filled.added === 0) break;
      let fresh = window.begin + kept;
      if (this.#beforeNul !== undefined) fresh = this.#endLinesAtNuls(fresh);
      const last = window.bytes.lastIndexOf(this.#options.lineEnd, window.end - 1);
      const end = last < fresh ? fresh - residue : last + 1;
      const start = fresh - residue;
      residue = window.end - end;
      if (start < end && this.#isDone(start, end)) return false;
      kept = residue + end - this.#context(end);
      this.#advance(window.end - kept);
    }
    if (residue > 0) this.#lastLine(residue);
    return false;
  }

  /** Searches whole lines; returns whether no more is of interest. */
  #isDone(start: number, end: number): boolean {
    if (this.#left > 0) this.#searchLines(start, end);
    if (this.#pending > 0) this.#printPending(end);
    if (this.#isEnough || (this.#left <= 0 && this.#pending === 0)) return true;
    return this.#stopsAtFirst && this.#selected > Math.max(0, this.#beforeNul ?? 0);
  }

  #lastLine(residue: number): void {
    const { window, kept } = { window: this.#window, kept: this.#window.end - this.#window.begin };
    const shift = this.#window.begin;
    window.endLine(this.#options.lineEnd);
    if (this.#printed !== undefined) this.#printed -= shift;
    this.#counted -= shift;
    this.#isDone(kept - residue, window.end);
  }

  /** Whether it is binary, and such files are left out. */
  #isSkipped(): boolean {
    const { binary, lineEnd, count } = this.#options;
    if (this.#beforeNul !== undefined || lineEnd === 0 || binary === 'text') return false;
    const nul = this.#window.bytes.indexOf(0, this.#window.begin);
    if (nul < 0 || nul >= this.#window.end) return false;
    if (binary === 'without-match') {
      this.#selected = 0;
      return true;
    }
    if (!count) this.#stopsAtFirst = this.#isSilent = true;
    this.#beforeNul = this.#selected;
    return false;
  }

  #endLinesAtNuls(fresh: number): number {
    const before = this.#window.begin;
    const from = this.#window.endLinesAtNuls(fresh, this.#options.lineEnd);
    const shift = before - this.#window.begin;
    if (this.#printed !== undefined) this.#printed -= shift;
    this.#counted -= shift;
    return from;
  }

  /** Where the lines begin that may have to be printed before one that follows `end`. */
  #context(end: number): number {
    let begin = end;
    for (let i = 0; i < this.#options.before && begin > this.#window.begin && begin !== this.#printed; i++) {
      begin = this.#lineBefore(begin);
    }
    if (begin !== this.#printed) this.#printed = undefined;
    return begin;
  }

  #lineBefore(at: number): number {
    const { bytes, begin } = this.#window;
    const found = at - 2 < begin ? -1 : bytes.lastIndexOf(this.#options.lineEnd, at - 2);
    return Math.max(begin, found + 1);
  }

  /** Counts what is about to leave the window. */
  #advance(to: number): void {
    if (this.#options.lineNumbers) this.#countLines(to);
    this.#offset += to - this.#window.begin;
  }

  #countLines(to: number): void {
    const { bytes } = this.#window;
    const end = this.#options.lineEnd;
    for (let at = bytes.indexOf(end, this.#counted); at >= 0 && at < to; at = bytes.indexOf(end, at + 1))
      this.#lines += 1;
    this.#counted = Math.max(this.#counted, to);
  }

  #searchLines(start: number, end: number): void {
    const { bytes } = this.#window;
    const { lineEnd, invert } = this.#options;
    for (let at = start; at < end; ) {
      const place = this.#matcher.findLine(bytes, at, end);
      if (place < 0 && !invert) return;
      const line = place < 0 ? { from: end, to: end } : lineAround(bytes, { place, from: at, lineEnd });
      const next = Math.min(end, line.to + 1);
      const isTaken = !invert || at < line.from;
      if (!invert) this.#select(line.from, next);
      else if (isTaken) this.#selectAll(at, line.from);
      if (isTaken && (this.#left <= 0 || this.#stopsAtFirst)) {
        this.#isEnough = this.#options.quiet;
        return;
      }
      at = next;
    }
  }

  #select(from: number, to: number): void {
    if (!this.#isSilent) {
      this.#printLead(from);
      this.#print(from, to, true);
    }
    this.#take();
  }

  /** Lines that do not match, with -v. */
  #selectAll(from: number, to: number): void {
    if (!this.#isSilent) this.#printLead(from);
    for (let at = from; at < to && this.#left > 0; ) {
      const next = this.#window.bytes.indexOf(this.#options.lineEnd, at) + 1;
      if (!this.#isSilent) this.#print(at, next, true);
      this.#take();
      at = next;
    }
  }

  #take(): void {
    this.#selected += 1;
    this.#left -= 1;
    this.#pending = this.#isSilent ? 0 : this.#options.after;
    this.#printer.hasSelected = true;
  }

  /** The lines after the last selected one, the mark between groups, and the lines before this one. */
  #printLead(from: number): void {
    if (this.#pending > 0) this.#printPending(from);
    const limit = this.#printed ?? this.#window.begin;
    let begin = from;
    for (let i = 0; i < this.#options.before && begin > limit; i++) begin = this.#lineBefore(begin);
    if (this.#options.hasContext) this.#printer.separate(begin !== this.#printed);
    for (let at = begin; at < from; )
      at = this.#print(at, this.#window.bytes.indexOf(this.#options.lineEnd, at) + 1, false);
  }

  #printPending(limit: number): void {
    this.#printed ??= this.#window.begin;
    for (; this.#pending > 0 && this.#printed < limit; this.#pending--) {
      this.#print(this.#printed, this.#window.bytes.indexOf(this.#options.lineEnd, this.#printed) + 1, false);
    }
  }

  /** Returns where the line ends. */
  #print(from: number, to: number, isSelected: boolean): number {
    const { onlyMatching, invert } = this.#options;
    const line = { bytes: this.#window.bytes, from, to: to - 1 };
    const isWhole = !onlyMatching
      ? this.#printPart(line, { start: from, end: to }, isSelected)
      : isSelected === invert || this.#printMatches(line, isSelected);
    if (isWhole) this.#printed = to;
    return to;
  }

  /** Returns whether nothing was held back. */
  #printMatches(line: { bytes: Buffer; from: number; to: number }, isSelected: boolean): boolean {
    for (let at = line.from; at <= line.to; ) {
      const span = this.#matcher.span(line, at);
      if (span === undefined) break;
      if (span.end === span.start) {
        at = span.start + 1;
        continue;
      }
      if (!this.#printPart(line, span, isSelected)) return false;
      at = span.end;
    }
    return true;
  }

  /** Returns whether it could be printed: what is no text is not. */
  #printPart(
    line: { bytes: Buffer; from: number; to: number },
    { start, end }: { start: number; end: number },
    isSelected: boolean,
  ): boolean {
    const { onlyMatching, binary, lineNumbers } = this.#options;
    const text = line.bytes.subarray(start, end);
    const shown = onlyMatching ? text : text.subarray(0, -1);
    if (binary !== 'text' && !isUtf8(shown)) {
      this.#isGarbled = true;
      return false;
    }
    if (lineNumbers && this.#counted <= line.to) this.#countLines(line.to + 1);
    this.#printer.line(this.#name, text, {
      isSelected,
      number: this.#lines,
      offset: this.#offset + start - this.#window.begin,
      isEmpty: shown.length === 0,
    });
    return true;
  }
}
