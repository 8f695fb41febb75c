/** The rules of a view while it is served: the gate in front of the overlay, and what follows when rules change. */
import type { FileSystem } from '../../fuse/filesystem.ts';
import { ClosedLinks } from '../../rules/closed-links.ts';
import { RuleFileSystem } from '../../rules/gate.ts';
import { GateLog } from '../../rules/gate-log.ts';
import { Identities } from '../../rules/identities.ts';
import { Judge } from '../../rules/judge.ts';
import { changeFields, type GateNote, gateFields, wentThrough } from '../../rules/note.ts';
import { changedRules, changeNotes, reachOf, revocations } from '../../rules/revoke.ts';
import { type Rule, Rules } from '../../rules/rules.ts';
import { mayRead, type Seen, type Sights } from '../../rules/sight.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { ENOENT, OK } from '../../sys/errno.ts';
import { log } from '../../sys/log.ts';
import { S_IFLNK, S_IFMT } from '../../sys/stat.ts';
import type { LiveSession } from '../orders/live-session.ts';
import type { OrderMessage, Orders } from '../orders/orders.ts';
import { LentDirectories } from '../view/base-mounts/lent-directories.ts';
import { FastView } from '../view/fast-view.ts';
import { Asking } from './asking.ts';

/** What comes through the gate, and under which rules. */
interface Traffic {
  readonly rules: readonly Rule[];
  /** What is behind the gate: the overlay, or what asks models before it. */
  readonly inner: FileSystem;
  /** Number of the run that a process belongs to, 0 = none. */
  readonly runOf: (pid: number) => number;
}

type GateOrder = Extract<OrderMessage, { name: 'hold' | 'rules' | 'sight' | 'answer' | 'lend' | 'lent' }>;

export class Gatekeeper {
  /** What is served. */
  readonly fs: RuleFileSystem;
  readonly judge: Judge;
  /** Questions to people. */
  readonly asking: Asking;
  readonly fast: FastView;
  readonly lentDirectories: LentDirectories;
  readonly #session: LiveSession;
  readonly #log: GateLog;
  readonly #links: ClosedLinks;
  /** What somebody in the view could read. */
  readonly #sight: (sights: Sights) => Seen;
  /** Without those for what links lead to that were looked up. */
  #rules: readonly Rule[];
  #forgettable: readonly Invalidation[] = [];
  #isOutside = false;

  constructor(session: LiveSession, { rules, inner, runOf }: Traffic) {
    const { overlay, base, layout } = session;
    this.#session = session;
    this.#rules = rules;
    this.#links = new ClosedLinks(overlay);
    this.#log = new GateLog((tag, fields, pid) => this.#note(tag, fields, pid));
    this.asking = new Asking({ runOf, note: (note, pid) => this.#take(note, pid) });
    const { nodePaths } = overlay;
    const onFull = (): void =>
      log('rules: there are too many files below denied directories to look for other names of all of them');
    const onClosed = (): void => this.forgetSoon(this.lentDirectories.recall());
    const identities = new Identities({ fs: overlay, nodePaths, base, project: layout.project, onClosed, onFull });
    this.judge = new Judge(new Rules(rules), {
      nodePaths,
      asker: {
        ask: (question) => (this.#isOutside ? 'refuse' : this.asking.questions.ask(question)),
      },
      log: this.#log,
      identities,
      onClosedLink: (path) => this.#followLink(path),
    });
    this.#sight = (sights) =>
      mayRead(sights, { fs: overlay, judge: this.judge, identities, untouchedIn: (dir) => overlay.untouchedIn(dir) });
    this.fs = new RuleFileSystem(inner, this.judge, nodePaths);
    this.fast = new FastView(overlay, this.judge);
    this.lentDirectories = new LentDirectories({ judge: this.judge, identities, nodePaths, base });
  }

  /** What `work` does is done by a program of the person's outside of the view: nobody is asked, so what a rule asks about is refused. */
  outside<T>(work: () => T): T {
    this.#isOutside = true;
    try {
      return work();
    } finally {
      this.#isOutside = false;
    }
  }

  /** Orders that are about rules. */
  carryOut(order: GateOrder): Orders[GateOrder['name']]['answer'] {
    switch (order.name) {
      case 'hold':
        return { node: this.fast.hold(order.ask.path) };
      case 'rules':
        return { invalidations: this.#setRules(order.ask.rules) };
      case 'lend':
        return { lent: this.lentDirectories.lend(order.ask.found, order.ask.rules) };
      case 'lent':
        return { invalidations: this.lentDirectories.lentNow() };
      case 'sight':
        return this.#sight(order.ask);
      case 'answer':
        return { accepted: this.asking.answer(order.ask.id, order.ask.answer, order.ask.front) };
    }
  }

  /** The rules that count from now on; returns what the kernel must forget. */
  #setRules(rules: readonly Rule[]): readonly Invalidation[] {
    this.#rules = rules;
    const before = this.judge.rules;
    this.#findLinks(before, new Rules(rules));
    const after = new Rules(this.#links.with(rules));
    for (const note of changeNotes(before, after)) this.#note('C', changeFields(note));
    this.judge.setRules(after);
    this.asking.questions.rulesChanged();
    return [
      ...this.lentDirectories.recall(),
      ...this.fast.unmountIfNeeded(changedRules(before, after)),
      ...revocations(before, after, this.#session.overlay.nodePaths),
    ];
  }

  /** The kernel is to be told when the thread is idle. */
  forgetSoon(invalidations: readonly Invalidation[]): void {
    this.#forgettable = [...this.#forgettable, ...invalidations];
  }

  /** What the kernel must forget since a link was found that closes what it leads to, or a lent directory had to go; once. */
  takeForgettable(): readonly Invalidation[] {
    const taken = this.#forgettable;
    this.#forgettable = [];
    return taken;
  }

  /** Links that the kernel knows are not looked up again when they are denied. */
  #findLinks(before: Rules, after: Rules): void {
    const { overlay } = this.#session;
    const closing = changedRules(before, after).filter(
      ({ decider: { state } }) => state === 'deny' || state === 'hidden',
    );
    for (const { nodeId, view } of reachOf(closing, overlay.nodePaths)) {
      const attr = view === undefined ? ENOENT : overlay.getattr(nodeId);
      if (view === undefined || typeof attr === 'number' || (attr.stat.mode & S_IFMT) !== S_IFLNK) continue;
      this.#links.saw(view, after);
    }
  }

  /** What a denied link leads to is denied from now on, before whoever looked the link up can open it. */
  #followLink(link: BytePath): void {
    const before = this.judge.rules;
    if (!this.#links.saw(link, before)) return;
    const after = new Rules(this.#links.with(this.#rules));
    this.judge.addRules(after);
    const { nodePaths } = this.#session.overlay;
    this.forgetSoon([...this.lentDirectories.recall(), ...revocations(before, after, nodePaths)]);
  }

  /** Another tree is shown: paths are not what they were. */
  turned(): void {
    this.forgetSoon([...this.judge.turned(), ...this.lentDirectories.recall()]);
  }

  /** Brings what was refused into the journal, for whoever reads it. */
  flush(): void {
    this.#log.flush();
  }

  /** Somebody has been told that something cannot be read: why stands in the journal. */
  noteFailure({ cause, ...what }: Pick<GateNote, 'path' | 'access' | 'op'> & { readonly cause: string }): void {
    this.#log.take({ ...what, outcome: 'failed', state: 'allow', pattern: cause, times: 1 }, 0);
  }

  /** Whoever gets leave has it written down; what is not granted may be held back. */
  #take(note: GateNote, pid: number): boolean {
    if (note.by === undefined && !wentThrough(note)) {
      this.#log.take(note, pid);
      return true;
    }
    return this.#session.history.note('G', gateFields(note), pid) === OK;
  }

  #note(tag: 'G' | 'C', fields: readonly string[], pid?: number): void {
    const errno = this.#session.history.note(tag, fields, pid);
    // What was refused stays refused.
    if (errno !== OK) log(`the journal did not take a note of rules: errno ${errno}`);
  }
}
