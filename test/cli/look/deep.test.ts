/**
 * As many directories in one another as a path can name, as a loop that enters what it makes leaves them: whoever looks at them
 * waits seconds, and no order runs out of stack.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { session } from '../../support/session.ts';

/** Stays where it is when there is no room for another, and has a file there. */
const DIG = `perl -e '
  mkdir "chain" and chdir "chain" or die;
  for ($depth = 0; mkdir "d"; $depth++) { chdir "d" or die }
  chdir "..";
  open(my $file, ">", "f") or die; print $file "needle\\n"; close $file;
  print $depth'`;

test('two thousand directories in one another are listed, searched, committed, renamed, removed and taken back', {
  timeout: 240_000,
}, async (t) => {
  const s = await session(t);
  const depth = Number(await s.sh(DIG));
  const all = depth + 2;
  assert.ok(depth > 1_900, `${depth} directories`);
  const status = async (): Promise<string> => (await s.succeed(['status'])).trim();
  assert.equal(await status(), `Added (${all})\n  chain/ (1 file, 7 B)`);
  const tail = (text: string): string => text.trim().split('\n').at(-1) ?? '';
  assert.equal(tail(await s.succeed(['diff', '--stat'])), `${all} files changed, 1 line added, 0 removed`);
  assert.match(await s.succeed(['grep', '-rn', 'needle', '.']), /^\.\/chain\/d\/.*\/f:1:needle\n$/);
  assert.equal((await s.succeed(['log', '--json'])).includes('"generation":1'), true);
  await s.commit();
  const bottom = `${s.project}/chain${'/d'.repeat(depth - 1)}`;
  assert.ok(existsSync(`${bottom}/f`));
  await s.sh('mv chain/d/d moved');
  assert.equal(await status(), 'Renamed (1)\n  chain/d/d/ → moved/');
  assert.equal(tail(await s.succeed(['diff', '--stat'])), `${depth} files changed, 0 lines added, 0 removed`);
  await s.sh('rm -r moved chain');
  assert.equal(await status(), `Deleted (${all})\n  chain/ (1 file)`);
  await s.commit();
  assert.ok(!existsSync(`${s.project}/chain`));
  await s.succeed(['undo']);
  assert.ok(existsSync(`${bottom}/f`));
  await s.succeed(['abort', 'chain/d', '--yes']);
  assert.equal(await s.sh('cat $(find chain -name f)'), 'needle\n');
});
