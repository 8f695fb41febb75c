/** What a run does one after the other: first all that may share the machine, then what may not, last the long proofs. */
import { isLong, takes } from './tiers.ts';

export interface Part {
  /** Files, as they were given. */
  readonly files: readonly string[];
  readonly concurrency: number;
  /** A run with a limit of time leaves it out once that has passed, and says so. */
  readonly mayBeLeft: boolean;
}

/** Suites that measure time, or change what all processes of the host share: disks, mounts. */
const ALONE =
  /^(?:ask\/load|cli\/within|conformance\/(?:host-changes|mounts)|crash\/resources|daemon\/(?:processor|timed)|full-disk\/(?:disk|full)|escape\/(?:starve|flood))/;

/** The long proofs that CI does not always reach, those first that have found most; some ten minutes each on two processors. */
export const LONG_ORDER = [
  /^(?:model|review)\//,
  /^(?:hostile|sources)\//,
  /^crash\/matrix-[12]\./,
  /^crash\/matrix-[34]\./,
  /^(?:ask|escape)\//,
  /^full-disk\//,
  /^agents\/real\//,
];

/** Whether a file may run beside others that may. */
export function mayShare(file: string): boolean {
  return !ALONE.test(file) && !isLong(file);
}

/** How many files run at once; few of the long ones, which wait for nothing but a processor. */
export interface AtOnce {
  readonly atOnce: number;
  readonly longAtOnce: number;
}

/** Divides compiled test files, paths below `dist/test` or programs elsewhere. */
export function partsOf(files: readonly string[], { atOnce, longAtOnce }: AtOnce): Part[] {
  const [long, short] = [files.filter(isLong), files.filter((file) => !isLong(file))];
  const [always, rest] = [long.filter((file) => takes('ci', file)), long.filter((file) => !takes('ci', file))];
  const isAlone = (file: string): boolean => ALONE.test(file);
  const groups = LONG_ORDER.map((pattern) => rest.filter((file) => pattern.test(file)));
  return [
    { files: short.filter(mayShare), concurrency: atOnce, mayBeLeft: false },
    { files: short.filter(isAlone), concurrency: 1, mayBeLeft: false },
    { files: always, concurrency: longAtOnce, mayBeLeft: false },
    ...groups.map((group) => ({ files: group, concurrency: group.some(isAlone) ? 1 : longAtOnce, mayBeLeft: true })),
  ].filter((part) => part.files.length > 0);
}

/** Passes parts on as long as there is time, and knows what was left out for want of it. */
export class Begun {
  readonly left: string[] = [];
  readonly #end: number;

  /** Minutes from now. */
  constructor(minutes: number) {
    this.#end = performance.now() + minutes * 60_000;
  }

  *of(parts: readonly Part[]): Generator<Part, void> {
    for (const part of parts) {
      if (part.mayBeLeft && performance.now() >= this.#end) this.left.push(...part.files);
      else yield part;
    }
  }
}
