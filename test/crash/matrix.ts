/**
 * The crash matrix of one order: cut before each change it makes to the disk, and with each of its system calls failing in
 * turn. Afterwards the session is what it was before the order, or what the order makes of it; it goes on from there.
 */
import assert from 'node:assert/strict';
import { JournalInDoubt } from '../../src/history/log/lines.ts';
import { SystemError } from '../../src/sys/errno.ts';
import { UserError } from '../../src/sys/user-error.ts';
import { exec } from '../support/exec.ts';
import { type CrashWorld, differences, type Looks, leftovers } from './crash-world.ts';
import { type Fault, Watch } from './faults.ts';

export interface Order {
  /** Makes the session in which the order is given; it is open then. */
  make(): Promise<CrashWorld>;
  give(world: CrashWorld): Promise<unknown>;
  /** Takes back what the order did; without it every case has a session of its own. */
  takeBack?(world: CrashWorld): Promise<unknown>;
  /** What such an order makes of the session; by default nothing that is compared changes. */
  becomes?(): Looks | undefined;
  /** What is compared; by default base and view. Ends with the session as it was. */
  look?(world: CrashWorld): Promise<Looks>;
  /** What must hold besides, whatever came of the order; it may use the session up. */
  also?(world: CrashWorld): Promise<void>;
  /** Paths in the base that get a new inode number on the way there and back. */
  readonly copied?: RegExp;
}

/** Sessions grow with every case. */
const CASES_A_WORLD = 60;
/** Every so many cases the session is left and found again though nothing went wrong. */
const RESTART_EVERY = 7;

interface Found {
  readonly title: string;
  readonly died: boolean;
  /** It is looked at again after a restart, whatever came of it. */
  readonly restarts?: boolean;
}

export class Matrix {
  readonly #order: Order;
  #world: CrashWorld | undefined;
  #old: Looks | undefined;
  #new: Looks | undefined;
  #cases = 0;

  constructor(order: Order) {
    this.#order = order;
  }

  /** How many cases there were. */
  get cases(): number {
    return this.#cases;
  }

  /** One case; false when the order is through before the fault comes. */
  async take(fault: Fault): Promise<boolean> {
    const world = await this.#ready();
    const watch = new Watch(fault);
    const outcome = await this.#give(world, watch);
    const title = `${typeof fault.does === 'number' ? `errno ${fault.does}` : fault.does} at ${fault.at} (${watch.hit})`;
    const isOver = watch.isDead || outcome instanceof JournalInDoubt;
    if (!watch.isDead && outcome instanceof Error && !isRefusal(outcome)) throw new Error(`${title}: ${outcome.stack}`);
    if (watch.hit === undefined && outcome !== undefined) throw new Error(`${title}: ${outcome.stack}`);
    this.#cases += 1;
    const state = await this.#find(world, { title, died: isOver, restarts: fault.lasting === true });
    if (!isOver) this.#assertTold(state, outcome, title);
    // Whether it is as it was then, the next case sees.
    if (state === 'new') await this.#order.takeBack?.(world);
    return watch.hit !== undefined;
  }

  /** Every `step`-th case, from `first` on. */
  async all(fault: Omit<Fault, 'at'>, { first, step } = { first: 1, step: 1 }): Promise<void> {
    for (let at = first; await this.take({ ...fault, at }); at += step);
  }

  /** As the in-process kill, but a process dies: `main` is what carries the order out in it. */
  async killProcess(main: readonly string[], at: number): Promise<void> {
    const world = await this.#ready();
    await world.leave();
    await exec([process.execPath, ...main, world.place.root, String(at)]);
    this.#cases += 1;
    const state = await this.#find(world, { title: `SIGKILL at ${at}`, died: true });
    if (state === 'new') await this.#order.takeBack?.(world);
  }

  /** How many calls of the kind there are. */
  async count(fault: Omit<Fault, 'at'>): Promise<number> {
    const world = await this.#ready();
    const watch = new Watch({ ...fault, at: 0 });
    await this.#give(world, watch);
    await this.#takeBack(world, 'counting');
    return watch.count;
  }

  async close(): Promise<void> {
    const world = this.#world;
    this.#world = undefined;
    await world?.close();
  }

  /** Who was told that it is done finds it done, who was told that it is not finds nothing done. */
  #assertTold(state: 'old' | 'new', outcome: Error | undefined, title: string): void {
    if (this.#old === this.#new) return;
    assert.equal(state, outcome === undefined ? 'new' : 'old', `${title}: ${outcome?.message ?? 'done'}`);
  }

  /** A session in which the order can be given. */
  async #ready(): Promise<CrashWorld> {
    const isWorn = this.#order.takeBack === undefined || this.#cases % CASES_A_WORLD === 0;
    if (this.#world !== undefined && !isWorn) return this.#world;
    await this.close();
    const world = await this.#order.make();
    this.#world = world;
    this.#old = await this.#look(world);
    this.#new = this.#order.becomes?.() ?? this.#old;
    if (this.#order.takeBack === undefined) return world;
    await this.#order.give(world);
    this.#new = await this.#look(world);
    await this.#takeBack(world, 'without a fault');
    return world;
  }

  /** Gives the order; returns what it threw. Of a process that died, or that does not go on, nothing is left then. */
  async #give(world: CrashWorld, watch: Watch): Promise<Error | undefined> {
    let outcome: Error | undefined;
    try {
      await this.#order.give(world);
    } catch (error) {
      outcome = error as Error;
    }
    if (watch.isDead || outcome instanceof JournalInDoubt) await world.bury(watch);
    else watch.end();
    return outcome;
  }

  /** Which of the two the session is, after a restart where one is due. */
  async #find(world: CrashWorld, { title, died, restarts = false }: Found): Promise<'old' | 'new'> {
    try {
      if (died) await world.open();
      else if (world.isUnfinished) await world.reopen();
      const found = await this.#which(world);
      if (!died && (restarts || this.#cases % RESTART_EVERY === 0)) {
        await world.reopen();
        assert.equal(await this.#which(world), found, 'found again');
      }
      await this.#order.also?.(world);
      return found;
    } catch (error) {
      throw new Error(`${title}: ${(error as Error).message}`, { cause: error });
    }
  }

  async #which(world: CrashWorld): Promise<'old' | 'new'> {
    assert.deepEqual(leftovers(world.place), []);
    const looks = await this.#look(world);
    const [fromOld, fromNew] = [this.#old, this.#new].map((state) => differences(state as Looks, looks)) as [
      string[],
      string[],
    ];
    if (fromNew.length === 0) return 'new';
    if (fromOld.length === 0) return 'old';
    const [what, lines] = fromOld.length < fromNew.length ? ['old', fromOld] : ['new', fromNew];
    assert.fail(`neither old nor new, but nearly ${what}:\n  ${lines.slice(0, 20).join('\n  ')}`);
  }

  async #takeBack(world: CrashWorld, title: string): Promise<void> {
    if (this.#order.takeBack === undefined) return;
    await this.#order.takeBack(world);
    const lines = differences(this.#old as Looks, await this.#look(world));
    if (lines.length > 0) assert.fail(`taken back after ${title}:\n  ${lines.slice(0, 20).join('\n  ')}`);
  }

  async #look(world: CrashWorld): Promise<Looks> {
    const { base, view } = await (this.#order.look?.(world) ?? world.look());
    const { copied } = this.#order;
    if (copied === undefined) return { base, view };
    return {
      base: base.map(({ ino, ...entry }) => (copied.test(entry.path) || ino === undefined ? entry : { ...entry, ino })),
      view,
    };
  }
}

function isRefusal(error: Error): boolean {
  return error instanceof UserError || error instanceof SystemError;
}
