/** One number means one state everywhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Session, session } from '../../support/session.ts';

const state = (s: Session): Promise<string> => s.sh('cat hello.txt a b 2> /dev/null || true');

test('D7, D8: a number shows in travel what it shows in diff, across commits, aborts and undo; 0 is what was before all', async (t) => {
  const s = await session(t);
  await s.sh('echo 1 > hello.txt');
  await s.commit();
  await s.sh('echo 2 > hello.txt');
  await s.succeed(['abort', '--yes']);
  await s.sh('echo 3 > hello.txt; echo a > a');
  await s.succeed(['commit', '--yes', 'a']);
  await s.sh('echo 4 > b');
  await s.succeed(['run', '--no-snapshot', '--quiet', '--', 'sh', '-c', 'echo 5 > hello.txt']);
  await s.commit();
  await s.succeed(['undo']);
  await s.sh('rm a');
  const last = (JSON.parse(await s.succeed(['status', '--json'])) as { generation: number }).generation;
  const shown = new Map<number, string>();
  for (let number = 0; number <= last; number++) {
    await s.succeed(['travel', String(number)]);
    const text = await state(s);
    shown.set(number, text);
    // The state that was gone to is the present one: nothing lies between.
    assert.equal(await s.succeed(['diff', `${number}..`]), '', `${number}..`);
  }
  assert.equal(shown.get(0), 'base content\n');
  for (const number of shown.keys()) {
    await s.succeed(['travel', String(number)]);
    assert.equal(await state(s), shown.get(number), `travel ${number}, again`);
    const diff = await s.succeed(['diff', `0..${number}`]);
    assert.equal(diff === '', shown.get(number) === shown.get(0), `0..${number}:\n${diff}`);
  }
  const log = await s.succeed(['log']);
  assert.match(log, / 0 {2}the files as they were$/m);
  assert.match(log, /^◆ +\d+ {2}\S+ \S+ {2}abort {2}1 change$/m);
});
