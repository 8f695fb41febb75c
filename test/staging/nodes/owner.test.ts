/** Whose attributes may be changed, as the kernel would decide it for the real owner, and whom the mount shows as owner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayChange, type Owner, presentOwner } from '../../../src/staging/owner.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { openView } from '../session-parts.ts';

test('mayChange() lets an ordinary user change what is theirs, and root anything', (t) => {
  const { base, close } = openView();
  t.after(close);
  const stat = base.statPath('/' as BytePath);
  assert.ok(typeof stat !== 'number');
  const of = (uid: number, mapsAll: boolean): Owner => ({ uid, gid: uid, groups: [uid], mapsAll });
  assert.deepEqual(
    [of(stat.uid, false), of(stat.uid + 1, false), of(stat.uid + 1, true)].map((owner) => mayChange(owner, stat)),
    [true, false, true],
  );
});

/** Owner, group and mode of a file, and as whose it is shown to user 1000 of the groups 1000 and 27. */
const SHOWN: Readonly<
  Record<string, readonly [uid: number, gid: number, mode: number, shown: readonly [number, number]]>
> = {
  'of root, for nobody else to write': [0, 0, 0o644, [0, 0]],
  'of root, for anybody to write': [0, 0, 0o666, [1000, 1000]],
  'of root, for a group of the user to write': [0, 27, 0o664, [1000, 1000]],
  'of root, for a group of the user to read': [0, 27, 0o640, [0, 1000]],
  'of root, for another group to write': [0, 50, 0o664, [0, 50]],
  'of the user, of another group': [1000, 50, 0o600, [1000, 1000]],
  'of the user, closed to all': [1000, 1000, 0, [1000, 1000]],
  'of the user, for anybody to write': [1000, 27, 0o666, [1000, 1000]],
};

test('presentOwner() shows what an ordinary user may write to as the user’s own, and anything to root as it is', (t) => {
  const { base, close } = openView();
  t.after(close);
  const stat = base.statPath('/' as BytePath);
  assert.ok(typeof stat !== 'number');
  const user: Owner = { uid: 1000, gid: 1000, groups: [1000, 27], mapsAll: false };
  for (const [title, [uid, gid, mode, shown]] of Object.entries(SHOWN)) {
    const as = (owner: Owner): readonly number[] => {
      const found = presentOwner(owner, { ...stat, uid, gid, mode });
      return [found.uid, found.gid];
    };
    assert.deepEqual(as(user), shown, title);
    assert.deepEqual(as({ ...user, mapsAll: true }), [uid, gid], title);
  }
});
