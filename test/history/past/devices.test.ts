/** What was before commits that moved directories to another file system, with deletions and moves in them. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { BytePath } from '../../../src/sys/bytes.ts';
import type { UserError } from '../../../src/sys/user-error.ts';
import { ALL } from '../../crash/commit-session.ts';
import type { CrashWorld } from '../../crash/crash-world.ts';
import { openWorld } from '../../crash/orders.ts';
import { keepContents } from '../../model/history/session/garbage.ts';
import { ViewDriver } from '../../staging/view-driver.ts';
import { isRoot } from '../../support/accounts.ts';
import { leaveOut } from '../../support/need.ts';

const FILES = ['f', 'k', 'deep/f', 'deep/x', 'gone/f', 'gone/out/f', 'gone/in/f', 'odd\n\xff'];

/** `other` is another file system than `here` and the session. */
function fill({ place }: CrashWorld): void {
  for (const top of ['other/tree', 'here']) {
    for (const name of FILES) {
      const path = Buffer.from(`${place.base}/${top}/${name}`, 'latin1');
      fs.mkdirSync(path.subarray(0, path.lastIndexOf(0x2f)), { recursive: true });
      fs.writeFileSync(path, `${top} ${name}`, { mode: 0o640 });
    }
  }
}

/** What is done to a directory that has moved to `at`; `out` is on the file system that it was on. */
const CHANGES: Readonly<Record<string, (at: string, out: string, v: Verbs) => void>> = {
  'files deleted in it': (at, _, { rm }) => {
    for (const name of ['f', 'deep/x', 'odd\n\xff']) rm(`${at}/${name}`);
  },
  'a directory moved on within it, with a deletion': (at, _, { rm, mv }) => {
    mv(`${at}/deep`, `${at}/deeper`);
    rm(`${at}/deeper/x`);
  },
  'a directory moved out of it again, with a deletion': (at, out, { rm, mv }) => {
    mv(`${at}/deep`, `${out}/deep`);
    rm(`${out}/deep/x`);
  },
  'a directory deleted that others were moved out of': (at, out, { rm, rmdir, mv }) => {
    mv(`${at}/gone/out`, `${at}/out`);
    mv(`${at}/gone/in`, `${out}/in`);
    rm(`${out}/in/f`);
    rm(`${at}/gone/f`);
    rmdir(`${at}/gone`);
  },
  'a file replaced, and one written to': (at, _, { mv, write }) => {
    mv(`${at}/k`, `${at}/f`);
    write(`${at}/deep/f`, 'new');
  },
};

interface Verbs {
  readonly mv: (from: string, to: string) => void;
  readonly rm: (path: string) => void;
  readonly rmdir: (path: string) => void;
  readonly write: (path: string, text: string) => void;
}

function verbsIn({ live, place }: CrashWorld): Verbs {
  const driver = new ViewDriver(live.overlay);
  const at = (path: string): BytePath => `${place.base}/${path}` as BytePath;
  const done = (errno: number): void => assert.equal(errno, 0);
  return {
    mv: (from, to) => done(driver.rename(at(from), at(to))),
    rm: (path) => done(driver.unlink(at(path))),
    rmdir: (path) => done(driver.rmdir(at(path))),
    write: (path, text) => done(driver.write(at(path), 0, text)),
  };
}

const snapshot = ({ live }: CrashWorld): unknown =>
  live.snapshot({ name: '', ifChanged: false, run: 0, command: undefined });

async function check(from: string, to: string, change: (typeof CHANGES)[string]): Promise<void> {
  const world = await openWorld(fill, snapshot, true);
  try {
    const before = world.look().view;
    const verbs = verbsIn(world);
    verbs.mv(from, to);
    change(to, from.startsWith('other') ? 'other' : 'here2', verbs);
    snapshot(world);
    const staged = world.look().view;
    await world.live.orders.commit(ALL, () => undefined);
    await keepContents({ layout: world.place.layout });
    for (const [generation, view] of [before, staged, before].entries()) {
      world.live.orders.travel(generation === 1 ? '2' : '1');
      assert.deepEqual(world.look().view, view);
      await world.reopen();
      assert.deepEqual(world.look().view, view, 'after a restart');
    }
  } finally {
    await world.close();
  }
}

for (const [what, change] of Object.entries(CHANGES)) {
  test(`travel to before a commit that moved a directory to another file system, ${what}`, async (t) => {
    if (!isRoot) return leaveOut(t, 'only root mounts file systems');
    await check('other/tree', 'here/tree', change);
    await check('here', 'other/tree2', (at, _, verbs) => change(at, 'other', verbs));
  });
}

/** The backups have a copy of the name that went, so the file itself cannot be found and looked at. */
test('undo of what was written to a file by a name that went with its directory, to another file system, is refused', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root mounts file systems');
  const link = ({ place: { base } }: CrashWorld): void => {
    fs.mkdirSync(`${base}/other/lone`);
    fs.writeFileSync(`${base}/other/lone/f`, 'old');
    fs.linkSync(`${base}/other/lone/f`, `${base}/other/twin`);
  };
  const world = await openWorld(link, snapshot, true);
  try {
    const { rm, rmdir, write } = verbsIn(world);
    write('other/lone/f', 'new');
    rm('other/lone/f');
    rmdir('other/lone');
    await world.live.orders.commit(ALL, () => undefined);
    await assert.rejects(
      world.live.orders.undo(() => undefined),
      ({ details }: UserError) => /other\/lone\/f: the commit left rewritten content/.test(details.join('\n')),
    );
    assert.equal(fs.readFileSync(`${world.place.base}/other/twin`, 'latin1'), 'new');
  } finally {
    await world.close();
  }
});
