/** Whole directory trees that are read as content, not shown as files. */
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeTree } from './files.ts';

export interface Walked {
  /** Below the root, without a leading slash. */
  readonly path: string;
  readonly stats: Stats;
}

/** All that is below a directory, in no order; what is said of one is not kept. Throws the error of the system. */
export async function* walk(root: string, signal: AbortSignal, below = ''): AsyncGenerator<Walked> {
  signal.throwIfAborted();
  const names = await readdir(below === '' ? root : `${root}/${below}`);
  const inside: string[] = [];
  for (const one of await Promise.all(names.map((name) => look(root, below === '' ? name : `${below}/${name}`)))) {
    yield one;
    if (one.stats.isDirectory()) inside.push(one.path);
  }
  // One after the other: 100,000 calls at once would take 300 MB.
  for (const path of inside) yield* walk(root, signal, path);
}

async function look(root: string, path: string): Promise<Walked> {
  return { path, stats: await lstat(`${root}/${path}`) };
}

/** What is at a path, not following a symlink. Rejects with the error of the system. */
export function lookUp(path: string): Promise<Stats> {
  return lstat(path);
}

/** The bytes of a file; of a pipe, what its writer says. Rejects with the error of the system. */
export function readWhole(path: string, signal: AbortSignal): Promise<Buffer> {
  return readFile(path, { signal });
}

/** Where a symlink leads. Rejects with the error of the system. */
export function readTarget(path: string): Promise<string> {
  return readlink(path);
}

/** Puts a file at a path in one step, with the directories above it. Rejects with the error of the system. */
export async function putFile(path: string, content: Uint8Array): Promise<void> {
  makeTree(dirname(path), 0o777);
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, content);
  await rename(fresh, path);
}

/** Removes a file. Rejects with the error of the system. */
export function removeAt(path: string): Promise<void> {
  return rm(path);
}
