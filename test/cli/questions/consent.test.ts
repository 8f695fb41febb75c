/** Without a terminal nobody can be asked: what would ask is refused, and has done nothing. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../../support/session.ts';

const HINT = "there is no terminal to ask at\nhint: '--yes' agrees beforehand\n";

test('N4: commit, abort and gc without a terminal do nothing but with --yes', async (t) => {
  const s = await session(t);
  await s.sh('echo one > first');
  await s.sh('rm first; echo two > second');
  const before = await s.succeed(['du', '--json']);
  for (const [words, outcome] of [
    [['commit'], 'nothing was written'],
    [['commit', 'second'], 'nothing was written'],
    [['commit', '--reviewed', '2'], 'nothing was written'],
    [['abort'], 'nothing was discarded'],
    [['abort', 'second'], 'nothing was discarded'],
    [['gc', '--keep-last', '1'], 'nothing was removed'],
  ] as const) {
    const stderr = `yolofs: ${words[0]}: ${outcome}: ${HINT}`;
    assert.deepEqual(await s.cli(words), { code: 1, stdout: '', stderr });
  }
  assert.deepEqual(await s.changeLines(), ['added second']);
  assert.equal(existsSync(join(s.project, 'second')), false);
  assert.equal(await s.succeed(['du', '--json']), before);

  assert.match((await s.cli(['gc', '--keep-last', '1', '--yes'])).stderr, /^freed [\s\S]*generations 1\n/);
  await s.succeed(['commit', '--yes', '--reviewed', '2']);
  assert.equal(existsSync(join(s.project, 'second')), true);
});
