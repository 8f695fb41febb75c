/**
 * A client of NFS that was killed in a rename(2) knows the file by both names until one of them is renamed: here that is put on, as
 * this kernel has no server of NFS. `npm run test:homes -- "file systems"` has one.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { JournalInDoubt } from '../../../src/history/log/lines.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { EIO, ENOENT } from '../../../src/sys/errno.ts';
import { AT_FDCWD, boundCalls } from '../../../src/sys/libc.ts';
import { ALL } from '../../crash/commit-session.ts';
import { openWorld } from '../../crash/orders.ts';
import { ViewDriver } from '../../staging/view-driver.ts';

interface Calls {
  renameat2: (fromFd: number, from: unknown, toFd: number, to: unknown, flags: number) => number;
  statx: (fd: number, path: unknown, ...args: unknown[]) => number;
}

function nameIn(path: unknown): string {
  return (
    Buffer.from(path as Uint8Array)
      .toString('latin1')
      .split('\0')[0] ?? ''
  );
}

/** More than are kept open (`apply/directories.ts`). */
const MANY = 300;

test('a commit in more directories than are kept open is rolled back after it was killed', async (t) => {
  const dirs = Array.from({ length: MANY }, (_, i) => `d${i}`);
  const world = await openWorld(
    ({ place }) => {
      for (const dir of dirs) {
        fs.mkdirSync(`${place.base}/${dir}`);
        for (const name of ['f', 'gone']) fs.writeFileSync(`${place.base}/${dir}/${name}`, dir);
      }
    },
    ({ live, place }) => {
      const driver = new ViewDriver(live.overlay);
      // What comes from another directory names two of them.
      for (const [i, dir] of dirs.entries()) {
        const [from, to] = [dirs[(i * 7 + 3) % MANY], dir].map((one) => `${place.base}/${one}`);
        assert.equal(driver.rename(`${from}/f` as BytePath, `${to}/moved` as BytePath), 0);
        assert.equal(driver.unlink(`${to}/gone` as BytePath), 0);
      }
    },
  );
  t.after(() => world.close());
  const calls = boundCalls as unknown as { syncfsAsync: (fd: number) => Promise<number> };
  const { syncfsAsync } = calls;
  t.after(() => Object.assign(calls, { syncfsAsync }));
  calls.syncfsAsync = () => {
    // Nothing is taken back by a process that is gone.
    throw new JournalInDoubt(EIO);
  };
  await assert.rejects(world.live.orders.commit(ALL, () => undefined));
  Object.assign(calls, { syncfsAsync });
  await world.leave();
  await world.open();
  for (const dir of dirs) {
    assert.deepEqual(fs.readdirSync(`${world.place.base}/${dir}`).sort(), ['f', 'gone']);
    assert.equal(fs.readFileSync(`${world.place.base}/${dir}/f`, 'utf8'), dir);
  }
});

test('a commit that was killed in a rename is rolled back where the old name is still known', async (t) => {
  const world = await openWorld(
    ({ place }) => fs.writeFileSync(`${place.base}/old`, 'old'),
    ({ live, place }) => {
      const driver = new ViewDriver(live.overlay);
      const path = `${place.base}/born` as BytePath;
      driver.create(path, 0o644);
      assert.equal(driver.write(path, 0, 'staged'), 0);
    },
  );
  t.after(() => world.close());
  const calls = boundCalls as unknown as Calls;
  const real = { ...calls };
  t.after(() => Object.assign(calls, real));
  let known: string | undefined;
  calls.renameat2 = (fromFd, from, toFd, to, flags) => {
    if (known === undefined) {
      const result = real.renameat2(fromFd, from, toFd, to, flags);
      if (nameIn(to) !== 'born') return result;
      known = nameIn(from);
      throw new Error('killed');
    }
    // Two names of one file, as far as the client knows.
    if (nameIn(to) === known) return 0;
    if (nameIn(from) !== known) return real.renameat2(fromFd, from, toFd, to, flags);
    known = '';
    return -ENOENT;
  };
  calls.statx = (fd, path, ...args) =>
    known !== undefined && nameIn(path) === known && known !== ''
      ? real.statx(AT_FDCWD, Buffer.from(`${world.place.base}/born\0`), ...args)
      : real.statx(fd, path, ...args);
  await assert.rejects(
    world.live.orders.commit(ALL, () => undefined),
    /killed/,
  );
  await world.leave();
  assert.deepEqual(fs.readdirSync(world.place.base).sort(), ['born', 'old']);

  await world.open();
  assert.equal(known, '');
  assert.deepEqual(fs.readdirSync(world.place.base), ['old']);
  const view = new ViewDriver(world.live.overlay).image(world.place.base as BytePath);
  assert.deepEqual([...view].map(([name, { content }]) => [name, content]).sort(), [
    ['born', 'staged'],
    ['old', 'old'],
  ]);
});
