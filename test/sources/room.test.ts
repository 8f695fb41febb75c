/** Contents of sources take no more of the disk than `cache` says: what nobody uses goes, and comes again when it is read. */
import assert from 'node:assert/strict';
import { appendFileSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/leaks.ts';
import { session } from '../support/session.ts';

const LENGTH = 1000;
const pageOf = (at: number): string => `page ${at} `.padEnd(LENGTH - 1, `${at % 10}`).concat('\n');

test('what was read is bounded, what is staged over or open stays, and every file has its content whenever it is read', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  const names = Array.from({ length: 24 }, (_, at) => `page-${at}.md`);
  for (const [at, name] of names.entries()) writeFileSync(join(dir, name), pageOf(at));
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  appendFileSync(join(s.home, '.config/yolofs/config.toml'), `cache = "6 kB"\n`);
  // The reader has the first one open all the time; the second is changed; each is asked for by itself.
  const script = [
    'cd /sources/docs; exec 3< page-0.md; echo more >> page-1.md',
    'for at in $(seq 2 23); do cat page-$at.md; done',
    'cat <&3; cat page-1.md',
  ].join('\n');
  const all = names.map((_, at) => pageOf(at)).slice(2);
  assert.equal(await s.sh(script), [...all, pageOf(0), `${pageOf(1)}more\n`].join(''));
  const { dir: mirror } = JSON.parse(readFileSync(join(s.layout.sources, 'mounts.json'), 'utf8'))[0];
  const here = (): string[] => names.filter((name) => (lstatSync(join(mirror, 'docs', name)).mode & 0o777) === 0o644);
  // What the kernel still remembers goes when it has forgotten it, which takes its time.
  assert.ok(
    await eventually(() => here().length <= 7, 100_000),
    `${here().length} contents are here, where six may be`,
  );
  assert.ok(here().includes('page-1.md'), 'what is staged over stays');
  assert.match(await s.succeed(['source', 'list']), /docs {2}\/sources\/docs {2}memory .*, \d+\.\d KiB of 6 kB here/);
  assert.equal(await s.sh('cat /sources/docs/*.md'), [pageOf(0), `${pageOf(1)}more\n`, ...all].sort().join(''));
  await s.commit();
  assert.equal(readFileSync(join(dir, 'page-1.md'), 'utf8'), `${pageOf(1)}more\n`);
});
