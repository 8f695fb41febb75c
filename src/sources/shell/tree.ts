/** The entries of a listing as a tree of names, in memory: what it knows needs no server. */
import { normalize } from 'node:path/posix';
import type { Entry } from '../source.ts';

export interface Directory {
  readonly kind: 'directory';
  readonly children: Map<string, Node>;
  /** The latest of what is in it, in milliseconds since 1970. */
  mtime: number;
}

export type Node = Directory | (Entry & { readonly kind: 'file' | 'symlink' });

export class Tree {
  readonly root: Directory = { kind: 'directory', children: new Map(), mtime: 0 };

  /** An entry whose path leads through a file has no place, and is left out. */
  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.#add(entry);
  }

  /** What a path leads to, with or without a slash at its beginning; links are not followed. */
  find(path: string): Node | undefined {
    let at: Node = this.root;
    for (const name of namesOf(path)) {
      const next: Node | undefined = at.kind === 'directory' ? at.children.get(name) : undefined;
      if (next === undefined) return undefined;
      at = next;
    }
    return at;
  }

  /** All files at and below a path, with their paths in the source. */
  *files(path: string): Generator<Entry> {
    const at = this.find(path);
    if (at !== undefined) yield* filesOf(at);
  }

  #add(entry: Entry): void {
    const names = namesOf(entry.path);
    const last = names.pop();
    if (last === undefined) return;
    let at = this.root;
    at.mtime = Math.max(at.mtime, entry.mtime);
    for (const name of names) {
      const next = at.children.get(name) ?? directoryIn(at, name);
      if (next.kind !== 'directory') return;
      next.mtime = Math.max(next.mtime, entry.mtime);
      at = next;
    }
    if (entry.kind === 'directory') directoryIn(at, last).mtime = entry.mtime;
    else if (!at.children.has(last)) at.children.set(last, entry as Node);
  }
}

function* filesOf(node: Node): Generator<Entry> {
  if (node.kind === 'file') yield node;
  if (node.kind !== 'directory') return;
  for (const child of node.children.values()) yield* filesOf(child);
}

function directoryIn(dir: Directory, name: string): Directory {
  const known = dir.children.get(name);
  if (known?.kind === 'directory') return known;
  const made: Directory = { kind: 'directory', children: new Map(), mtime: 0 };
  dir.children.set(name, made);
  return made;
}

/** The names in a path, `.` and `..` resolved. */
export function namesOf(path: string): string[] {
  return normalize(`/${path}`)
    .split('/')
    .filter((name) => name !== '');
}
