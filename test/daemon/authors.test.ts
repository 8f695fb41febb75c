/** Who a record says did it, where the kernel writes back what somebody has written to the page cache. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';

interface Audited {
  readonly what: string;
  readonly path?: string;
  readonly run: number;
  readonly command?: string;
  readonly process?: string;
  readonly pid: number;
}

test('what two runs at once append to files is told of the process of each, though the kernel writes it back', async (t) => {
  const s = await session(t, {
    seed: (project) => {
      for (const name of ['a', 'b']) writeFileSync(join(project, name), 'base\n');
    },
  });
  // Both are under way while either writes, so that neither is the only run that it can have been.
  const append = (mine: string, other: string): Promise<string> =>
    s.sh(`touch ready-${mine}; until [ -e ready-${other} ]; do sleep 0.05; done; echo x | tee -a ${mine}; sleep 1`);
  await Promise.all([append('a', 'b'), append('b', 'a')]);
  const records = JSON.parse(await s.succeed(['audit', '--json'])) as Audited[];
  const runs = ['a', 'b'].map((name) => {
    const content = records.find(({ what, path }) => what === 'staged' && path === join(s.project, name));
    assert.equal(content?.process, 'tee');
    assert.match(content?.command ?? '', new RegExp(`tee -a ${name};`));
    assert.ok(content?.pid > 0);
    return content?.run;
  });
  assert.equal(new Set(runs).size, 2);
});
