/**
 * The part of a commit, or of its undo, that is for sources. They are made what their mirrors are going to be, and only then the steps
 * are carried out that change the mirrors and all else. So the view can be served while a server takes its time: nothing of it has
 * changed yet. What a source refuses, or what fails afterwards, gives all of them back what their mirrors still are.
 *
 *     refresh, hold ▸ check ▸ pending.json ▸ sources ▸ steps ▸ record ▸ release
 *     ------------------- served ------------------- |  nothing is served
 *                                            ------- given back on failure
 */
import type { PathChange } from '../../history/diff/changes.ts';
import type { Facts } from '../../history/diff/facts.ts';
import type { Layout } from '../../history/layout.ts';
import { JournalInDoubt } from '../../history/log/lines.ts';
import { type BytePath, toBytes } from '../../sys/bytes.ts';
import { errnoName } from '../../sys/errno.ts';
import { readText, removeName, saveText } from '../../sys/files/text-files.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import { fill } from './fill.ts';
import { filesOf, type Gifts, giftsOf, isSameGift, refuseUnkept, sourceOf } from './gifts.ts';
import type { SourceOrderName, SourceOrders } from './messages.ts';

/** Has the main thread pass an order on, and waits; the view is served meanwhile. Rejects when it has ended. */
export type AskSources = <Name extends SourceOrderName>(
  name: Name,
  ask: SourceOrders[Name]['ask'],
) => Promise<SourceOrders[Name]['answer']>;

/** What a commit changes below one source: paths as text, below its root. */
export interface TouchedSource {
  readonly name: string;
  readonly paths: readonly string[];
}

/** What the main thread says to that. */
export type Reply =
  | { readonly answer: SourceOrders[SourceOrderName]['answer'] }
  | { readonly defect: string }
  /** Nothing is asked any more. */
  | { readonly ended: true };

export interface SourcesOfView {
  readonly layout: Layout;
  /** The directories of the view, by the sources' names. */
  readonly places: ReadonlyMap<string, BytePath>;
  readonly ask: AskSources;
}

/** A commit or an undo. */
export interface SourceWork<T> {
  readonly facts: Facts;
  /** An undo: what comes back is for those who could see it. */
  readonly isUndo: boolean;
  /** What it changes: asked more than once, as sources and the view may change meanwhile. */
  readonly changes: () => Iterable<PathChange>;
  /** Whether there is anything to carry out, now that the mirrors show what the sources have. Throws a UserError when it cannot be. */
  readonly check: () => boolean;
  /** To be rejected with what `verify` throws, when it is no longer what the sources were given. */
  readonly carryOut: (verify: () => void) => Promise<T>;
}

/** How often the sources are asked what they have before a commit that changes with it. */
const MOST_LOOKS = 3;

export class SourceCommits {
  readonly #sources: SourcesOfView;

  constructor(sources: SourcesOfView) {
    this.#sources = sources;
  }

  /** Whether the session has no sources, so that no commit is for one. */
  get isNone(): boolean {
    return this.#sources.places.size === 0;
  }

  /** Whether any of these is for a source. Throws a UserError for what no source keeps. */
  areTouched(changes: Iterable<PathChange>): boolean {
    const { places } = this.#sources;
    let areTouched = false;
    for (const change of changes) {
      const name = sourceOf(change.path, places);
      areTouched ||= name !== undefined || (change.from !== undefined && sourceOf(change.from, places) !== undefined);
      if (name !== undefined) refuseUnkept(change, name);
    }
    return areTouched;
  }

  /** Whether any of these paths is in a source. */
  haveOneOf(paths: readonly BytePath[]): boolean {
    return paths.some((path) => sourceOf(path, this.#sources.places) !== undefined);
  }

  /** Carries it out. Rejects as that does, and with a UserError for what a source refuses; the sources have what they had then. */
  async during<T>(work: SourceWork<T>): Promise<T> {
    const { facts, carryOut } = work;
    const held = new Set<string>();
    const gifts = (): Gifts => giftsOf(work.changes(), this.#sources.places);
    try {
      await this.#hold(gifts, held);
      if (!work.check()) return await carryOut(() => undefined);
      const given = gifts();
      await this.#give(given, work);
      const result = await carryOut(() => {
        if (!isSameGift(given, gifts(), facts)) throw changedMeanwhile();
      });
      removeName(this.#pending);
      return result;
    } catch (error) {
      // Where the journal may say that it counts, all is left to the next start.
      if (!(error instanceof JournalInDoubt)) await this.takeBack().catch(giveUp);
      throw error;
    } finally {
      for (const name of held) await this.#sources.ask('release', { name }).catch(giveUp);
    }
  }

  /** Of a commit that failed, or that a crash has cut short: the sources get back what their mirrors have. */
  async takeBack(): Promise<void> {
    const pending = pendingIn(this.#sources.layout);
    if (pending.length === 0) return;
    for (const { name, paths } of pending) {
      if (!this.#sources.places.has(name)) continue;
      const { left } = await this.#sources.ask('takeBack', { name, paths });
      for (const path of left)
        log(`source '${name}': ${path} could not be given back what it was; it is shown as it is there`);
    }
    removeName(this.#pending);
  }

  /**
   * The mirrors show what the sources have now, and nothing but us changes them until `release`; what is to be replaced is here, so that
   * it can be given back. Rejects with a UserError.
   */
  async #hold(gifts: () => Gifts, held: Set<string>): Promise<void> {
    const known = new Set<string>();
    // What a source has now may make a change of what was none.
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const unheld = [...gifts()].map(([name, files]) => {
        const paths = [...files.keys()].filter((path) => !known.has(`${name}/${path}`));
        return { name, paths };
      });
      const wanted = unheld.filter(({ paths }) => paths.length > 0);
      if (wanted.length === 0) return;
      for (const { name, paths } of wanted) {
        held.add(name);
        for (const path of paths) known.add(`${name}/${path}`);
        await this.#holdOne({ name, paths });
      }
    }
    throw changedMeanwhile();
  }

  async #holdOne({ name, paths }: TouchedSource): Promise<void> {
    const answer = await this.#sources.ask('hold', { name, paths });
    if ('fault' in answer) throw refusal(name, `${answer.fault.cause} (${errnoName(answer.fault.errno)})`);
    const at = this.#sources.places.get(name);
    for (const one of answer.contents)
      if ('content' in one) fill({ ...one, path: `${at}${toBytes(`/${one.path}`)}` as BytePath });
  }

  /** Makes the sources what their mirrors are going to be. Rejects with a UserError when one refuses something. */
  async #give(gifts: Gifts, { facts, isUndo }: Pick<SourceWork<unknown>, 'facts' | 'isUndo'>): Promise<void> {
    const touched = [...gifts].map(([name, files]) => ({ name, paths: [...files.keys()] }));
    if (touched.length === 0) return;
    saveText(this.#pending, JSON.stringify(touched));
    for (const [name, files] of gifts) {
      const answer = await this.#sources.ask('commit', { name, files: filesOf(files, facts.store, isUndo) });
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

  get #pending(): string {
    return pendingFile(this.#sources.layout);
  }
}

/** What a crash has cut short, and nobody has taken back yet. */
export function pendingIn(layout: Layout): readonly TouchedSource[] {
  return JSON.parse(readText(pendingFile(layout)) ?? '[]') as readonly TouchedSource[];
}

function pendingFile({ sources }: Layout): string {
  return `${sources}/pending.json`;
}

function refusal(name: string, why: string): UserError {
  return new UserError(
    `cannot commit to source '${name}': ${why}`,
    'nothing was committed; everything is still staged',
  );
}

function changedMeanwhile(): UserError {
  return new UserError(
    'what is to be committed to a source has changed meanwhile',
    'nothing was committed; look at it again',
  );
}

/** The next start does it; that the view has ended is known. */
function giveUp(error: unknown): void {
  if (!(error instanceof UserError)) log(`sources: ${error instanceof Error ? error.message : String(error)}`);
}
