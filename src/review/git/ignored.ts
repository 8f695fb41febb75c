/**
 * What git takes no notice of, by the real files alone: what is ignored is shown in less detail, so an agent must not be able
 * to say what that is.
 */
import { namesInIndex } from '../../history/commit/conflict/git-index.ts';
import type { Facts } from '../../history/diff/facts.ts';
import { baseEntrySide } from '../../history/diff/path-change.ts';
import { loadSide } from '../../history/diff/text/load.ts';
import { type BytePath, components, isWithin, join, type Name, ROOT, splitPath } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { S_IFDIR, S_IFMT, S_IFREG } from '../../sys/stat.ts';
import { isLike, type Pattern, parsePatterns } from './patterns.ts';

interface Repository {
  readonly root: BytePath;
  readonly exclude: readonly Pattern[];
  /** Names below the root of what git knows; undefined: it cannot be told. */
  readonly known: ReadonlySet<string> | undefined;
}

/** A directory whose `.gitignore` says something, and the nearest such above it in the repository. */
interface Scope {
  readonly dir: BytePath;
  readonly patterns: readonly Pattern[];
  readonly above: Scope | undefined;
}

export class Ignored {
  readonly #facts: Facts;
  readonly #top: BytePath;
  readonly #repositories = new Map<BytePath, Repository | undefined>();
  readonly #scopes = new Map<BytePath, Scope | undefined>();
  readonly #directories = new Map<BytePath, boolean>();

  /** `top`: a repository above is none of whoever works there. */
  constructor(facts: Facts, top: BytePath) {
    this.#facts = facts;
    this.#top = top;
  }

  /** Of something new: whether git takes no notice of it. Of something that was there: if so, and a directory is ignored that it is in. */
  has(path: BytePath, isDirectory: boolean, isNew: boolean): boolean {
    const dir = splitPath(path)?.dir;
    if (dir === undefined || !isWithin(dir, this.#top)) return false;
    const repository = this.#repositoryOf(dir);
    if (repository === undefined) return false;
    const { root, known } = repository;
    if (!isNew && known === undefined) return false;
    if (known?.has(path.slice(root === '/' ? 1 : root.length + 1)) === true) return false;
    return this.#isBelow(dir, repository) || (isNew && this.#isLike(path, isDirectory, repository));
  }

  /** Whether a directory, or one that it is in, is ignored. */
  #isBelow(dir: BytePath, repository: Repository): boolean {
    if (dir === repository.root) return false;
    const found = this.#directories.get(dir);
    if (found !== undefined) return found;
    const above = splitPath(dir)?.dir ?? repository.root;
    const isIgnored = this.#isBelow(above, repository) || this.#isLike(dir, true, repository);
    this.#directories.set(dir, isIgnored);
    return isIgnored;
  }

  /** By the nearest file that says something of it. */
  #isLike(path: BytePath, isDirectory: boolean, { root, exclude }: Repository): boolean {
    const lastOf = (patterns: readonly Pattern[], from: BytePath): Pattern | undefined => {
      const names = components(from === ROOT ? path : (path.slice(from.length) as BytePath));
      return patterns.findLast((pattern) => isLike(names, isDirectory, pattern));
    };
    const dir = splitPath(path)?.dir ?? ROOT;
    for (let scope = this.#scopeOf(dir, root); scope !== undefined; scope = scope.above) {
      const last = lastOf(scope.patterns, scope.dir);
      if (last !== undefined) return !last.isNegated;
    }
    const last = exclude.length === 0 ? undefined : lastOf(exclude, root);
    return last !== undefined && !last.isNegated;
  }

  /** The nearest that counts in a directory of the repository at `root`. */
  #scopeOf(dir: BytePath, root: BytePath): Scope | undefined {
    if (this.#scopes.has(dir)) return this.#scopes.get(dir);
    const parent = dir === root ? undefined : splitPath(dir)?.dir;
    const above = parent === undefined ? undefined : this.#scopeOf(parent, root);
    const patterns = this.#read(join(dir, '.gitignore' as Name));
    const scope = patterns.length === 0 ? above : { dir, patterns, above };
    this.#scopes.set(dir, scope);
    return scope;
  }

  #repositoryOf(dir: BytePath): Repository | undefined {
    if (this.#repositories.has(dir)) return this.#repositories.get(dir);
    const above = splitPath(dir)?.dir;
    const upward = above !== undefined && dir !== this.#top ? this.#repositoryOf(above) : undefined;
    const found = this.#openRepository(dir) ?? upward;
    this.#repositories.set(dir, found);
    return found;
  }

  #openRepository(root: BytePath): Repository | undefined {
    const git = join(root, '.git' as Name);
    const mode = this.#modeOf(git);
    if (mode === undefined) return undefined;
    if ((mode & S_IFMT) !== S_IFDIR) return { root, exclude: [], known: undefined };
    const index = this.#bytesOf(join(git, 'index' as Name));
    const known = index === undefined ? undefined : namesInIndex(index);
    return { root, exclude: this.#read(`${git}/info/exclude` as BytePath), known };
  }

  #read(path: BytePath): readonly Pattern[] {
    return parsePatterns(this.#bytesOf(path)?.toString('latin1') ?? '');
  }

  /** Undefined where there is no regular file that can be read: git follows no symlink here, either. */
  #bytesOf(path: BytePath): Buffer | undefined {
    if (((this.#modeOf(path) ?? 0) & S_IFMT) !== S_IFREG) return undefined;
    const content = loadSide(baseEntrySide(path, S_IFREG), this.#facts);
    return 'bytes' in content ? content.bytes : undefined;
  }

  #modeOf(path: BytePath): number | undefined {
    try {
      return this.#facts.of(path)?.mode;
    } catch (error) {
      // What cannot be looked at ignores nothing.
      if (error instanceof SystemError) return undefined;
      throw error;
    }
  }
}
