/** The state behind the page: what was read of the session, what was decided, who listens. One thing at a time. */
import type { Facts } from '../../history/diff/facts.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import type { BlameRange, Choice, GroupName, ShownEntry } from '../protocol.ts';
import type { PageHost } from './host.ts';
import { Decisions } from './model/decisions.ts';
import { type ModelEntry, shownEntry } from './model/entry.ts';
import { type FirstRows, GROUPS, Model } from './model/model.ts';
import { SimilarFiles } from './model/similar.ts';
import { inSlices } from './slices.ts';
import { Stream } from './stream.ts';
import type { FileText } from './text/file-text.ts';
import { Latest } from './text/latest.ts';

/** A model is believed for so many times as long as it took to read, and at least for a while: contents change without a record. */
const TIMES = 10;
const LEAST_MS = 1000;

export class PageState {
  readonly host: PageHost;
  readonly decisions = new Decisions();
  readonly stream = new Stream();
  /** Of the file that is looked at. */
  readonly text = new Latest<FileText>();
  readonly blame = new Latest<readonly BlameRange[]>();
  readonly similar = new SimilarFiles();
  #model: Model | undefined;
  #readAt = 0;
  #tookMs = 0;
  #last: Promise<unknown> = Promise.resolve();
  #fallen: ModelEntry[] = [];
  #onFirst: (rows: FirstRows) => void = () => undefined;
  /** What is known first of very much, before all of it was read. */
  readonly firstRows = new Promise<FirstRows>((resolve) => {
    this.#onFirst = resolve;
  });

  constructor(host: PageHost) {
    this.host = host;
  }

  /** Runs `work` when what came before has ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Whether something was read to its end. */
  get isRead(): boolean {
    return this.#model !== undefined;
  }

  /** Of what was read last. */
  get generation(): number {
    return this.#model?.generation ?? 0;
  }

  /** As it was last read; read now if it never was. Only in a turn, as all below. */
  async model(): Promise<Model> {
    return this.#model ?? this.renew();
  }

  /** Reads anew if something was recorded since, or that was some time ago. */
  async fresh(): Promise<Model> {
    const age = performance.now() - this.#readAt;
    const isOld = age > Math.max(LEAST_MS, TIMES * this.#tookMs) || this.#hasMoved();
    return this.#model === undefined || isOld ? this.renew() : this.#model;
  }

  /** Reads anew; decisions about what has changed fall. A state that is the same keeps its version. */
  async renew(): Promise<Model> {
    const start = performance.now();
    const before = this.#model;
    const opened = await this.host.open();
    const onFirst = (rows: FirstRows): void => this.#onFirst(rows);
    const read = await inSlices(Model.read(opened, this.host, { before, onFirst }));
    this.#tookMs = performance.now() - start;
    this.#readAt = performance.now();
    this.#model = before !== undefined && isSame(before, read) ? read.as(before.version) : read;
    await before?.opened?.close();
    const [now, then] = [this.#model.entries, before?.entries];
    this.#fallen.push(...this.decisions.renew(this.#model).flatMap((id) => now.get(id) ?? then?.get(id) ?? []));
    return this.#model;
  }

  /** What was read last. */
  known(): readonly ModelEntry[] {
    return [...(this.#model?.entries.values() ?? [])];
  }

  get hasFallen(): boolean {
    return this.#fallen.length > 0;
  }

  /** Whose decisions fell since somebody asked last. */
  takeFallen(): readonly ModelEntry[] {
    return this.#fallen.splice(0);
  }

  /** Throws a UserError when nothing was ever staged. */
  factsOf({ facts }: Model): Facts {
    if (facts === undefined) throw new UserError('nothing is staged');
    return facts;
  }

  /** Throws a UserError for an id that stands for nothing. */
  entryOf(model: Model, id: string): ModelEntry {
    const entry = model.entries.get(id);
    if (entry === undefined) throw new UserError('nothing is staged there any more', undefined, { code: 'outdated' });
    return entry;
  }

  shown(entry: ModelEntry, { facts }: Model): ShownEntry {
    return shownEntry(entry, this.decisions.choiceOf(entry), facts);
  }

  choiceOfGroup(model: Model, group: GroupName): Choice {
    const said = new Set(model.of(group).map((entry) => this.decisions.choiceOf(entry)));
    const [only = 'leave'] = said;
    return said.size > 1 ? 'mixed' : only;
  }

  choicesOfGroups(model: Model): Partial<Record<GroupName, Choice>> {
    const shown = GROUPS.filter((group) => model.of(group).length > 0);
    return Object.fromEntries(shown.map((group) => [group, this.choiceOfGroup(model, group)]));
  }

  #hasMoved(): boolean {
    const read = this.#model?.opened?.reading.session.journal.size ?? 0;
    return (lookAt(this.host.layout.journal)?.size ?? 0) !== read;
  }

  async close(): Promise<void> {
    this.stream.close();
    await this.inTurn(async () => this.#model?.opened?.close());
  }
}

function isSame(before: Model, { entries, generation }: Model): boolean {
  if (before.generation !== generation || before.entries.size !== entries.size) return false;
  for (const { id, since } of entries.values()) {
    if (since > before.version || !before.entries.has(id)) return false;
  }
  return true;
}
