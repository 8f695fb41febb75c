/** Whose attributes may be changed, as the kernel would decide it for the real owner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayChange, type Owner } from '../../../src/staging/owner.ts';
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
