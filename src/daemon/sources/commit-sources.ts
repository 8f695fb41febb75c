/**
 * The part of a commit, or of its undo, that is for sources. The mirror is changed like any directory, by steps that can be taken back;
 * between that and the record that makes it count, each source is made what its mirror is. What it refuses takes all of it back.
 *
 *     refresh, hold ▸ plan ▸ steps ▸ pending.json ▸ sources ▸ record ▸ release
 *                            ------ taken back on failure ------
 */
import type { PathChange } from '../../history/changes.ts';
import type { Layout } from '../../history/layout.ts';
import { type BytePath, isWithin, label, toBytes } from '../../sys/bytes.ts';
import { errnoName } from '../../sys/errno.ts';
import { makeDirectories } from '../../sys/files/hollow.ts';
import { readText, removeName, saveText } from '../../sys/files/text-files.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import { fill } from './fill.ts';
import type { SourceOrderName, SourceOrders } from './messages.ts';

/** Has the main thread pass an order on. To be called while nothing is served. */
export type AskSources = <Name extends SourceOrderName>(
  name: Name,
  ask: SourceOrders[Name]['ask'],
) => Promise<SourceOrders[Name]['answer']>;

/** What the main thread says to that. */
export type Reply = { readonly answer: SourceOrders[SourceOrderName]['answer'] } | { readonly defect: string };

/** What a commit changes below one source: paths as text, below its root. */
export interface TouchedSource {
  readonly name: string;
  readonly paths: readonly string[];
}

export interface SourceCommitParts {
  readonly layout: Layout;
  /** The directories of the view, by the sources' names. */
  readonly places: ReadonlyMap<string, BytePath>;
  readonly ask: AskSources;
}

export class SourceCommits {
  readonly #parts: SourceCommitParts;

  constructor(parts: SourceCommitParts) {
    this.#parts = parts;
  }

  /** Whether the session has no sources, so that no commit is for one. */
  get isNone(): boolean {
    return this.#parts.places.size === 0;
  }

  /** What of these changes is for sources. Throws a UserError for what no source keeps. */
  touched(changes: Iterable<PathChange>): readonly TouchedSource[] {
    const { places } = this.#parts;
    const found = new Map<string, Set<string>>();
    for (const change of changes) {
      for (const path of [change.path, ...(change.from === undefined ? [] : [change.from])]) {
        const place = [...places].find(([, at]) => isWithin(path, at));
        if (place === undefined) continue;
        refuseUnkept(change, place[0]);
        const paths = found.get(place[0]) ?? new Set();
        found.set(place[0], paths.add(Buffer.from(path.slice(place[1].length + 1), 'latin1').toString('utf8')));
      }
    }
    return [...found].map(([name, paths]) => ({ name, paths: [...paths].sort() }));
  }

  /** What a commit that was written down has touched. */
  ofCommit(number: number): readonly TouchedSource[] {
    const text = readText(this.#fileOf(number));
    return text === undefined ? [] : (JSON.parse(text) as readonly TouchedSource[]);
  }

  /**
   * Runs the steps of a commit, or of an undo; they call `apply` when everything is in place and can still be taken back. Rejects as
   * they do, and with a UserError for what a source refuses; the sources have what they had then.
   */
  async during<T>(
    touched: readonly TouchedSource[],
    number: number | undefined,
    work: (apply: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    let isApplied = false;
    await this.#hold(touched);
    try {
      const result = await work(async () => {
        isApplied = true;
        await this.#apply(touched);
      });
      if (isApplied) this.#done(touched, number);
      return result;
    } catch (error) {
      if (isApplied) await this.takeBack();
      throw error;
    } finally {
      await this.#release(touched);
    }
  }

  /**
   * The mirrors show what the sources have now, and nothing but us changes them until `release`; what is to be replaced is here, so that
   * it can be given back. Rejects with a UserError.
   */
  async #hold(touched: readonly TouchedSource[]): Promise<void> {
    for (const { name, paths } of touched) {
      const answer = await this.#parts.ask('hold', { name, paths });
      if ('fault' in answer) {
        await this.#release(touched);
        throw refusal(name, `${answer.fault.cause} (${errnoName(answer.fault.errno)})`);
      }
      const at = this.#parts.places.get(name);
      for (const one of answer.contents)
        if ('content' in one) fill(`${at}${toBytes(`/${one.path}`)}` as BytePath, one.content);
    }
  }

  async #release(touched: readonly TouchedSource[]): Promise<void> {
    for (const { name } of touched) await this.#parts.ask('release', { name });
  }

  /**
   * Makes the sources what their mirrors are. Rejects with a UserError when one refuses something; `takeBack` is to follow then, once the
   * mirrors are what they were.
   */
  async #apply(touched: readonly TouchedSource[]): Promise<void> {
    if (touched.length === 0) return;
    saveText(this.#pending, JSON.stringify(touched));
    for (const { name, paths } of touched) {
      const answer = await this.#parts.ask('commit', { name, paths });
      if ('fault' in answer) throw refusal(name, `${answer.fault.cause} (${errnoName(answer.fault.errno)})`);
      const refused = answer.outcomes.filter(({ outcome }) => outcome.kind !== 'done');
      const [first, ...more] = refused;
      if (first === undefined) continue;
      const { outcome } = first;
      const why = outcome.kind === 'failed' ? outcome.fault.cause : 'somebody else has changed it meanwhile';
      const rest = more.length === 0 ? '' : ` and ${more.length} more`;
      throw refusal(name, `${first.path}: ${why}${rest}`);
    }
  }

  /** All of it counts. */
  #done(touched: readonly TouchedSource[], number: number | undefined): void {
    if (touched.length === 0) return;
    if (number !== undefined) {
      makeDirectories(`${this.#parts.layout.sources}/commits`);
      saveText(this.#fileOf(number), JSON.stringify(touched));
    }
    removeName(this.#pending);
  }

  /** Of a commit that failed, or that a crash has cut short, and whose steps were taken back: the sources get back what they had. */
  async takeBack(): Promise<void> {
    const pending = pendingIn(this.#parts.layout);
    if (pending.length === 0) return;
    for (const { name, paths } of pending) {
      if (!this.#parts.places.has(name)) continue;
      const { left } = await this.#parts.ask('takeBack', { name, paths });
      for (const path of left)
        log(`source '${name}': ${path} could not be given back what it was; it is shown as it is there`);
    }
    removeName(this.#pending);
  }

  get #pending(): string {
    return pendingFile(this.#parts.layout);
  }

  #fileOf(number: number): string {
    return `${this.#parts.layout.sources}/commits/${number}.json`;
  }
}

/** What a crash has cut short, and nobody has taken back yet. */
export function pendingIn(layout: Layout): readonly TouchedSource[] {
  return JSON.parse(readText(pendingFile(layout)) ?? '[]') as readonly TouchedSource[];
}

function pendingFile({ sources }: Layout): string {
  return `${sources}/pending.json`;
}

function refuseUnkept({ path, change, type }: PathChange, name: string): void {
  const what =
    change === 'metadata'
      ? 'other permissions, owners, times or attributes'
      : type === 'file' || type === 'directory'
        ? undefined
        : `a ${type}`;
  if (what === undefined) return;
  throw new UserError(
    `cannot commit: ${label(path)}: source '${name}' keeps names and contents, and not ${what}`,
    `nothing was committed; 'yolofs abort ${label(path)}' gives this one up`,
  );
}

function refusal(name: string, why: string): UserError {
  return new UserError(
    `cannot commit to source '${name}': ${why}`,
    'nothing was committed; everything is still staged',
  );
}
