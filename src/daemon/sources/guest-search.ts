/**
 * What a search inside the view is told of sources (sockets/guest-search.ts). It hears of no file that it could not just read there, and of
 * none that the view shows otherwise: those it opens itself, and is refused or asked about as anybody.
 */
import { splitNames } from '../../rules/sight.ts';
import { ALL, lineText } from '../../sources/formula.ts';
import type { LinesWanted } from '../../sources/searching/bringing.ts';
import type { Narrowed as NarrowedOfSource } from '../../sources/searching/searching.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { isWithin, type Name, splitPath } from '../../sys/bytes.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { BroughtFile, GuestNarrow, GuestSearch, Narrowed, NarrowedDirectory } from '../sockets/guest-search.ts';
import { LateFills } from './late-fills.ts';
import type { Sources } from './sources.ts';

/** Files that the FUSE thread judges between two requests. */
const JUDGED_AT_ONCE = 2_000;
/** Of a name, mostly. */
const NAME_LENGTH = 16;

export class SourceSearch implements GuestSearch {
  readonly #sources: Sources;
  readonly #worker: FuseWorker;
  readonly #fills: LateFills;

  constructor(sources: Sources, worker: FuseWorker) {
    this.#sources = sources;
    this.#worker = worker;
    this.#fills = new LateFills(sources, worker, (paths) => this.#readable(paths));
  }

  async narrow({ narrow: formula, within, lines, ofAll }: GuestNarrow): Promise<Narrowed> {
    const asked = this.#sources.searchable.filter(([, at]) =>
      within.some((one) => isWithin(one, at) || isWithin(at, one)),
    );
    const seen = new Set(await this.#readable(asked.map(([, at]) => at)));
    const places = asked.filter(([, at]) => seen.has(at));
    const said = { places: places.map(([, at]) => at), directories: [] };
    if (formula.kind === ALL.kind) return said;
    const { holds } = this.#sources;
    const wanted = lines === undefined ? { formula } : { formula, lines, ofAll };
    const found = (
      await Promise.all(places.map(([name, at]) => this.#narrowed(name, { ...wanted, scopes: scopesIn(at, within) })))
    ).flat();
    const shown = await this.#seen(found);
    const isMissing = lines !== undefined && ofAll && shown.untold.some(({ own }) => own.length > 0);
    if (isMissing) {
      const untoldIn = (at: BytePath): Untold[] => shown.untold.filter(({ dir }) => isWithin(dir, at));
      await Promise.all(places.map(([name, at]) => this.#tell(name, untoldIn(at), { formula, lines })));
    }
    // That may take as long as a server does: what was closed or staged meanwhile is not told.
    const directories = isMissing ? withLines(await this.#seen(found), shown) : shown.directories;
    // What was staged when the contents were looked at may be the source's by now.
    return holds === this.#sources.holds ? { ...said, directories } : said;
  }

  async bring(paths: readonly BytePath[], take: (files: readonly BroughtFile[]) => Promise<void>): Promise<void> {
    const readable = await this.#readable(paths);
    for (const [name, at] of this.#sources.searchable) {
      const own = readable.filter((path) => isWithin(path, at));
      if (own.length === 0) continue;
      const { answer, unfilled } = await this.#sources.bring(name, own);
      await this.#fills.waiting(name, unfilled);
      // What was closed or staged while it came is not given.
      const still = new Set(await this.#readable(answer.map(({ path }) => path)));
      await take(answer.filter(({ path }) => still.has(path)));
    }
  }

  /** The directories of one source, and what may match in each. */
  async #narrowed(name: string, asked: Parameters<Sources['narrowed']>[1]): Promise<readonly Found[]> {
    const { answer, unfilled } = await this.#sources.narrowed(name, asked);
    await this.#fills.waiting(name, unfilled);
    return answer;
  }

  /** What may match in each; one of which nothing can be said is itself that, in the directory above. */
  async #seen(asked: readonly Found[]): Promise<SeenNow> {
    const known = new Map<BytePath, Map<Name, Uint8Array | undefined>>();
    const closed: BytePath[] = [];
    const untold: Untold[] = [];
    for (const directories of batchesOf(asked)) {
      const originals = directories.map(({ dir, names }) => ({ dir, names }));
      const seen = await this.#worker.order('sight', { paths: [], inos: [], words: [], directories: originals });
      for (const [i, found] of directories.entries()) {
        const one = seen.directories[i];
        if (one?.others !== undefined) {
          const { names, originals: own } = namesSeen(found, { ...one, others: one.others });
          known.set(found.dir, names);
          untold.push({ dir: found.dir, names, own: own.filter((name) => names.get(name) === undefined) });
        } else if (one?.isThere === true) closed.push(found.dir);
      }
    }
    for (const dir of closed) {
      const at = splitPath(dir);
      if (at !== undefined) known.get(at.dir)?.set(at.name, undefined);
    }
    return { directories: [...known].map(([dir, names]) => ({ dir, names })), untold };
  }

  /** The lines of files of one source that could be read without a question when they were looked at, as far as they can be had. */
  async #tell(name: string, untold: readonly Untold[], asked: Pick<LinesWanted, 'formula' | 'lines'>): Promise<void> {
    const wanted = untold.filter(({ own }) => own.length > 0);
    if (wanted.length === 0 || lineText(asked.formula) === undefined) return;
    const files = wanted.map(({ dir, own }) => ({ dir, names: own.join('/') }));
    const { answer, unfilled } = await this.#sources.lines(name, { ...asked, files });
    await this.#fills.waiting(name, unfilled);
    let [file, at] = [0, 0];
    for (const { names, own } of wanted) {
      for (const one of own) {
        const length = answer?.lengths[file++] ?? -1;
        if (length >= 0) names.set(one, answer?.bytes.subarray(at, at + length));
        at += Math.max(0, length);
      }
    }
  }

  /** Those that may be read without a question, and that the view has as the source has them. */
  async #readable(paths: readonly BytePath[]): Promise<BytePath[]> {
    const found: BytePath[] = [];
    for (let at = 0; at < paths.length; at += JUDGED_AT_ONCE) {
      const originals = paths.slice(at, at + JUDGED_AT_ONCE);
      const seen = await this.#worker.order('sight', { paths: [], inos: [], words: [], originals });
      found.push(...originals.filter((_, i) => seen.originals[i]));
    }
    return found;
  }
}

/** A directory of a source, by its path in the view. */
type Found = NarrowedOfSource & { readonly dir: BytePath };

/** Files of a source that may match and can be read without a question, whose lines are not told yet. */
interface Untold {
  readonly dir: BytePath;
  readonly names: Map<Name, Uint8Array | undefined>;
  readonly own: readonly Name[];
}

/** What the view shows by now of what a search has found. */
interface SeenNow {
  readonly directories: NarrowedDirectory[];
  readonly untold: readonly Untold[];
}

/** What is seen now, with the lines that were told since it was seen before. */
function withLines({ directories, untold }: SeenNow, before: SeenNow): NarrowedDirectory[] {
  const told = new Map(before.directories.map(({ dir, names }) => [dir, names]));
  for (const { dir, names, own } of untold) for (const one of own) names.set(one, told.get(dir)?.get(one));
  return directories;
}

/**
 * Those that may match, and those of which only the view itself can say it: of these nothing is told but their names, if they can be seen.
 * The others are originals.
 */
function namesSeen(
  { kept, excerpts }: Found,
  seen: { readonly others: string; readonly hidden: string },
): { readonly names: Map<Name, Uint8Array | undefined>; readonly originals: readonly Name[] } {
  const names = new Map<Name, Uint8Array | undefined>();
  let at = 0;
  for (const [i, name] of splitNames(kept).entries()) {
    const length = excerpts?.lengths[i] ?? -1;
    names.set(name, length < 0 ? undefined : excerpts?.bytes.subarray(at, at + length));
    at += Math.max(0, length);
  }
  const others = new Set(splitNames(seen.others));
  const originals = [...names.keys()].filter((name) => !others.has(name));
  for (const name of others) names.set(name, undefined);
  for (const name of splitNames(seen.hidden)) names.delete(name);
  return { names, originals };
}

/** Of about as many files as are judged at once. */
function* batchesOf(directories: readonly Found[]): Generator<readonly Found[]> {
  let batch: Found[] = [];
  let length = 0;
  for (const directory of directories) {
    batch.push(directory);
    length += directory.names.length;
    if (length < JUDGED_AT_ONCE * NAME_LENGTH) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Where a search is, below a source's root: `` is all of it. */
function scopesIn(at: BytePath, within: readonly BytePath[]): BytePath[] {
  const isAll = within.some((one) => isWithin(at, one));
  return isAll ? [at] : within.filter((one) => isWithin(one, at));
}
