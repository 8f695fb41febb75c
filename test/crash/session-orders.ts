/** The orders of the crash matrix that leave the base as it is: the view and its history are what may break. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { freeContents } from '../../src/history/commit/runner/free-contents.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { collectGarbage, type Garbage, keepContents, sweepGarbage } from '../model/history/session/garbage.ts';
import { ViewDriver } from '../staging/view-driver.ts';
import { ALL } from './commit-session.ts';
import type { CrashWorld, Looks } from './crash-world.ts';
import type { Order } from './matrix.ts';
import { commitKept, openWorld, type Size, stagedWorld } from './orders.ts';

const garbageOf = ({ live, place }: CrashWorld): Garbage => ({ live, layout: place.layout });

function snapshot({ live }: CrashWorld, name = ''): void {
  live.snapshot({ name, ifChanged: false, run: 0, command: undefined });
}

/** Writes a file of the base, or a new one. */
function write({ live, place }: CrashWorld, name: string, text: string): void {
  const driver = new ViewDriver(live.overlay);
  const path = `${place.base}/${name}` as BytePath;
  if (driver.resolve(path) < 0) driver.create(path, 0o644);
  driver.truncate(path, 0);
  driver.write(path, 0, text);
}

/** Base and view, and the view as it was at generations. */
async function lookBack(world: CrashWorld, generations: readonly string[]): Promise<Looks> {
  const now = world.look();
  snapshot(world);
  const back = String(world.live.generation);
  await keepContents(garbageOf(world));
  const then = generations.flatMap((generation) => {
    world.live.orders.travel(generation);
    return world.look().view.map((entry) => ({ ...entry, path: `at ${generation}: ${entry.path}` }));
  });
  world.live.orders.travel(back);
  return { base: now.base, view: [...now.view, ...then] };
}

/** Two generations, and something that is in neither; `begin` is told of the session before that. */
async function smallWorld(begin: (world: CrashWorld) => void = () => undefined): Promise<CrashWorld> {
  return openWorld(
    ({ place }) => {
      for (const name of 'abcdef') fs.writeFileSync(`${place.base}/${name}`, `base ${name}`);
    },
    (world) => {
      begin(world);
      for (const text of ['1', '2']) {
        for (const name of ['a', 'd', 'e', 'f', 'new']) write(world, name, text);
        snapshot(world);
      }
      write(world, 'b', '3');
    },
  );
}

export function snapshotOrder(): Order {
  return {
    make: () => smallWorld(),
    give: async (world) => snapshot(world, 'one more'),
    look: (world) => lookBack(world, ['1', '2']),
  };
}

/** To another generation of what is staged. */
export function travelOrder(size: Size): Order {
  const make = async (): Promise<CrashWorld> => {
    const world = await stagedWorld(size);
    snapshot(world);
    for (const name of ['g0/edit', 'g0/new', 'g0/rm', 'g0/x1']) write(world, name, 'later');
    snapshot(world);
    return world;
  };
  return {
    make,
    give: async ({ live }) => live.orders.travel('1'),
    takeBack: async ({ live }) => live.orders.travel('2'),
  };
}

/** To before a commit: its originals come back out of the backups. */
export function travelPastOrder(size: Size): Order {
  const make = async (): Promise<CrashWorld> => {
    const world = await stagedWorld(size);
    snapshot(world);
    await world.live.orders.commit(ALL, () => undefined);
    await keepContents(garbageOf(world));
    write(world, 'g0/later', 'later');
    snapshot(world);
    return world;
  };
  return {
    make,
    give: async ({ live }) => live.orders.travel('1'),
    takeBack: async ({ live }) => live.orders.travel('2'),
  };
}

/** Of everything. What only the aborted epoch needed goes, too; when that fails, the next gc finds it. */
export function abortOrder(): Order {
  let unchanged: Looks | undefined;
  return {
    make: () =>
      smallWorld((world) => {
        unchanged = world.look();
      }),
    give: async (world) => {
      world.live.orders.abort();
      await sweepGarbage(garbageOf(world)).catch(() => undefined);
    },
    becomes: () => unchanged,
  };
}

export function abortPartOrder(size: Size): Order {
  const make = async (): Promise<CrashWorld> => {
    const world = await stagedWorld(size);
    snapshot(world);
    return world;
  };
  return {
    make,
    give: async ({ live, place }) =>
      live.orders.abort(['g0/edit', 'g0/moved', 'g0/gone'].map((path) => `${place.base}/${path}` as BytePath)),
    takeBack: async ({ live }) => live.orders.travel('1'),
  };
}

/** Drops an abandoned generation and what only that needed. */
export function gcOrder(): Order {
  const make = async (): Promise<CrashWorld> => {
    const world = await smallWorld();
    world.live.orders.travel('1');
    write(world, 'c', '4');
    await world.live.orders.commit(ALL, () => undefined);
    await keepContents(garbageOf(world));
    write(world, 'a', '5');
    snapshot(world);
    return world;
  };
  return {
    make,
    give: (world) => collectGarbage({ dropAbandoned: true, keepLast: undefined }, garbageOf(world)),
    look: (world) => lookBack(world, ['1']),
  };
}

/**
 * Takes the originals of a commit away, among them one of two names of a file: what is staged of that has not changed
 * outside, and can be committed.
 */
export function gcOriginalsOrder(): Order {
  return {
    make: () =>
      openWorld(
        ({ place }) => {
          for (const name of 'ab') fs.writeFileSync(`${place.base}/${name}`, `base ${name}`);
          fs.linkSync(`${place.base}/a`, `${place.base}/a2`);
        },
        async (world) => {
          const { live, place } = world;
          new ViewDriver(live.overlay).unlink(`${place.base}/a2` as BytePath);
          for (const text of ['1', '2']) {
            write(world, 'b', text);
            await live.orders.commit(ALL, () => undefined);
            await keepContents(garbageOf(world));
          }
          write(world, 'a', '3');
          snapshot(world);
        },
      ),
    give: (world) => collectGarbage({ dropAbandoned: true, keepLast: 1 }, garbageOf(world)),
    also: async (world) => {
      await world.live.orders.commit(ALL, () => undefined);
      assert.equal(fs.readFileSync(`${world.place.base}/a`, 'latin1'), '3');
    },
  };
}

/** The copies of what a commit has given to the base. */
export function keepOrder(size: Size): Order {
  let staged: Looks | undefined;
  return {
    make: async () => {
      const world = await stagedWorld(size);
      snapshot(world);
      staged = world.look();
      await world.live.orders.commit(ALL, () => undefined);
      return world;
    },
    give: (world) => keepContents(garbageOf(world)),
    also: async (world) => {
      await keepContents(garbageOf(world));
      world.live.orders.travel('1');
      assert.deepEqual(world.look().view, staged?.view);
    },
  };
}

/** What an undo has left in the backups, as the store has copies of it. */
export function freeOrder(size: Size): Order {
  let staged: Looks | undefined;
  const free = ({ place: { layout } }: CrashWorld): void => {
    for (const _ of freeContents(layout));
  };
  return {
    make: async () => {
      const world = await stagedWorld(size);
      snapshot(world);
      staged = world.look();
      await commitKept(world);
      await world.live.orders.undo(() => undefined);
      assert.ok(fs.readdirSync(`${world.place.layout.commits}/1/kept`).length > 0);
      return world;
    },
    give: async (world) => free(world),
    also: async (world) => {
      free(world);
      assert.deepEqual(fs.readdirSync(`${world.place.layout.commits}/1/kept`), []);
      world.live.orders.travel('1');
      assert.deepEqual(world.look().view, staged?.view);
      await world.live.orders.commit(ALL, () => undefined);
    },
  };
}
