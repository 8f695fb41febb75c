/**
 * What grep searches in a just-bash session: below a mount from the tree in memory, with the server's help; elsewhere
 * what the session's own file system holds, which is read before the search begins.
 */
import { resolve } from 'node:path/posix';
import type { IFileSystem } from 'just-bash';
import { EACCES, EIO, EISDIR, ELOOP, ENOENT, ENOTDIR, type Errno } from '../../sys/errno.ts';
import { ALL, type Formula } from '../formula.ts';
import { contentOf } from '../grep/content.ts';
import type { Content, FileAccess, FileKind, Found, Narrowing, Opener } from '../grep/file-access.ts';
import { FileError } from './faults.ts';
import type { SourceFiles } from './source-files.ts';

/** Sources of a session, by the absolute path of the directory. */
export type Mounts = ReadonlyMap<string, SourceFiles>;

interface Plain {
  readonly kind: FileKind;
  readonly children: readonly string[];
  readonly content: () => Promise<Uint8Array>;
}

interface Mounted {
  readonly files: SourceFiles;
  readonly at: string;
  /** Below the mount. */
  readonly path: string;
}

export class GrepFiles implements FileAccess {
  readonly input: Content;
  readonly #fs: IFileSystem;
  readonly #cwd: string;
  readonly #mounts: Mounts;
  readonly #plain = new Map<string, Plain | Errno>();

  constructor(fs: IFileSystem, mounts: Mounts, { cwd, stdin }: { readonly cwd: string; readonly stdin: Uint8Array }) {
    this.#fs = fs;
    this.#mounts = mounts;
    this.#cwd = cwd;
    this.input = contentOf(stdin);
  }

  /** Looks at everything at and below words that may be operands and lie in no mount. */
  async learn(words: readonly string[]): Promise<void> {
    for (const word of new Set([...words, '.'])) {
      const path = this.#absolute(word);
      if (this.#mountOf(path) === undefined) await this.#learn(path);
    }
  }

  find(path: string): Found | Errno {
    const absolute = this.#absolute(path);
    const mounted = this.#mountOf(absolute);
    if (mounted === undefined) {
      const plain = this.#plain.get(absolute) ?? this.#parentOf(absolute);
      return typeof plain === 'number' ? plain : { kind: plain.kind, identity: absolute };
    }
    const node = mounted.files.tree.find(mounted.path);
    if (node === undefined) return ENOENT;
    return { kind: node.kind, identity: absolute };
  }

  list(directory: string): readonly { readonly name: string; readonly kind: FileKind }[] | Errno {
    const absolute = this.#absolute(directory);
    const mounted = this.#mountOf(absolute);
    if (mounted === undefined) return this.#listPlain(absolute);
    const node = mounted.files.tree.find(mounted.path);
    if (node === undefined) return ENOENT;
    if (node.kind !== 'directory') return ENOTDIR;
    return [...node.children].map(([name, { kind }]) => ({ name: Buffer.from(name).toString('latin1'), kind }));
  }

  async open(paths: readonly string[]): Promise<readonly Opener[]> {
    const contents = await Promise.all(paths.map((path) => this.#read(this.#absolute(path))));
    return contents.map((content) => () => (typeof content === 'number' ? content : contentOf(content)));
  }

  async narrow(formula: Formula, operands: readonly string[]): Promise<Narrowing | undefined> {
    if (formula.kind === ALL.kind) return undefined;
    const asked = new Map<SourceFiles, Set<string>>();
    for (const operand of operands) {
      const absolute = this.#absolute(operand);
      for (const [at, files] of this.#mounts) {
        const scope = isBelow(at, absolute) ? '' : isBelow(absolute, at) ? absolute.slice(at.length + 1) : undefined;
        if (scope !== undefined) asked.set(files, (asked.get(files) ?? new Set()).add(scope));
      }
    }
    const may = new Map<SourceFiles, ReadonlySet<string> | undefined>();
    for (const [files, scopes] of asked) may.set(files, await files.candidates(formula, filesIn(files, scopes)));
    return (directory) => (name) => {
      const mounted = this.#mountOf(this.#absolute(`${directory}/${name}`));
      return mounted === undefined || (may.get(mounted.files)?.has(mounted.path) ?? true);
    };
  }

  async #read(absolute: string): Promise<Uint8Array | Errno> {
    try {
      const mounted = this.#mountOf(absolute);
      if (mounted !== undefined) return await mounted.files.readFileBuffer(mounted.path);
      const plain = this.#plain.get(absolute);
      if (plain === undefined || typeof plain === 'number') return plain ?? (await this.#fs.readFileBuffer(absolute));
      return plain.kind === 'directory' ? EISDIR : await plain.content();
    } catch (error) {
      return errnoOf(error);
    }
  }

  async #learn(path: string): Promise<void> {
    if (this.#plain.has(path)) return;
    try {
      const stat = await this.#fs.stat(path);
      const kind = stat.isDirectory ? 'directory' : 'file';
      const children = stat.isDirectory ? (await this.#fs.readdir(path)).sort() : [];
      this.#plain.set(path, { kind, children, content: () => this.#fs.readFileBuffer(path) });
      for (const child of children) {
        const below = resolve(path, child);
        if (this.#mountOf(below) === undefined) await this.#learn(below);
      }
    } catch (error) {
      this.#plain.set(path, errnoOf(error));
    }
  }

  #listPlain(absolute: string): readonly { readonly name: string; readonly kind: FileKind }[] | Errno {
    const plain = this.#plain.get(absolute) ?? this.#parentOf(absolute);
    if (typeof plain === 'number') return plain;
    if (plain.kind !== 'directory') return ENOTDIR;
    return plain.children.map((name) => {
      const found = this.find(resolve(absolute, name));
      return { name: Buffer.from(name).toString('latin1'), kind: typeof found === 'number' ? 'file' : found.kind };
    });
  }

  /** A directory that is there because something is mounted below it. */
  #parentOf(absolute: string): Plain | Errno {
    const below = [...this.#mounts.keys()].filter((at) => isBelow(at, absolute));
    if (below.length === 0) return ENOENT;
    const names = below.map((at) => at.slice(absolute === '/' ? 1 : absolute.length + 1).split('/')[0] ?? '');
    return {
      kind: 'directory',
      children: [...new Set(names)].sort(),
      content: () => Promise.reject(new Error('EISDIR')),
    };
  }

  /** grep's words are bytes. */
  #absolute(path: string): string {
    return resolve(this.#cwd, Buffer.from(path, 'latin1').toString('utf8'));
  }

  #mountOf(absolute: string): Mounted | undefined {
    for (const [at, files] of this.#mounts) {
      if (absolute === at || isBelow(absolute, at)) return { files, at, path: absolute.slice(at.length + 1) };
    }
    return undefined;
  }
}

function isBelow(path: string, dir: string): boolean {
  return path.startsWith(dir === '/' ? '/' : `${dir}/`);
}

/** The files that scopes mean; undefined for the whole source. */
function filesIn(files: SourceFiles, scopes: ReadonlySet<string>): string[] | undefined {
  if (scopes.has('')) return undefined;
  return [...scopes].flatMap((scope) => [...files.tree.files(scope)].map(({ path }) => path));
}

const ERRNOS: Readonly<Record<string, Errno>> = { ENOENT, EACCES, EISDIR, ENOTDIR, ELOOP };

/** just-bash's own file systems say the code in the message. */
function errnoOf(error: unknown): Errno {
  if (error instanceof FileError) return error.errno;
  const [code = ''] = /^E[A-Z]+/.exec((error as Error).message) ?? [];
  return ERRNOS[code] ?? EIO;
}
