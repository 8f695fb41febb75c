/** Directories and outputs that are none: one clear line. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exec } from '../support/exec.ts';
import { assertRefused } from '../support/refusal.ts';
import { PROGRAM, session } from '../support/session.ts';

/** By Node, as sh has a line of its own to say of a directory that is gone. */
const YOLOFS = [process.execPath, PROGRAM];

function directory(t: TestContext): string {
  const path = mkdtempSync('/var/tmp/yolofs-place-');
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

test('in a directory that was removed every command says so', async (t) => {
  for (const words of [['status'], ['run', '--', 'true'], ['init'], ['commit', '--yes']]) {
    const gone = join(directory(t), 'gone');
    mkdirSync(gone);
    const leave = ['sh', '-c', 'cd "$0" && rmdir "$0" && exec "$@"', gone];
    assertRefused(await exec([...leave, ...YOLOFS, ...words]), /: the present directory was removed$/);
  }
});

test('a path that is not UTF-8 is said to be none, and a newline in one makes no second line', async (t) => {
  const root = directory(t);
  for (const words of [['init'], ['run', '--', 'true'], ['status']]) {
    const made = ['sh', '-c', `cd "$0" && d=$(printf 'bad\\377') && mkdir -p "$d" && cd "$d" && exec "$@"`, root];
    assertRefused(await exec([...made, ...YOLOFS, ...words]), /not possible here: the path is not UTF-8: .*bad/);
  }
  const cwd = join(root, 'two\nlines');
  mkdirSync(cwd);
  assertRefused(await exec([...YOLOFS, 'status'], { cwd }), /neither .* in .*two\\x0alines or above it$/);
});

test('output that cannot be written is a failure with a word', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > staged');
  for (const words of [['status'], ['diff'], ['log', '--json'], ['--version']]) {
    const { code, stderr } = await s.native(['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...YOLOFS, ...words]);
    assert.equal(code, 1);
    assert.match(stderr, /^yolofs: (\w+: )?cannot write the output: no space left on device \(ENOSPC\)\n$/);
  }
  // Of messages nobody can be told; the command's exit code is still its own.
  const run = ['run', '-c', 'echo more >> staged; exit 7'];
  const { code } = await s.native(['sh', '-c', 'exec "$@" 2> /dev/full', 'sh', ...YOLOFS, ...run]);
  assert.equal(code, 7);
});
