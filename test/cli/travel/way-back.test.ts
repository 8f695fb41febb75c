/** The summary of a run tells where a travel goes back to, and it does: the state before that run, whatever came before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Session, session } from '../../support/session.ts';

/** Runs a command; returns the generation that its summary tells. */
async function wayOf(s: Session, command: string): Promise<string> {
  const { code, stderr } = await s.cli(['run', '-c', command]);
  assert.equal(code, 0, stderr);
  const back = /'yolofs travel (\d+)' goes back to before/.exec(stderr)?.[1];
  assert.ok(back, stderr);
  return back;
}

const state = (s: Session): Promise<string> => s.sh('cat f g 2> /dev/null || true');

test('the summary of a run tells the generation before it: after snapshots, restarts, commits, undo and abort', async (t) => {
  const s = await session(t);
  assert.equal(await wayOf(s, 'echo 1 > f'), '0');
  assert.equal(await wayOf(s, 'echo 2 > f'), '1');
  await s.stop();
  const back = await wayOf(s, 'echo 3 > f; echo g > g');
  assert.equal(back, '2');
  await s.succeed(['travel', back]);
  assert.equal(await state(s), '2\n');

  await s.commit();
  const committed = await wayOf(s, 'rm f');
  assert.notEqual(committed, '0');
  await s.succeed(['travel', '0']);
  assert.equal(await state(s), '', 'what was before anything was committed');
  await s.succeed(['travel', committed]);
  assert.equal(await state(s), '2\n');
  await s.sh('echo x > x');
  await s.succeed(['abort', '--yes']);
  const aborted = await wayOf(s, 'echo 4 > f');
  await s.succeed(['travel', aborted]);
  assert.equal(await state(s), '2\n');
  await s.sh('echo 4 > f');

  await s.sh('echo g > g');
  await s.succeed(['commit', 'g', '--yes']);
  await s.stop();
  const rest = await wayOf(s, 'echo 5 > f; rm g');
  assert.notEqual(rest, '0');
  await s.succeed(['travel', rest]);
  assert.equal(await state(s), '4\ng\n');

  await s.succeed(['undo']);
  const undone = await wayOf(s, 'echo 6 > f; echo 6 > g');
  await s.succeed(['travel', undone]);
  assert.equal(await state(s), '4\ng\n');
});

test('the summary says when another command was at work meanwhile', async (t) => {
  const s = await session(t);
  const meet = 'until [ -e here-a ] && [ -e here-b ]; do sleep 0.05; done';
  const runs = await Promise.all(['a', 'b'].map((name) => s.cli(['run', '-c', `touch here-${name}; ${meet}`])));
  for (const { stderr } of runs) {
    assert.match(stderr, /'yolofs travel 0' goes back to before \(before what ran beside it, too\)/);
  }
});
