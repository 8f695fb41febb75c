/** A collection that is indexed anew while a session has it open. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';

test('a page that is indexed anew: who has it open gets no mixture, who opens it gets the new one, and what is staged stays', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  const [before, after] = ['before the change\n', 'after, and longer than it was\n'];
  for (const name of ['page.md', 'gone.md', 'mine.md']) writeFileSync(join(dir, name), before);
  // Who reads it waits for whoever writes into it.
  execFileSync('mkfifo', [join(dir, 'gate.md')]);
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  const script = [
    'cd /sources/docs; echo mine >> mine.md; exec 3< page.md; head -c 6 <&3; echo; stat -c %s page.md',
    'cat gate.md > ~/gate',
    '{ cat <&3 || echo stale; } 2> ~/errors | grep -vx " the change"',
    // The kernel is told a moment later.
    'until [ "$(stat -c %s page.md)" = 30 ] && ! [ -e gone.md ]; do sleep 0.1; done',
    'cat page.md; stat -c %s page.md; cat mine.md; ls; cat gone.md || echo gone',
  ].join('\n');
  const ran = s.cli(['run', '--quiet', '-c', script]);
  const gate = await open(join(dir, 'gate.md'), 'w');
  for (const name of ['page.md', 'mine.md']) writeFileSync(join(dir, name), after);
  rmSync(join(dir, 'gone.md'));
  await s.succeed(['source', 'refresh', 'docs']);
  await gate.write('go on\n');
  await gate.close();
  const { stdout } = await ran;
  const rest = [`${after}30\n`, `${before}mine\n`, 'gate.md\nmine.md\npage.md\n', 'gone\n'];
  assert.equal(stdout, ['before\n18\n', ...rest].join(''));
  assert.match(await s.succeed(['status']), /mine\.md.*changed outside/);
});
