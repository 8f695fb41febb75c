/** D5: where the host has fewer watches than the view needs, watchers would seem to be asleep; status says why. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { has } from '../../support/need.ts';
import { MAIN, session } from '../../support/session.ts';

const DIRECTORIES = 40;

// In a user namespace of its own a user's limit can be set for all that begins there.
const LIMITED = `echo "$1" > /proc/sys/user/max_inotify_watches; shift
"$@" run --quiet -c 'cat */f; echo > staged' && "$@" status; "$@" stop`;

for (const [title, most, expected] of [
  ['says', 20, /too few watches \(fs\.inotify\.max_user_watches\)/],
  ['is silent of', 100_000, /^$/],
] as const) {
  test(`D5: status ${title} watches that the host does not have`, async (t) => {
    if (!has(t, ['unshare'])) return;
    const s = await session(t, {
      account: ordinary(),
      seed: (project) => {
        for (let i = 0; i < DIRECTORIES; i++) {
          mkdirSync(join(project, `d${i}`));
          writeFileSync(join(project, `d${i}/f`), '');
        }
      },
    });
    const limited = ['unshare', '--user', '--map-root-user', 'sh', '-c', LIMITED, 'sh', String(most)];
    const { stdout, stderr } = await s.native([...limited, process.execPath, MAIN]);
    assert.match(stdout, /^Added \(1\)\n {2}staged$/m, stderr);
    assert.match(stderr, expected);
  });
}
