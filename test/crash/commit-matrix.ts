/** The crash matrix of commit and undo: cut or failed at one system call after the other, it leaves the old or the new tree. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { recoverCommits } from '../../src/history/commits/recover.ts';
import { EIO, type ENOSPC } from '../../src/sys/errno.ts';
import { exec } from '../support/exec.ts';
import { BUILT } from '../support/session.ts';
import { assertSameTree, type TreeEntry } from '../support/tree.ts';
import { watchCalls } from './calls.ts';
import {
  ALL,
  emptyBase,
  fillBase,
  leftovers,
  openLive,
  type Place,
  placeAt,
  stageAll,
  treeOf,
} from './commit-session.ts';

const MAIN = join(BUILT, 'test/crash/commit-main.js');

type What = 'commit' | 'undo';

export class CommitMatrix {
  readonly place: Place = placeAt(mkdtempSync('/var/tmp/yolofs-crash-'));
  readonly #withOther: boolean;
  #old: readonly TreeEntry[] = [];
  #new: readonly TreeEntry[] = [];
  /** How many paths are staged before the commit. */
  #changes = 0;

  /** `withOther`: a part of the base is on another file system (root only). */
  constructor(withOther: boolean) {
    this.#withOther = withOther;
  }

  /** Fills and stages; a commit and an undo without faults say what is old and new, and how many calls there are. */
  async prepare(): Promise<{ steps: number; calls: Record<What, number>; changing: Record<What, number> }> {
    fillBase(this.place, this.#withOther);
    const live = await openLive(this.place);
    this.#old = treeOf(this.place, { ino: !this.#withOther });
    stageAll(live.overlay, this.place);
    const { steps } = live.plan(ALL);
    await live.close();
    const calls = { commit: 0, undo: 0 };
    const changing = { commit: 0, undo: 0 };
    for (const only of [false, true]) {
      (only ? changing : calls).commit = await this.#count('commit', only);
      this.#new = treeOf(this.place);
      (only ? changing : calls).undo = await this.#count('undo', only);
      this.#assertOld(treeOf(this.place, { ino: !this.#withOther }), 'without a fault');
    }
    // A name that the base has for a changed file is one more path, once it was looked up: by a commit at the latest.
    const again = await openLive(this.place);
    this.#changes = again.plan(ALL).changes;
    await again.close();
    return { steps: steps.length, calls, changing };
  }

  remove(): void {
    emptyBase(this.place, this.#withOther);
  }

  /** Cuts the process at its `at`-th changing call; the next start recovers. */
  async kill(what: What, at: number): Promise<void> {
    const title = `${what} killed at call ${at}`;
    if (what === 'undo') await this.#toNew(title);
    await exec([process.execPath, MAIN, what, this.place.root, String(at)]);
    await this.#check(title);
  }

  /** Makes one call fail; what is not in order then, the next start mends. */
  async fail(what: What, at: number, errno: typeof EIO | typeof ENOSPC): Promise<void> {
    const title = `${what} with errno ${errno} at call ${at}`;
    if (what === 'undo') await this.#toNew(title);
    const live = await openLive(this.place);
    const watch = watchCalls({ at, does: errno });
    await (what === 'commit' ? live.commit(ALL, () => undefined) : live.undo(() => undefined)).catch((error: Error) => {
      if (!['UserError', 'SystemError'].includes(error.constructor.name)) throw error;
    });
    watch.end();
    await live.close();
    await this.#check(title);
  }

  /** One of the two trees, nothing left over, a session that goes on; then everything is staged again. */
  async #check(title: string): Promise<void> {
    const recoveries = await recoverCommits(this.place.layout);
    assert.deepEqual(
      recoveries.flatMap(({ says, complaints }) => complaints.map((line) => `${says}: ${line}`)),
      [],
      title,
    );
    assert.deepEqual(leftovers(this.place), [], title);
    const live = await openLive(this.place);
    const { changes } = live.plan(ALL);
    if (changes > 0) {
      assert.equal(changes, this.#changes, title);
      this.#assertOld(treeOf(this.place, { ino: !this.#withOther }), title);
      await live.close();
      return;
    }
    assertSameTree(treeOf(this.place), this.#new, `the base as after the commit: ${title}`);
    await live.close();
    await this.#toOld(title);
  }

  #assertOld(tree: readonly TreeEntry[], title: string): void {
    assertSameTree(tree, this.#old, `the base as before the commit: ${title}`);
  }

  async #toNew(title: string): Promise<void> {
    await this.#count('commit', false);
    assertSameTree(treeOf(this.place), this.#new, `the base after another commit: ${title}`);
  }

  async #toOld(title: string): Promise<void> {
    await this.#count('undo', false);
    this.#assertOld(treeOf(this.place, { ino: !this.#withOther }), `undone after ${title}`);
  }

  async #count(what: What, changing: boolean): Promise<number> {
    const live = await openLive(this.place);
    const watch = watchCalls({ at: 0, does: EIO, changing });
    await (what === 'commit' ? live.commit(ALL, () => undefined) : live.undo(() => undefined));
    watch.end();
    await live.close();
    return watch.count();
  }
}
