/**
 * A source as a file system of just-bash: names, sizes and times from the tree in memory, contents from the server in
 * bulk. It cannot be written to.
 */
import { normalize, resolve } from 'node:path/posix';
import type { FsStat, IFileSystem } from 'just-bash';
import { EINVAL, EISDIR, ELOOP, ENOENT, ENOTDIR, EROFS } from '../../sys/errno.ts';
import type { Formula } from '../formula.ts';
import { type Entry, maySee, type Principal, type Source } from '../source.ts';
import { Contents } from './contents.ts';
import { FileError, faultAt } from './faults.ts';
import { type Node, namesOf, Tree } from './tree.ts';

type Dirent = Awaited<ReturnType<NonNullable<IFileSystem['readdirWithFileTypes']>>>[number];
type Encoding = Parameters<IFileSystem['readFile']>[1];

const MOST_LINKS = 40;

export class SourceFiles implements IFileSystem {
  readonly tree: Tree;
  readonly contents: Contents;
  readonly #source: Source;
  readonly #principal: Principal;
  /** Sizes that nobody knew before the content was there. */
  readonly #sizes = new Map<string, number>();

  /** `entries`: what the principal may see; whatever else is among them is left out. */
  constructor(source: Source, principal: Principal, entries: readonly Entry[]) {
    this.#source = source;
    this.#principal = principal;
    this.tree = new Tree(entries.filter(({ acl }) => maySee(principal, acl)));
    this.contents = new Contents(source, principal);
  }

  /** Files at and below paths that may have what a formula says; undefined: the server cannot tell. */
  async candidates(formula: Formula, scope: readonly string[] | undefined): Promise<ReadonlySet<string> | undefined> {
    return this.#source.candidates?.({ formula, scope }, this.#principal, new AbortController().signal);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const entry = await this.#file(path, 'open');
    const read = await this.contents.read(entry);
    if ('errno' in read) throw faultAt(path, read, 'read');
    if (entry.size === undefined) this.#sizes.set(entry.path, read.content.length);
    return read.content;
  }

  async readFile(path: string, options?: Encoding): Promise<string> {
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return Buffer.from(await this.readFileBuffer(path)).toString(encoding ?? 'utf8');
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#find(path)) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    return this.#statOf(await this.#found(path, 'stat'), path);
  }

  async lstat(path: string): Promise<FsStat> {
    const node = this.tree.find(path);
    if (node === undefined) throw new FileError(ENOENT, 'lstat', path);
    return this.#statOf(node, path);
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string): Promise<Dirent[]> {
    const node = await this.#found(path, 'scandir');
    if (node.kind !== 'directory') throw new FileError(ENOTDIR, 'scandir', path);
    const entries = [...node.children].map(([name, { kind }]) => ({
      name,
      isFile: kind === 'file',
      isDirectory: kind === 'directory',
      isSymbolicLink: kind === 'symlink',
    }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async readlink(path: string): Promise<string> {
    const node = this.tree.find(path);
    if (node === undefined) throw new FileError(ENOENT, 'readlink', path);
    if (node.kind !== 'symlink') throw new FileError(EINVAL, 'readlink', path);
    return this.#targetOf(node);
  }

  async realpath(path: string): Promise<string> {
    return (await this.#follow(path, 'realpath')).path;
  }

  resolvePath(base: string, path: string): string {
    return resolve('/', base, path);
  }

  getAllPaths(): string[] {
    return [...this.tree.files('/')].map(({ path }) => `/${path}`);
  }

  writeFile = readOnly('open');
  appendFile = readOnly('open');
  mkdir = readOnly('mkdir');
  rm = readOnly('unlink');
  cp = readOnly('cp');
  mv = readOnly('rename');
  chmod = readOnly('chmod');
  symlink = readOnly('symlink');
  link = readOnly('link');
  utimes = readOnly('utime');

  /** A file's size is exact: commands believe it, and some give up when they read more. */
  async #statOf(node: Node, path: string): Promise<FsStat> {
    const kind = {
      isFile: node.kind === 'file',
      isDirectory: node.kind === 'directory',
      isSymbolicLink: node.kind === 'symlink',
      mtime: new Date(node.mtime),
      identity: normalize(`/${path}`),
    };
    if (node.kind === 'directory') return { ...kind, mode: 0o555, size: 4096 };
    return {
      ...kind,
      mode: 0o444,
      size: node.size ?? this.#sizes.get(node.path) ?? (await this.readFileBuffer(path)).length,
    };
  }

  async #targetOf(link: Entry): Promise<string> {
    const read = await this.contents.read(link);
    if ('errno' in read) throw faultAt(link.path, read, 'readlink');
    return Buffer.from(read.content).toString('utf8');
  }

  async #file(path: string, call: string): Promise<Entry> {
    const node = await this.#found(path, call);
    if (node.kind === 'directory') throw new FileError(EISDIR, call, path);
    return node;
  }

  async #found(path: string, call: string): Promise<Node> {
    return (await this.#follow(path, call)).node;
  }

  async #find(path: string): Promise<Node | undefined> {
    try {
      return await this.#found(path, 'stat');
    } catch (error) {
      if (error instanceof FileError && [ENOENT, ENOTDIR, ELOOP].includes(error.errno)) return undefined;
      throw error;
    }
  }

  /** Where a path leads, links on the way followed. */
  async #follow(path: string, call: string): Promise<{ readonly path: string; readonly node: Node }> {
    const direct = this.tree.find(path);
    if (direct !== undefined && direct.kind !== 'symlink') return { path: normalize(`/${path}`), node: direct };
    let left = namesOf(path);
    let at: { path: string; node: Node } = { path: '/', node: this.tree.root };
    for (let links = 0; left.length > 0; ) {
      const [name = '', ...rest] = left;
      if (at.node.kind !== 'directory') throw new FileError(ENOTDIR, call, path);
      const next = at.node.children.get(name);
      if (next === undefined) throw new FileError(ENOENT, call, path);
      if (next.kind === 'symlink') {
        if (++links > MOST_LINKS) throw new FileError(ELOOP, call, path);
        left = namesOf(resolve(at.path, await this.#targetOf(next), rest.join('/')));
        at = { path: '/', node: this.tree.root };
      } else {
        left = rest;
        at = { path: resolve(at.path, name), node: next };
      }
    }
    return at;
  }
}

function readOnly(call: string): (path: string) => Promise<never> {
  return (path) => Promise.reject(new FileError(EROFS, call, path));
}
