/** Rules hold for what a path is: a name that a glob closes may be a symlink. */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';

const SECRET = 'canary-77ab';

function seed(project: string): void {
  for (const dir of ['shared', 'packages/api', 'a', 'store', 'real-conf', 'plain'])
    mkdirSync(join(project, dir), { recursive: true });
  for (const name of [
    'shared/prod-settings',
    'shared/nested',
    'shared/late',
    'store/x',
    'real-conf/a.key',
    'shared/absolute',
  ])
    writeFileSync(join(project, name), `${SECRET}\n`);
  linkSync(join(project, 'shared/nested'), join(project, 'plain/hard'));
  linkSync(join(project, 'shared/late'), join(project, 'plain/late'));
  writeFileSync(join(project, 'plain/other'), 'other\n');
  symlinkSync('shared/prod-settings', join(project, '.env'));
  symlinkSync('../../shared/nested', join(project, 'packages/api/.env'));
  symlinkSync(join(project, 'shared/absolute'), join(project, 'a/.env.local'));
  symlinkSync('../store', join(project, 'a/vault'));
  symlinkSync('real-conf', join(project, 'conf'));
  symlinkSync('../plain', join(project, 'a/.env.d'));
  symlinkSync('/', join(project, 'a/.env'));
}

for (const account of someAccounts()) {
  test(`S7: other names of a file that a glob denies are denied before that one is looked up, for ${account.title}`, async (t) => {
    const s = await session(t, {
      account,
      rules: '[rules]\n"**/vault" = "deny"\n',
      seed: (project) => {
        for (const dir of ['deep/er', 'deep/vault/in', 'plain']) mkdirSync(join(project, dir), { recursive: true });
        for (const [name, other] of [
          ['deep/er/.env', 'plain/settings'],
          ['deep/vault/in/x', 'plain/treasure'],
          ['deep/open', 'plain/open'],
        ] as const) {
          writeFileSync(join(project, name), `${SECRET}\n`);
          linkSync(join(project, name), join(project, other));
        }
      },
    });
    const read = (...paths: string[]): Promise<string[]> => readIn(s, paths);
    // A directory above it is moved without a look at what is in it.
    await s.succeed(['run', '--quiet', '--', 'mv', 'deep/er', 'deep/there']);
    assert.deepEqual(await read('plain/settings', 'plain/treasure'), ['denied', 'denied']);
    assert.deepEqual(await read('plain/open', 'deep/open'), ['read', 'read']);
    await s.succeed(['rule', 'set', join(s.project, 'deep/er/.env'), 'allow']);
    assert.deepEqual(await read('plain/treasure', 'plain/open'), ['denied', 'read']);
  });

  // With a rule that asks in the project each open(2) is looked at there; without one none is.
  for (const [mount, more] of [
    ['without OPEN', ''],
    ['with OPEN', '"**/asked" = "ask"\n'],
  ] as const) {
    test(`S7: what a denied link leads to is denied, for ${account.title}, ${mount}`, async (t) => {
      const rules = `[rules]\n"**/vault" = "deny"\n${more}`;
      const s = await session(t, { account, rules, seed, config: '[rules]\n"conf/*.key" = "deny"\n' });
      const read = (...paths: string[]): Promise<string[]> => readIn(s, paths);

      // At the top of the project, and in a directory that a glob names, before anybody has looked the link up.
      assert.deepEqual(await read('shared/prod-settings', '.env'), ['denied', 'denied']);
      assert.deepEqual(await read('real-conf/a.key', 'conf/a.key'), ['denied', 'denied']);

      // Further down, too, under all names of what it leads to.
      const below = ['shared/nested', 'plain/hard', 'store/x', 'shared/absolute', 'packages/api/.env', 'a/vault/x'];
      assert.deepEqual(await read(...below), Array(6).fill('denied'));

      // Of a link that comes later from when it was looked up, also for who has read what it leads to.
      mkdirSync(join(s.project, 'packages/late'));
      symlinkSync('../../shared/late', join(s.project, 'packages/late/.env'));
      assert.deepEqual(await read('shared/late', 'plain/late'), ['read', 'read']);
      await s.sh('stat packages/late/.env');
      const known = ['shared/late', 'plain/late', 'packages/late/.env'];
      const start = performance.now();
      // What the kernel remembers of them is taken back soon after, and nobody waits for that.
      while ((await read(...known)).includes('read')) assert.ok(performance.now() - start < 10_000, 'still read');
      assert.equal((await s.cli(['run', '--quiet', '--', 'ls', 'store'])).code, 2);

      // A built-in glob is for files: a link to a directory closes nothing.
      assert.deepEqual(await read('a/.env.d/other', 'plain/other', '/etc/hostname'), ['read', 'read', 'read']);

      // It stays so when rules change, and ends with the rule.
      await s.succeed(['rule', 'set', 'plain/other', 'read-only']);
      assert.deepEqual(await read(...known, ...below), Array(9).fill('denied'));
      await s.succeed(['rule', 'set', join(s.project, 'packages/api/.env'), 'allow']);
      assert.deepEqual(await read('packages/api/.env', 'shared/nested', 'store/x'), ['read', 'read', 'denied']);
    });
  }
}

async function readIn(s: Session, paths: readonly string[]): Promise<string[]> {
  const { stdout } = await s.cli([
    ...['run', '--quiet', '--', 'sh', '-c'],
    'for f; do if cat "$f" > /dev/null 2>&1; then echo read; else echo denied; fi; done',
    ...['sh', ...paths],
  ]);
  return stdout.trimEnd().split('\n');
}
