/** What `rule explain` says is what happens, with the built-in rules and with others. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self, someAccounts } from '../../support/accounts.ts';
import { giveTo, session } from '../../support/session.ts';
import { outcomes, rulesText, seedFiles } from '../gated.ts';

/** What an access comes to when nobody answers. */
const OUTCOME: Readonly<Record<string, string>> = { pass: 'ok', ask: 'EACCES', refuse: 'EACCES', absent: 'ENOENT' };

for (const account of someAccounts()) {
  test(`explain says what happens, for ${account.title}`, async (t) => {
    const home = [
      '.ssh/id',
      '.cache/x',
      '.bashrc',
      'mail/inbox',
      'mail/public/note',
      '.config/gh/hosts',
      '.local/bin/tool',
    ];
    const s = await session(t, {
      account,
      rules: '[rules]\n"~/mail/public" = "allow"\n"**/*.key" = "ask"\n"~/mail" = "deny"\n',
      seed: (project) => {
        seedFiles(project, ['a', '.env', '.env.example', 'sub/.env.local', 'k.key', 'ro/x', 'ro/open/y', 'h/z']);
        seedFiles(join(project, '../home'), home);
      },
      config: rulesText({
        ro: 'read-only',
        'ro/open': 'allow',
        h: 'hidden',
        '~/mail/public': 'ask-write',
        '~/.ssh': 'allow',
      }),
    });
    await giveTo(account, s.home);
    const paths = [
      ...home.map((path) => join(s.home, path)),
      ...['a', '.env', '.env.example', 'sub/.env.local', 'k.key', 'ro/x', 'ro/open/y', 'h/z'].map((path) =>
        join(s.project, path),
      ),
      ...['/etc/hostname', join(s.home, '.config/yolofs/config.toml')],
    ];
    const found = await outcomes(
      s,
      paths.flatMap(
        (path) =>
          [
            ['read', path],
            ['write', path],
          ] as const,
      ),
    );
    const told: string[] = [];
    for (const [i, path] of paths.entries()) {
      const { read, write } = JSON.parse(await s.succeed(['rule', 'explain', '--json', path])) as {
        read: string;
        write: string;
      };
      told.push(`${path} ${OUTCOME[read]} ${OUTCOME[write]}`);
      // An ordinary user may not write some of them anyway.
      if (path === '/etc/hostname' && write !== 'pass') found[2 * i + 1] = 'EACCES';
    }
    assert.deepEqual(
      paths.map((path, i) => `${path} ${found[2 * i]} ${found[2 * i + 1]}`),
      told,
    );
    const kinds = new Set(told.map((line) => line.split(' ').slice(1).join(' ')));
    assert.deepEqual(kinds, new Set(['EACCES EACCES', 'ok ok', 'ok EACCES', 'ENOENT ENOENT']));
    const text = await s.succeed(['rule', 'explain', join(s.home, '.ssh/id')]);
    assert.match(
      text,
      /deny\n {2}because of '~\/\.ssh' = 'deny', built in\n {2}'~\/\.ssh' = 'allow', the project's .*\.yolofs\.toml:6:1, does not count/,
    );
  });
}

test('rule set and unset keep comments and write where the rule can count', async (t) => {
  const config = '# mine\n[rules] # these\n# of secrets\n"a" = "deny" # because\n\n[daemon]\nidle_minutes = 5\n';
  const s = await session(t, {
    account: self,
    config,
    rules: 'default',
    seed: (project) => seedFiles(project, ['a', 'b', '../home/doc']),
  });
  const [file, own] = [join(s.project, '.yolofs.toml'), join(s.layout.entry, 'rules.toml')];
  await s.succeed(['rule', 'set', 'b', 'read-only']);
  await s.succeed(['rule', 'set', './a', 'hidden']);
  assert.equal(
    readFileSync(file, 'utf8'),
    '# mine\n[rules] # these\n# of secrets\n"a" = "hidden" # because\n"b" = "read-only"\n\n[daemon]\nidle_minutes = 5\n',
  );
  assert.ok(!existsSync(own));
  await s.succeed(['rule', 'set', join(s.home, 'doc'), 'allow']);
  assert.equal(readFileSync(own, 'utf8'), '[rules]\n"~/doc" = "allow"\n');
  await s.succeed(['rule', 'set', '**/*.pem', 'deny']);
  const list = JSON.parse(await s.succeed(['rule', 'list', '--json'])) as {
    pattern: string;
    state: string;
    from: string;
  }[];
  assert.deepEqual(
    list.filter(({ from }) => from !== 'default').map(({ pattern, state, from }) => `${pattern} ${state} ${from}`),
    ['~/doc allow session', 'a hidden project', 'b read-only project', '**/*.pem deny project'],
  );
  // A shell has not put the home directory in: rules and what is printed of them name it so.
  assert.match(await s.succeed(['rule', 'explain', '~/doc']), /home\/doc: allow\n {2}because of '~\/doc' = 'allow'/);
  await s.succeed(['rule', 'set', '~/doc', 'read-only']);
  assert.equal(readFileSync(own, 'utf8'), '[rules]\n"~/doc" = "read-only"\n');
  await s.succeed(['rule', 'set', '~/doc', 'allow']);
  assert.equal(await s.sh('cat ~/doc; cat a 2>/dev/null || echo no'), 'in ../home/doc\nno\n');
  await s.succeed(['rule', 'set', 'a', 'allow']);
  await s.succeed(['rule', 'unset', 'b']);
  await s.succeed(['rule', 'unset', join(s.home, 'doc')]);
  assert.equal(await s.sh('cat a; cat ~/doc 2>/dev/null || echo no'), 'in a\nno\n');
  const refused = await s.cli(['rule', 'unset', 'b']);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^yolofs: rule: there is no rule for 'b' in /);
  assert.match((await s.cli(['rule', 'set', 'a', 'forbid'])).stderr, /'forbid' is no state\nhint: there are allow, /);
});
