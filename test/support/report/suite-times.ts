/** How long each test file took, from the start of its process to its end, and how busy the processors were. */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

interface Completed {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly details: { readonly duration_ms: number };
}

/** Takes the events of a run, and tells the files that took longest first. */
export class SuiteTimes {
  readonly #tests: string;
  readonly #seconds = new Map<string, number>();
  readonly #started = processorTicks();

  /** `tests` is the directory that file names are told relative to. */
  constructor(tests: string) {
    this.#tests = tests;
  }

  /** Takes the data of a `test:complete` event; that of a whole file has the file's path for a name. */
  add({ name, nesting, file, details }: Completed): void {
    if (nesting !== 0 || name !== file) return;
    const path = relative(this.#tests, name);
    const suite = path.startsWith('..') ? `units of ${basename(name, '.mjs')}` : path;
    this.#seconds.set(suite, (this.#seconds.get(suite) ?? 0) + details.duration_ms / 1000);
  }

  /** Comments in the test anything protocol; `npm run figures` reads them. */
  lines(): string[] {
    const all = [...this.#seconds].sort(([, one], [, other]) => other - one);
    const sum = all.reduce((total, [, seconds]) => total + seconds, 0);
    const now = processorTicks();
    const busy = (now.busy - this.#started.busy) / (now.all - this.#started.all);
    return [
      `# ${all.length} files took ${sum.toFixed(1)} s, processors busy ${Math.round(busy * 100)} %`,
      ...all.map(([suite, seconds]) => `# ${seconds.toFixed(1)} s ${suite}`),
    ];
  }
}

/** What all processors of the machine have done since it started. */
function processorTicks(): { readonly busy: number; readonly all: number } {
  const line = readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? '';
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((total, count) => total + count, 0);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { busy: all - idle - waiting, all };
}
