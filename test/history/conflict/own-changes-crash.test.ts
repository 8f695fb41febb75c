/** A commit or an undo that dies or fails: what it did to files of the base does not pass for somebody else's change. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { EIO } from '../../../src/sys/errno.ts';
import { ALL } from '../../crash/commit-session.ts';
import { CrashWorld } from '../../crash/crash-world.ts';
import { type Fault, Watch } from '../../crash/faults.ts';
import { ViewDriver } from '../../staging/view-driver.ts';

/** A session whose base has the files `one`, with a hard link `two`, and `three`. */
class World {
  readonly crash: CrashWorld;

  private constructor(crash: CrashWorld) {
    this.crash = crash;
  }

  static async open(): Promise<World> {
    const world = new World(CrashWorld.make());
    for (const name of ['one', 'three']) fs.writeFileSync(world.at(name), `base ${name}`);
    fs.linkSync(world.at('one'), world.at('two'));
    await world.crash.open();
    return world;
  }

  at(name: string): BytePath {
    return `${this.crash.place.base}/${name}` as BytePath;
  }

  get driver(): ViewDriver {
    return new ViewDriver(this.crash.live.overlay);
  }

  write(name: string, text: string): void {
    this.driver.truncate(this.at(name), 0);
    this.driver.write(this.at(name), 0, text);
  }

  /** A new file over what is there. */
  replace(name: string, text: string): void {
    this.driver.create(this.at('fresh'), 0o644);
    this.driver.write(this.at('fresh'), 0, text);
    this.driver.rename(this.at('fresh'), this.at(name));
  }

  commit(...names: string[]): Promise<unknown> {
    return this.crash.live.orders.commit({ ...ALL, paths: names.map((name) => this.at(name)) }, () => undefined);
  }

  files(): Record<string, string> {
    const names = fs.readdirSync(this.crash.place.base).sort();
    return Object.fromEntries(names.map((name) => [name, fs.readFileSync(this.at(name), 'utf8')]));
  }
}

interface Story {
  readonly stage: (world: World) => Promise<void>;
  readonly order: (world: World) => Promise<unknown>;
  /** What the base has once all that is staged is committed, whatever came of the order. */
  readonly ends: Readonly<Record<string, string>>;
}

/** What is left staged of another name was told of the file as it was. */
const PART: Story = {
  stage: async (world) => {
    world.replace('one', 'new one');
    world.replace('two', 'new two');
    await world.crash.reopen();
  },
  order: (world) => world.commit('one'),
  ends: { one: 'new one', three: 'base three', two: 'new two' },
};

/** An undo that is cut short, or fails, is taken back: the commit stands, and what was staged over it stays. */
const UNDO: Story = {
  stage: async (world) => {
    world.write('three', 'committed');
    await world.commit();
    world.write('three', 'staged since');
    await world.crash.reopen();
  },
  order: (world) => world.crash.live.orders.undo(() => undefined),
  ends: { one: 'base one', three: 'staged since', two: 'base one' },
};

/** Puts the fault at each call in turn. */
async function each(fault: Omit<Fault, 'at'>, { stage, order, ends }: Story): Promise<void> {
  for (let at = 1, isOver = false; !isOver; at++) {
    const world = await World.open();
    const { crash } = world;
    try {
      await stage(world);
      const watch = new Watch({ ...fault, at });
      const failure = await order(world).catch((error: unknown) => error);
      isOver = watch.hit === undefined;
      if (watch.isDead) await crash.bury(watch);
      else watch.end();
      if (isOver) assert.ok(!(failure instanceof Error), String(failure));
      if (watch.isDead || isOver) await crash.reopen();
      await assert.doesNotReject(world.commit(), `${fault.does} at ${at} (${watch.hit})`);
      assert.deepEqual(world.files(), ends, `${fault.does} at ${at} (${watch.hit})`);
    } finally {
      await crash.close();
    }
  }
}

test('a commit of a part that dies does not take its own change of a hard link for a conflict', () =>
  each({ does: 'kill' }, PART));

test('an undo that dies does not take its own change for a conflict', () => each({ does: 'kill' }, UNDO));

test('an undo that fails does not take its own change for a conflict', () => each({ does: EIO, changing: true }, UNDO));
