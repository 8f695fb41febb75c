/**
 * Sources in just-bash, for programs that have no FUSE: `mount` connects to a source, `bashFor` begins a session that
 * sees some of them as directories. Nothing of the host is visible there.
 */

import { resolve } from 'node:path/posix';
import type { Bash, ExecOptions, IFileSystem } from 'just-bash';
import { UserError } from '../../sys/user-error.ts';
import { parseSources, readToken, type SourceConfig } from '../config.ts';
import { openSource } from '../open.ts';
import type { Listing, Principal, Source } from '../source.ts';
import { commandsFor } from './commands.ts';
import { collectFaults, tellFaults } from './faults.ts';
import { loadJustBash } from './just-bash.ts';
import { SourceFiles } from './source-files.ts';

/** A table of `cli.md` (Sources), without `at`: where it appears is for each session to say. */
export type MountOptions = Omit<Partial<SourceConfig>, 'at' | 'name'> & Pick<SourceConfig, 'kind'>;

/** A source that sessions may see. What it has been asked for is kept for the sessions that follow. */
export class Mounted {
  readonly #source: Source;
  readonly #as: readonly string[];
  readonly #known = new Map<string, { readonly listing: Listing; readonly files: SourceFiles }>();

  constructor(source: Source, as: readonly string[]) {
    this.#source = source;
    this.#as = as;
  }

  /**
   * The files that somebody of these groups may see (none: those of the options), as an `IFileSystem` of just-bash. Throws a
   * SourceError when the source does not answer.
   */
  async files(as: readonly string[] = this.#as): Promise<SourceFiles> {
    const principal: Principal = { groups: [...as].sort() };
    const key = JSON.stringify(principal.groups);
    const known = this.#known.get(key);
    const listing = await this.#source.tree(principal, known?.listing.version, new AbortController().signal);
    if (listing === 'unchanged' && known !== undefined) return known.files;
    if (listing === 'unchanged') throw new Error('a source answered "unchanged" to nothing');
    const files = new SourceFiles(this.#source, principal, listing.entries);
    this.#known.set(key, { listing, files });
    return files;
  }

  /** Gives up connections; sessions read what is here already. */
  close(): Promise<void> {
    return this.#source.close();
  }
}

/** Connects to a source. Throws a UserError for options that make no sense. */
export async function mount(options: MountOptions): Promise<Mounted> {
  const [config] = parseSources({ source: options }, { text: '', file: 'mount' });
  if (config === undefined) throw new UserError('mount: no source');
  return new Mounted(await openSource(config, readToken(config, process.env)), config.as);
}

export interface SessionOptions {
  /** The groups that the session reads as; without them those of each mount. */
  readonly as?: readonly string[];
  /** Where the first command starts; default: the first mount. */
  readonly cwd?: string;
}

export interface Executed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A shell whose working directory stays from one command to the next. */
export class BashSession {
  readonly #bash: Bash;
  #cwd: string;

  constructor(bash: Bash, cwd: string) {
    this.#bash = bash;
    this.#cwd = cwd;
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** Carries out shell text. Never rejects for what a command did; what a source could not do is said in `stderr`. */
  async exec(command: string, options: Omit<ExecOptions, 'cwd'> = {}): Promise<Executed> {
    const { result, faults } = await collectFaults(() => this.#exec(command, options));
    if (faults.length === 0) return result;
    return { ...result, stderr: tellFaults(result.stderr, faults), exitCode: result.exitCode || 1 };
  }

  async #exec(command: string, options: Omit<ExecOptions, 'cwd'>): Promise<Executed> {
    try {
      const { stdout, stderr, exitCode, env } = await this.#bash.exec(command, { ...options, cwd: this.#cwd });
      this.#cwd = env.PWD ?? this.#cwd;
      return { stdout, stderr, exitCode };
    } catch (error) {
      // A redirection into what cannot be written to ends just-bash itself.
      const [, code = '', path = ''] = /^(E[A-Z]+): .*'(.*)'$/.exec((error as Error).message) ?? [];
      if (code !== 'EROFS') throw error;
      return { stdout: '', stderr: `bash: ${path}: Read-only file system\n`, exitCode: 1 };
    }
  }
}

/** Begins a session that sees sources at absolute paths, and has a /tmp of its own. Throws as `Mounted.files`. */
export async function bashFor(
  mounts: Readonly<Record<string, Mounted>>,
  { as, cwd }: SessionOptions = {},
): Promise<BashSession> {
  const justBash = await loadJustBash();
  const places = await Promise.all(
    Object.entries(mounts).map(async ([at, mounted]) => [resolve('/', at), await mounted.files(as)] as const),
  );
  const base: IFileSystem = new justBash.InMemoryFs({ '/tmp/.keep': '', '/dev/null': '' });
  const fs = new justBash.MountableFs({
    base,
    mounts: places.map(([mountPoint, filesystem]) => ({ mountPoint, filesystem })),
  });
  const start = cwd ?? places[0]?.[0] ?? '/';
  const bash = new justBash.Bash({ fs, cwd: start, customCommands: commandsFor(justBash, new Map(places)) });
  return new BashSession(bash, start);
}
