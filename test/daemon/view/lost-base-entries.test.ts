/** What becomes of files that are staged when somebody removes their originals outside. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../../support/session.ts';

test('a staged file keeps its content and permissions without its original; what has only a new name is no file any more', async (t) => {
  const s = await session(t);
  chmodSync(join(s.project, 'test.sh'), 0o751);
  await s.sh('echo more >> test.sh; mkdir d; mv multi.txt d; mv subdir d/sub; mv hello.txt subdir');
  for (const name of ['test.sh', 'hello.txt', 'multi.txt']) rmSync(join(s.project, name));
  assert.equal(await s.sh('for i in $(seq 60); do [ "$(ls d)" = sub ] && break; sleep 0.05; done; ls d'), 'sub\n');
  for (const isRestarted of [false, true]) {
    if (isRestarted) await s.killDaemon();
    assert.equal(
      await s.sh('stat -c %a test.sh; tail -1 test.sh; find . -not -name ".yolofs*" | sort'),
      '751\nmore\n.\n./d\n./d/sub\n./d/sub/deep.txt\n./test.sh\n',
    );
    const { code, stderr } = await s.cli(['commit', '--yes']);
    assert.equal(code, 1, stderr);
    for (const name of ['test.sh', 'hello.txt', 'multi.txt'])
      assert.match(stderr, new RegExp(`${name}: .* here.*, deleted outside`));
  }
  // The names are free.
  await s.sh('echo new > subdir; mkdir x; mv x d/multi.txt; rm -r d subdir; mkdir d; echo again > d/a');
  await s.succeed(['commit', '--yes', '--ours', '.']);
  assert.equal(
    await s.sh('find . -type f -not -path "./.yolofs*" | sort; stat -c %a test.sh'),
    './d/a\n./test.sh\n751\n',
  );
  assert.ok(existsSync(join(s.project, 'test.sh')) && !existsSync(join(s.project, 'hello.txt')));
});
