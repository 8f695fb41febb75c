/** A server that is killed under a view that shows its source. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { has } from '../../support/need.ts';
import { session } from '../../support/session.ts';
import type { World } from '../conformance/conformance.ts';
import type { RealServer } from '../servers/server-process.ts';

/** The last test of its file: afterwards there is no server. */
export function isKilled(
  name: string,
  programs: readonly string[],
  start: () => Promise<{ server: RealServer; world: World }>,
): void {
  test(`${name} is killed: what was read stays, the rest is EIO with its cause, and nobody else notices`, async (t) => {
    if (!has(t, programs)) return;
    const { server, world } = await start();
    for (const path of ['read.md', 'far/unread.md']) await world.put(path, `${path}\n`, ['public']);
    const s = await session(t);
    const beside = join(s.project, '..', 'beside');
    mkdirSync(beside);
    writeFileSync(join(beside, 'other.md'), 'other\n');
    await s.succeed(['source', 'add', 'docs', ...world.settings]);
    await s.succeed(['source', 'add', 'beside', 'memory', '--dir', beside, '--open']);
    // One file alone is no scan, ahead of which others are read.
    assert.equal(await s.sh('cd /sources/docs; cat read.md; echo mine > mine.md'), 'read.md\n');
    await server.stop();
    const script =
      'cd /sources/docs; cat read.md mine.md /sources/beside/other.md; cat far/unread.md; ls; echo in the view > ~/file';
    const { stdout, stderr } = await s.cli(['run', '-c', script]);
    assert.equal(stdout, 'read.md\nmine\nother\nfar\nmine.md\nread.md\n');
    assert.match(stderr, /unread\.md: Input\/output error/);
    assert.match(
      await s.succeed(['audit']),
      /\/sources\/docs\/far\/unread\.md {2}\(read; http:\S+ (?:refuses connections|broke the connection)/,
    );
    assert.match(await s.succeed(['status']), /docs: no answer since/);
    const refused = await s.cli(['commit', '--yes']);
    assert.equal(refused.code, 1);
    assert.equal(await s.sh('cat /sources/docs/mine.md ~/file'), 'mine\nin the view\n');
  });
}
