/** S6: what `yolofs diff` shows inside is judged by what a file is, not by its path. */
import assert from 'node:assert/strict';
import { appendFileSync, linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../../support/accounts.ts';
import { giveTo, MAIN, seedSmall, session } from '../../support/session.ts';

const CANARY = 'canary-e05d';
const NAMES = ['linked', 'moved', 'written', 'removed', 'followed', 'target'];

for (const account of accounts()) {
  test(`S6: diff inside shows nothing of a file that another name denies, as ${account.title}`, async (t) => {
    const seed = (project: string): void => {
      seedSmall(project);
      for (const name of NAMES) writeFileSync(join(project, name), `${name} base\n`);
      linkSync(join(project, 'removed'), join(project, 'removed-too'));
    };
    const s = await session(t, { account, seed });
    await giveTo(account, s.project);
    await s.sh(
      [
        'ln linked linked-alias; echo more >> hello.txt',
        'mkdir sub; mv moved sub/moved-alias',
        'ln written written-alias',
        `echo ${CANARY} >> written-alias`,
        'rm removed-too',
        `ln target target-alias; ln -s target .env; echo ${CANARY} >> target-alias`,
      ].join('\n'),
    );
    const diff = [process.execPath, MAIN, 'diff'];
    const before = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...diff]);
    assert.equal(before.stdout.split(CANARY).length - 1, 4, `the probe shows what is allowed\n${before.stdout}`);

    for (const name of NAMES) await s.succeed(['rule', 'set', name === 'target' ? '**/.env' : name, 'deny']);
    for (const name of ['linked', 'moved', 'removed']) appendFileSync(join(s.project, name), `${CANARY}\n`);
    const read = 'for f in linked-alias sub/moved-alias written-alias target-alias; do cat $f && echo READ; done; true';
    const shown = await s.cli(['run', '--quiet', '--no-snapshot', '--', 'sh', '-c', `stat .env; ${read}`]);
    assert.doesNotMatch(shown.stdout, /READ/);
    for (const words of [diff, [...diff, '0..'], [...diff, '--json'], [...diff, '--', 'linked-alias']]) {
      const result = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...words]);
      assert.ok(!result.stdout.includes(CANARY), `${words.slice(2).join(' ')}\n${result.stdout}`);
      assert.match(result.stderr, /^not shown inside the view: \d+ that the rules keep from being read$/m);
    }
    const inside = await s.cli(['run', '--quiet', '--no-snapshot', '--', ...diff]);
    assert.match(inside.stdout, /^\+more$/m, 'what is allowed is shown');
    assert.match(await s.succeed(['diff']), new RegExp(`\\+${CANARY}`), 'and all of it outside');
  });
}
