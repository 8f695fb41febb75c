/** Programs that leave holes out believe stat's count of blocks: it must never hide data that the kernel still holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exec } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { session } from '../support/session.ts';

test('D4: tar -S and cp copy what was written to a file that is still open, and what is sparse as it is', async (t) => {
  if (!has(t, ['tar'])) return;
  const s = await session(t, {
    seed: async (project) => {
      const made = await exec(['sh', '-c', ': > empty; truncate -s 300000 holes'], { cwd: project });
      assert.equal(made.code, 0, made.stderr);
    },
  });
  const work = `
    # New, emptied, empty in the base, and nothing but holes there; each is written to and open.
    exec 3> new 4> truncated 5>> empty 6<> holes
    for fd in 3 4 5 6; do head -c 70000 /dev/urandom >&$fd; done
    truncate -s 200000 sparse; printf x | dd of=sparse bs=1 seek=150000 conv=notrunc status=none
    for f in new truncated empty holes sparse; do
      [ $(stat -c %b $f) -gt 0 ]
      tar -S -cf tar-$f $f; tar -xOf tar-$f | cmp - $f
      for how in auto always never; do cp --sparse=$how $f copy; cmp copy $f; done
    done
    exec 3>&- 4>&- 5>&- 6>&-
    stat -c "%b %n" new; rm tar-* copy; du -k --apparent-size new`;
  assert.equal(await s.sh(`echo old > truncated; ${work}`), '137 new\n69\tnew\n'.replace('137', '144'));
  const shown = await s.tree();
  await s.commit();
  assert.deepEqual(await s.baseTree(), shown);
});
