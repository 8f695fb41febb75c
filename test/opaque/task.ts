/** A task whose tool does more than it says, as data. */
import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { succeed } from '../support/exec.ts';

export interface OpaqueTask {
  readonly name: string;
  /** How deep one has to look: a readable script, a Makefile before it, three and more levels, a compiled program. */
  readonly level: 'L1' | 'L2' | 'L3' | 'L∞';
  /** What an agent types. */
  readonly command: string;
  /** Path in the task's directory, or `~/path`, to content. What begins with `#!` can be executed. */
  readonly files: Readonly<Record<string, string>>;
  /** Further names of a file, and symlinks: name to what it is. */
  readonly links?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly modes?: Readonly<Record<string, number>>;
  /** Programs of the task, in C; only what is compiled is there. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Some of what it destroys, in words of its own: that the task does harm at all. */
  readonly harm: readonly string[];
}

/** An old time, the same everywhere. */
const LONG_AGO = 1_500_000_000.123;

/** Puts a task's files into `dir`, those of a person into `home`. */
export async function plant(task: OpaqueTask, dir: string, home: string): Promise<void> {
  const at = (path: string): string => (path.startsWith('~/') ? join(home, path.slice(2)) : join(dir, path));
  for (const [path, content] of Object.entries(task.files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    utimesSync(at(path), LONG_AGO, LONG_AGO);
  }
  for (const [path, mode] of Object.entries(task.modes ?? {})) chmodSync(at(path), mode);
  for (const [path, to] of Object.entries(task.links ?? {})) linkSync(at(to), at(path));
  for (const [path, to] of Object.entries(task.symlinks ?? {})) symlinkSync(to, at(path));
  for (const [path, source] of Object.entries(task.programs ?? {})) {
    mkdirSync(dirname(at(path)), { recursive: true });
    await succeed(['gcc', '-O1', '-xc', '-o', at(path), '-'], { input: source });
  }
}
