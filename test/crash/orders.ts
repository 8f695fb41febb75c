/** The orders of the crash matrix that change the base, each in a session of its own kind. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { CommitAsk } from '../../src/daemon/orders/answers.ts';
import type { HunkWish } from '../../src/daemon/orders/part/chosen.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { sectionsIn } from '../daemon/orders/hunk-keys.ts';
import { keepContents } from '../model/history/session/garbage.ts';
import { ViewDriver } from '../staging/view-driver.ts';
import { ALL, fillBase, stageAll } from './commit-session.ts';
import { CrashWorld } from './crash-world.ts';
import type { Order } from './matrix.ts';

/** What goes to another file system and comes back is another file; what a commit makes (no file) it makes anew. */
const COPIED = /^other|^g0\/(?:mode|from-other|linked|tree)(?:\/|$)|^g\d\/(?:made|type(?:\/[lp])?)$/;
/** What the store has a copy of is another file when it is committed again. */
const KEPT = /^g\d\/(?:edit|gone|new|inner\/outer\/f|made\/new2|sub2\/(?:in\/g|mvedit)|swap1\/new|type\/f)$/;

export interface Size {
  /** Twenty changes each. */
  readonly groups: number;
  /** A part of the base is on another file system (root only). */
  readonly other: boolean;
}

/** A session with much staged. */
export function stagedWorld({ groups, other }: Size): Promise<CrashWorld> {
  return openWorld(
    ({ place }) => fillBase(place.base, groups),
    (world) => stageAll(world, groups),
    other,
  );
}

/** A base that is filled, then a session in which things are done. */
export async function openWorld(
  fill: (world: CrashWorld) => void,
  act: (world: CrashWorld) => unknown,
  other = false,
): Promise<CrashWorld> {
  const world = CrashWorld.make();
  try {
    if (other) world.mountOther();
    fill(world);
    await world.open();
    await act(world);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

const commit = ({ live }: CrashWorld): Promise<unknown> => live.orders.commit(ALL, () => undefined);
const undo = ({ live }: CrashWorld): Promise<unknown> => live.orders.undo(() => undefined);

/** A commit of everything, and the copies of that. */
export async function commitKept(world: CrashWorld): Promise<void> {
  await commit(world);
  await keepContents(world.place);
}

/** Half of the groups, and what that makes necessary. */
const commitPart = ({ live, place }: CrashWorld): Promise<unknown> => {
  const paths = ['g0', 'g2/moved', 'g2/edit', 'g2/gone', 'g2/swap1'].map((path) => `${place.base}/${path}` as BytePath);
  return live.orders.commit({ ...ALL, paths }, () => undefined);
};

/** A commit of everything. */
export function commitOrder(size: Size): Order {
  return { copied: COPIED, make: () => stagedWorld(size), give: commit, takeBack: undo };
}

/** A commit of paths, with as much that stays staged. */
export function commitPartOrder(size: Size): Order {
  return { copied: COPIED, make: () => stagedWorld(size), give: commitPart, takeBack: undo };
}

/** A commit of one hunk, and of a line of another; the rest of the file stays staged, with as much else. */
export function commitHunksOrder(size: Size): Order {
  return hunksOrder(size, ([first, second]) => ({ hunks: [first, { ...second, lines: [2] }] }), undo);
}

/** The same, with what is thrown away of that and of another file; both count at once. */
export function commitAndDiscardOrder(size: Size): Order {
  const choose = ([first, second, third]: Keys, world: CrashWorld): Chosen => {
    const whole = sectionsIn(world).get('g0/edit')?.text?.hunks ?? [];
    return { hunks: [first, second], discard: [third, ...whole.map(({ key }) => ({ key }))] };
  };
  return hunksOrder(size, choose, async (world) => {
    await undo(world);
    await undo(world);
  });
}

type Keys = readonly [HunkWish, HunkWish, HunkWish];
type Chosen = Pick<CommitAsk, 'hunks' | 'discard'>;

function hunksOrder(
  size: Size,
  choose: (keys: Keys, world: CrashWorld) => Chosen,
  takeBack: (world: CrashWorld) => Promise<unknown>,
): Order {
  const wishes = new WeakMap<CrashWorld, Chosen>();
  const make = async (): Promise<CrashWorld> => {
    const lines = (mark: (line: number) => string): string =>
      Array.from({ length: 40 }, (_, i) => `${i}${mark(i)}\n`).join('');
    const world = await openWorld(
      ({ place }) => {
        fillBase(place.base, size.groups);
        writeFileSync(
          `${place.base}/g0/lines`,
          lines(() => ''),
        );
      },
      (world) => {
        stageAll(world, size.groups);
        const path = `${world.place.base}/g0/lines` as BytePath;
        new ViewDriver(world.live.overlay).write(
          path,
          0,
          lines((line) => (line % 15 === 2 ? '!' : '')),
        );
      },
      size.other,
    );
    const [first, second, third] = sectionsIn(world).get('g0/lines')?.text?.hunks ?? [];
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    wishes.set(world, choose([{ key: first.key }, { key: second.key }, { key: third.key }], world));
    return world;
  };
  const give = (world: CrashWorld): Promise<unknown> =>
    world.live.orders.commit({ ...ALL, ...wishes.get(world) }, () => undefined);
  // Each attempt puts the text together anew.
  return { copied: /^g0\/lines$/, make, give, takeBack };
}

/** The undo of a commit of everything. */
export function undoOrder(size: Size): Order {
  return { copied: COPIED, make: () => after(commit, size), give: undo, takeBack: commit };
}

/** The same where the store has copies of what the commit gave to the base. */
export function undoKeptOrder(size: Size): Order {
  const copied = new RegExp(`${COPIED.source}|${KEPT.source}`);
  return { copied, make: () => after(commitKept, size), give: undo, takeBack: commitKept };
}

/** The undo of a commit of paths. */
export function undoPartOrder(size: Size): Order {
  return { copied: COPIED, make: () => after(commitPart, size), give: undo, takeBack: commitPart };
}

async function after(first: (world: CrashWorld) => Promise<unknown>, size: Size): Promise<CrashWorld> {
  const world = await stagedWorld(size);
  await first(world);
  return world;
}
