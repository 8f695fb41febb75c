/**
 * The configuration while the daemon runs: its files are looked at once a second and whenever a setting is asked for, so that what was
 * written there counts at once. A file that makes no sense changes nothing, and whoever works with the session is told.
 */
import type { Stats } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Layout } from '../../history/layout.ts';
import { type Config, configFiles, loadConfig } from '../../rules/config/config.ts';
import { userConfigFile } from '../../rules/config/load-rules.ts';
import { label } from '../../sys/bytes.ts';
import { type Errno, SystemError } from '../../sys/errno.ts';
import { lookThrough } from '../../sys/files/text-files.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';

const EVERY_MS = 1000;
/** For so long a file that was emptied in place is taken for one that somebody is about to write: without its rules nothing would be denied. */
const BEING_WRITTEN_MS = 500;

export class LiveConfig {
  readonly #layout: Layout;
  readonly #first: Config;
  readonly #onChange: (config: Config) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #files: readonly string[];
  #config: Config;
  /** The files as they were when they were read. */
  #seen: readonly Seen[];
  /** When one was found empty that was not, by the clock that never goes back. */
  #emptiedAt: number | undefined;
  #notice: string | undefined;
  /** What settings do nothing, until it was told. */
  #ignored: string | undefined;
  /** Variables that commands did not get, of which that was told. */
  readonly #withheld = new Set<string>();

  /** `config` is what the file says now; `onChange` hears of what it says later. */
  constructor(layout: Layout, config: Config, onChange: (config: Config) => void) {
    this.#layout = layout;
    this.#first = config;
    this.#config = config;
    this.#ignored = ignoredIn(config);
    this.#onChange = onChange;
    this.#files = configFiles(layout);
    this.#seen = this.#files.map(lookIfPossible);
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
    this.#timer.unref();
  }

  /** The settings that count now. */
  get current(): Config {
    this.#look();
    return this.#config;
  }

  /** Why the files do not count as they stand, as a part of a reply; empty when they do. */
  get told(): { readonly notice?: string } {
    this.#look();
    const notice = this.#notice ?? this.#ignored;
    return notice === undefined ? {} : { notice };
  }

  /** The same for a run, which says once what does nothing, and of each variable once that its command did not get it. */
  tellRun(withheld: readonly string[] = []): { readonly notice?: string } {
    const { told } = this;
    if (told.notice === this.#ignored) this.#ignored = undefined;
    const fresh = withheld.filter((name) => !this.#withheld.has(name));
    if (fresh.length === 0) return told;
    for (const name of fresh) this.#withheld.add(name);
    const list = `not passed to commands: ${fresh.map(label).join(', ')} ('pass_env' and 'sockets' in ${userConfigFile()})`;
    return { notice: told.notice === undefined ? list : `${told.notice}; ${list}` };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const files = this.#files.map(lookIfPossible);
    if (stampOf(files) === stampOf(this.#seen) || this.#isBeingWritten(files)) return;
    this.#seen = files;
    const before = this.#notice;
    this.#notice = this.#load();
    if (this.#notice !== undefined && this.#notice !== before) log(this.#notice);
  }

  #isBeingWritten(files: readonly Seen[]): boolean {
    const isEmptied = files.some((file, i) => {
      const before = this.#seen[i];
      if (typeof file !== 'object' || typeof before !== 'object') return false;
      return file.size === 0 && before.size !== 0 && before.ino === file.ino;
    });
    if (!isEmptied) {
      this.#emptiedAt = undefined;
      return false;
    }
    this.#emptiedAt ??= performance.now();
    return performance.now() - this.#emptiedAt < BEING_WRITTEN_MS;
  }

  #load(): string | undefined {
    try {
      this.#config = loadConfig(this.#layout);
    } catch (error) {
      // What cannot be read now, perhaps for want of descriptors, is tried again.
      if (error instanceof SystemError) this.#seen = [];
      else if (!(error instanceof UserError)) throw error;
      return `${error.message}; the settings from before count`;
    }
    this.#onChange(this.#config);
    this.#ignored = ignoredIn(this.#config);
    return this.#late();
  }

  /** What the view was made with cannot be changed below the processes in it. */
  #late(): string | undefined {
    const { direct, durability } = this.#config.session;
    const { session: first } = this.#first;
    const isSame = durability === first.durability && direct.join('\0') === first.direct.join('\0');
    if (isSame && isDeepStrictEqual(this.#config.cage, this.#first.cage)) return undefined;
    return `${this.#layout.config}: 'direct', 'durability', 'network' and [limits] count when the daemon starts anew ('yolofs stop')`;
  }
}

function ignoredIn({ ignored }: Config): string | undefined {
  return ignored.length === 0 ? undefined : ignored.join('; ');
}

/** What a path leads to: the person's own file may be a link. Undefined: nothing. A number: why that cannot be told. */
type Seen = Stats | undefined | Errno;

function lookIfPossible(path: string): Seen {
  try {
    return lookThrough(path);
  } catch (error) {
    if (error instanceof SystemError) return error.errno;
    throw error;
  }
}

function stampOf(files: readonly Seen[]): string {
  const stamps = files.map((file) =>
    typeof file === 'object' ? `${file.ino} ${file.size} ${file.mtimeMs} ${file.ctimeMs}` : String(file),
  );
  return stamps.join('\n');
}
