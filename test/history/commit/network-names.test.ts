/**
 * A client of NFS that was killed in a rename(2) knows the file by both names until one of them is renamed: here that is put on, as
 * this kernel has no server of NFS. `npm run test:homes -- "file systems"` has one.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { ENOENT } from '../../../src/sys/errno.ts';
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
    world.live.commit(ALL, () => undefined),
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
