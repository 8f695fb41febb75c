/**
 * The load that the daemon is killed under: a sequence of file operations that follows from a seed, so that who knows
 * the seed and how many were finished knows what every file must hold. One process does them one after the other; the
 * kill can interrupt one at most.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random/random.ts';

/** The files, by name; content as bytes. */
export type Files = Map<string, string>;

/** One operation: what it does to the files, and how it is done with system calls that have returned when it ends. */
export interface Step {
  readonly what: string;
  /** The names it touches. */
  readonly touches: readonly string[];
  /** All or nothing, as rename(2) is; a write may be seen half done. */
  readonly atomic: boolean;
  /** A file that is there only while the step runs, and what it will hold. */
  readonly scratch?: { readonly name: string; readonly text: string };
  apply(files: Files): void;
  perform(dir: string): void;
}

/** Present before the load starts, in the base. */
export const BASE_FILES: Files = new Map(
  Array.from({ length: 8 }, (_, i) => [`base${i}`, new Random(i).text(i * 3000 + 20)]),
);

/** Makes the next step from what is there. */
export function nextStep(random: Random, files: Files): Step {
  const name = `${random.pick(['base', 'new', 'x'])}${random.below(8)}`;
  const existing = [...files.keys()].sort();
  if (existing.length < 4 || !files.has(name)) return write(name, random.text(random.below(30_000)));
  const other = `y${random.below(8)}`;
  const kinds = [
    () => write(name, random.text(random.below(30_000))),
    () => append(name, random.text(1 + random.below(5000))),
    () =>
      patch(name, { at: random.below((files.get(name)?.length ?? 0) + 1), text: random.text(1 + random.below(3000)) }),
    () => truncate(name, random.below((files.get(name)?.length ?? 0) + 1)),
    () => rename(name, other),
    () => rename(random.pick(existing), name),
    () => replace(name, random.text(random.below(9000))),
    () => unlink(name),
  ];
  return random.pick(kinds)();
}

function write(name: string, text: string): Step {
  return {
    what: `write ${name}`,
    touches: [name],
    atomic: false,
    apply: (files) => files.set(name, text),
    perform: (dir) => fs.writeFileSync(join(dir, name), text, 'latin1'),
  };
}

function append(name: string, text: string): Step {
  return {
    what: `append ${name}`,
    touches: [name],
    atomic: false,
    apply: (files) => files.set(name, (files.get(name) ?? '') + text),
    perform: (dir) => fs.appendFileSync(join(dir, name), text, 'latin1'),
  };
}

function patch(name: string, { at, text }: { at: number; text: string }): Step {
  return {
    what: `patch ${name}`,
    touches: [name],
    atomic: false,
    apply: (files) => {
      const old = files.get(name) ?? '';
      files.set(name, old.slice(0, at) + text + old.slice(at + text.length));
    },
    perform: (dir) => {
      const fd = fs.openSync(join(dir, name), 'r+');
      fs.writeSync(fd, text, at, 'latin1');
      fs.closeSync(fd);
    },
  };
}

function truncate(name: string, size: number): Step {
  return {
    what: `truncate ${name}`,
    touches: [name],
    atomic: true,
    apply: (files) => files.set(name, (files.get(name) ?? '').slice(0, size)),
    perform: (dir) => fs.truncateSync(join(dir, name), size),
  };
}

function rename(from: string, to: string): Step {
  return {
    what: `rename ${from} ${to}`,
    touches: [from, to],
    atomic: true,
    apply: (files) => {
      const content = files.get(from) ?? '';
      files.delete(from);
      files.set(to, content);
    },
    perform: (dir) => fs.renameSync(join(dir, from), join(dir, to)),
  };
}

/** As editors save: a new file, synced, over the old name. */
function replace(name: string, text: string): Step {
  return {
    what: `replace ${name}`,
    touches: [name],
    atomic: true,
    scratch: { name: `${name}.tmp`, text },
    apply: (files) => files.set(name, text),
    perform: (dir) => {
      const fd = fs.openSync(join(dir, `${name}.tmp`), 'w');
      fs.writeSync(fd, text, 0, 'latin1');
      fs.fsyncSync(fd);
      fs.closeSync(fd);
      fs.renameSync(join(dir, `${name}.tmp`), join(dir, name));
    },
  };
}

function unlink(name: string): Step {
  return {
    what: `unlink ${name}`,
    touches: [name],
    atomic: true,
    apply: (files) => files.delete(name),
    perform: (dir) => fs.unlinkSync(join(dir, name)),
  };
}

/** The files after `count` steps of `seed`, and the step that comes next. */
export function stateAfter(seed: number, count: number): { files: Files; next: Step } {
  const random = new Random(seed);
  const files = new Map(BASE_FILES);
  for (let i = 0; i < count; i++) nextStep(random, files).apply(files);
  return { files, next: nextStep(random, files) };
}

/**
 * What is wrong with the files found, given the first `count` steps had finished: one line each. What the next step
 * does may be there in full, not at all or, unless it is atomic, in part; all else is exact.
 */
export function judge(found: Files, seed: number, count: number): string[] {
  const { files, next } = stateAfter(seed, count);
  const after = new Map(files);
  next.apply(after);
  const { scratch } = next;
  if (scratch !== undefined && isPartOf(found.get(scratch.name), ['', scratch.text])) found.delete(scratch.name);
  const problems: string[] = [];
  const isDone = next.touches.every((name) => found.get(name) === after.get(name));
  for (const name of new Set([...found.keys(), ...files.keys()])) {
    const have = found.get(name);
    const before = files.get(name);
    const touched = next.touches.includes(name);
    if (have === before || (touched && isDone)) continue;
    if (touched && !next.atomic && isPartOf(have, [before ?? '', after.get(name) ?? ''])) continue;
    problems.push(
      `${name} in ${seed}, ${count} steps done, then "${next.what}": ${describe(have)}, not ${describe(before)}`,
    );
  }
  return problems;
}

/** Whether every byte is that of one of the two contents, or of a hole that was not filled yet. */
function isPartOf(have: string | undefined, [old, young]: readonly [string, string]): boolean {
  if (have === undefined || have.length > Math.max(old.length, young.length)) return false;
  for (let i = 0; i < have.length; i++) {
    if (have[i] !== old[i] && have[i] !== young[i] && have[i] !== '\0') return false;
  }
  return true;
}

function describe(content: string | undefined): string {
  return content === undefined ? 'absent' : `${content.length} bytes "${content.slice(0, 20)}"`;
}
