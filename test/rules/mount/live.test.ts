/** Rules that change while programs run. */
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self, someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';
import { seedFiles } from '../gated.ts';

/** Runs live-main with `steps`, changing the rules before each of its looks, and returns what it told. */
async function looks(s: Session, steps: readonly (readonly string[])[]): Promise<string[]> {
  const argv = ['rules/mount/live-main.js', ['dir/file', 'dir', String(steps.length + 1)]] as const;
  const running = s.program(
    argv[0],
    argv[1].map((word) => (word.startsWith('dir') ? join(s.project, word) : word)),
  );
  const seen = async (step: number): Promise<void> => {
    writeFileSync(join(s.project, `go-${step}`), '');
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      if ((await s.changes()).some(({ path }) => path === `told-${step}`)) return;
    }
    assert.fail(`the program did not look for the ${step}th time`);
  };
  await seen(0);
  for (const [i, step] of steps.entries()) {
    await s.succeed(['rule', ...step]);
    await seen(i + 1);
  }
  return (await running).trim().split('\n');
}

for (const account of someAccounts()) {
  test(`a change counts at once, for what is open, too, for ${account.title}`, async (t) => {
    const s = await session(t, { account, seed: (project) => seedFiles(project, ['dir/file', 'dir/more']) });
    const told = await looks(s, [
      ['set', 'dir', 'deny'],
      ['set', 'dir', 'allow'],
      ['set', 'dir/file', 'hidden'],
      ['unset', 'dir/file'],
      ['set', '**/fil?', 'deny'],
      ['set', 'dir', 'read-only'],
    ]);
    assert.deepEqual(told, [
      'ok ok file,more ok',
      'EACCES EACCES EACCES ok',
      'ok ok file,more ok',
      'EACCES ENOENT more ENOENT',
      'ok ok file,more ok',
      'EACCES EACCES file,more ok',
      'EACCES EACCES file,more ok',
    ]);
    const rules = (
      JSON.parse(await s.succeed(['audit', '--json'])) as { tag: string; pattern: string; after?: string }[]
    )
      .filter(({ tag }) => tag === 'C')
      .map(({ pattern, after = 'none' }) => `${pattern} ${after}`);
    assert.deepEqual(rules, [
      'dir deny',
      // What is denied in the project's file is taken back there, and allowed in the session's.
      'dir none',
      'dir allow',
      'dir/file hidden',
      'dir/file none',
      '**/fil? deny',
      'dir none',
      'dir read-only',
    ]);
  });
}

test('a file that makes no sense changes nothing, and whoever works with the session hears where', async (t) => {
  const s = await session(t, {
    account: self,
    seed: (project) => seedFiles(project, ['a', 'b']),
    config: '[rules]\n"a" = "deny"\n',
  });
  assert.equal(await s.sh('cat a 2>/dev/null || echo no'), 'no\n');
  for (const [text, where] of [
    [
      '"a" = "deny"\n"b" = "forbid"\n',
      /\.yolofs\.toml:3:1: rules\.b: "forbid" is no state; there are "allow", .*the settings from before count/,
    ],
    ['"x[" = "deny"\n', /\.yolofs\.toml:2:1: rules: 'x\[' has a '\[' without its '\]'/],
    ['"a" = \n', /\.yolofs\.toml:2:\d+: /],
    ['"a" = "deny"\n"\xff" = "deny"\n', /\.yolofs\.toml:3: is not UTF-8; the settings from before count/],
    ['a.b = "deny"\n', /\.yolofs\.toml:\d:\d: rules\.a: has to be .*quotes/],
  ] as const) {
    writeFileSync(join(s.project, '.yolofs.toml'), `[rules]\n${text}`, 'latin1');
    const run = await s.cli(['run', '--', 'sh', '-c', 'cat a 2>/dev/null || echo no; cat b']);
    assert.equal(run.stdout, 'no\nin b\n');
    assert.match(run.stderr, where);
  }
  writeFileSync(join(s.project, '.yolofs.toml'), '[rules]\n"b" = "deny"\n');
  assert.equal(await s.sh('cat a; cat b 2>/dev/null || echo no'), 'in a\nno\n');
});

test('a file that is emptied, as editors do before they write, counts only if it stays so', async (t) => {
  const s = await session(t, {
    account: self,
    seed: (project) => seedFiles(project, ['a']),
    config: '[rules]\n"a" = "deny"\n',
  });
  const look = (): Promise<string> => s.sh('cat a 2>/dev/null || echo no');
  assert.equal(await look(), 'no\n');
  const file = join(s.project, '.yolofs.toml');
  truncateSync(file);
  await s.ask({ op: 'flush' });
  writeFileSync(file, 'what?');
  const run = await s.cli(['run', '--', 'sh', '-c', 'cat a 2>/dev/null || echo no']);
  assert.equal(run.stdout, 'no\n');
  assert.match(run.stderr, /\.yolofs\.toml:1:\d+: .*the settings from before count/);
  truncateSync(file);
  for (const end = Date.now() + 20_000; Date.now() < end && (await look()) === 'no\n'; );
  assert.equal(await look(), 'in a\n');
});

test('what is refused a thousand times is a few lines of the journal', async (t) => {
  const s = await session(t, {
    account: self,
    seed: (project) =>
      seedFiles(
        project,
        Array.from({ length: 500 }, (_, i) => `d/f${i}`),
      ),
    config: '[rules]\n"d" = "deny"\n',
  });
  const run = await s.cli([
    'run',
    '--',
    'sh',
    '-c',
    'for i in $(seq 500); do true 2>/dev/null <d/f1; true 2>/dev/null <d/f$((i-1)); done; echo x >y',
  ]);
  const told = (JSON.parse(await s.succeed(['audit', '--json'])) as { tag: string; times: number }[]).filter(
    ({ tag }) => tag === 'G',
  );
  assert.ok(told.length < 120, `${told.length} records`);
  assert.equal(
    told.reduce((sum, { times }) => sum + times, 0),
    1000,
  );
  assert.match(run.stderr, /refused +read +d\/f1 \(\d+ times\), .*'d' is deny/);
  assert.match(run.stderr, /yolofs rule set PATH allow/);
  assert.match(await s.succeed(['status']), /refused +read +d\/f1/);
  assert.ok(readFileSync(join(s.layout.store, 'journal')).length < 60_000);
});

test('the file that holds the user rules is not changed from inside, also without the built-in rules', async (t) => {
  const s = await session(t, { rules: 'default_rules = false\n' });
  const file = join(s.home, '.config/yolofs/config.toml');
  assert.equal(
    await s.sh(
      `cat ${file}; ! echo >> ${file}; ! rm ${file}; ! mv ${s.home}/.config ${s.home}/other; ls ${s.home}/.config 2>&1`,
    ),
    'default_rules = false\nyolofs\n',
  );
  assert.deepEqual(await s.changeLines(), []);
});
