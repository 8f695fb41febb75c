/** The tests of a run that failed, as lines to read at the end of a long log: which, why, and how to run it again. */
import { relative } from 'node:path';

/** What node's test runner says of a test that failed. */
interface Failed {
  readonly name: string;
  readonly file?: string;
  readonly details: { readonly error: { readonly failureType?: string; readonly cause?: unknown } };
}

interface Completed {
  readonly name: string;
  readonly file?: string;
  readonly details: { readonly passed?: boolean };
}

interface Failure {
  /** The compiled file, below `dist/test`. */
  readonly file: string;
  readonly title: string;
  readonly reason: string;
}

/** Collects failures. A suite that failed by its tests only is not one of its own. */
export class Failures {
  readonly #tests: string;
  readonly #all: Failure[] = [];
  readonly #files = new Set<string>();

  /** `tests` is the directory that file names are told relative to. */
  constructor(tests: string) {
    this.#tests = tests;
  }

  /** Takes the data of a `test:fail` event. */
  add({ name, file, details }: Failed): void {
    const { failureType, cause } = details.error;
    if (failureType === 'subtestsFailed') return;
    this.#all.push({ file: relative(this.#tests, file ?? name), title: name, reason: firstLine(cause) });
  }

  /** Takes the data of a `test:complete` event; that of a whole file has the file's path for a name. */
  complete({ name, file, details }: Completed): void {
    if (name === file && !details.passed) this.#files.add(relative(this.#tests, name));
  }

  /** The files that were run: a failure names the file that has the test, which several may share. */
  get files(): string[] {
    return [...this.#files];
  }

  /** Three lines a failure, each a comment in the test anything protocol. */
  lines(headline: string): string[] {
    return this.#all.flatMap(({ file, title, reason }) => [
      `# ${headline}: ${file}: ${title.replaceAll('\n', ' ')}`,
      `#   ${reason}`,
      `#   node dist/test/run.js ${file}`,
    ]);
  }
}

function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'no reason given').slice(0, 300);
}
