/** What is printed of each step of the walk: a file is searched, or its lines are known by now. */

import type { Options } from './command-line/options.ts';
import { contentOf } from './content.ts';
import type { Content, FileAccess, Opener } from './file-access.ts';
import { errnoText } from './messages.ts';
import type { Matcher } from './pattern/matcher.ts';
import type { Printer } from './printer.ts';
import { searchFile } from './search.ts';
import { arePrintedWhole, printLines } from './told-lines.ts';
import type { FileStep, Step } from './walk.ts';

/** How much of the work was done where. */
export interface Statistics {
  /** Files that the command line means. */
  files: number;
  /** Of these, whose content was looked at. */
  read: number;
  /** Of these, with a selected line. */
  matched: number;
}

/** One command line's. */
export interface Search {
  readonly options: Options;
  readonly matcher: Matcher;
  readonly printer: Printer;
  readonly files: Pick<FileAccess, 'input'>;
  readonly statistics: Statistics | undefined;
}

export class StepSearch {
  readonly #search: Search;
  readonly #arePrintedWhole: boolean;
  hasSelected = false;
  /** Bytes of the files looked at so far. */
  bytes = 0;

  constructor(search: Search) {
    this.#search = search;
    this.#arePrintedWhole = arePrintedWhole(search);
  }

  /** `opened` has the files that are searched whole. Returns whether no more has to be looked at. */
  take(step: Step, opened: ReadonlyMap<Step, Opener>): boolean {
    const { printer } = this.#search;
    switch (step.kind) {
      case 'operand':
        if (this.#isRecursionOfOne()) printer.showNames(step.isDirectory);
        return false;
      case 'failure':
        printer.fileError(step.name, step.why);
        return false;
      case 'warning':
        printer.error(step.text);
        return false;
      case 'unreadable':
        printer.fileError(step.name, errnoText(step.errno));
        return this.#finish(step.name, 0);
      case 'file':
        return this.#file(step, opened);
    }
  }

  #isRecursionOfOne(): boolean {
    const { names, directories, operands } = this.#search.options;
    return names === 'if-many' && directories === 'recurse' && operands.length <= 1;
  }

  #file(step: FileStep, opened: ReadonlyMap<Step, Opener>): boolean {
    const { files, printer, statistics } = this.#search;
    const { may, name, path } = step;
    if (statistics !== undefined) statistics.files += 1;
    if (typeof may === 'object') return this.#lines(may, name);
    const content = path === '-' ? files.input : opened.get(step)?.();
    // The server says that nothing in it matches.
    if (content === undefined) return this.#finish(name, 0);
    if (typeof content !== 'number') return this.#content(content, name);
    printer.fileError(name, errnoText(content));
    return false;
  }

  #lines(lines: Uint8Array, name: string): boolean {
    const printed = this.#arePrintedWhole ? printLines(lines, name, this.#search.printer) : undefined;
    if (printed === undefined) return this.#content(contentOf(lines), name);
    this.#count(lines.length, printed);
    return this.#finish(name, printed);
  }

  #content(content: Content, name: string): boolean {
    const { size = 0 } = content;
    this.#search.printer.begin(content);
    const { selected, isEnough } = searchFile(content, name, this.#search);
    content.close();
    this.#count(size, selected);
    return isEnough || this.#finish(name, selected);
  }

  #count(bytes: number, selected: number): void {
    const { statistics } = this.#search;
    this.bytes += bytes;
    if (statistics === undefined) return;
    statistics.read += 1;
    if (selected > 0) statistics.matched += 1;
  }

  /** What is said of a whole file. */
  #finish(name: string, selected: number): boolean {
    const { printer, options } = this.#search;
    const { count, list } = options;
    if (count) printer.count(name, selected);
    if (list !== 'none' && (list === 'matching') === selected > 0) printer.name(name);
    if (selected > 0) this.hasSelected = true;
    return false;
  }
}
