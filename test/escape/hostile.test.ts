/** What an agent can write to fool whoever looks at it from outside: configurations, programs for git, names, absences. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isHarmless } from '../odd-names/names.ts';
import { accounts, ordinary } from '../support/accounts.ts';
import { has } from '../support/need.ts';
import { giveTo } from '../support/session.ts';
import { cage, hostFile, SECRET } from './attempts.ts';

/** Makes a repository in which nearly everything that git does starts a program. */
const TRAPS = `git init -q . && echo text > file.txt && git add file.txt
git -c user.name=a -c user.email=a@b commit -qm first
for key in core.fsmonitor core.pager core.editor core.sshCommand diff.external diff.trap.textconv diff.trap.command \\
  filter.trap.clean filter.trap.smudge filter.trap.process; do git config $key "touch '$OUT/ran'; cat"; done
echo '* filter=trap diff=trap' > .gitattributes
for hook in pre-commit post-checkout post-commit post-index-change; do
  printf '#!/bin/sh\\ntouch "%s/ran"\\n' "$OUT" > .git/hooks/$hook; chmod +x .git/hooks/$hook; done
echo changed > file.txt`;

for (const account of accounts()) {
  test(`no git is run on what is staged, as ${account.title}`, async (t) => {
    if (!has(t, ['git'])) return;
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s, env, outside } = made;
    const bin = join(s.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\ntouch "$OUT/called"\n', { mode: 0o755 });
    await giveTo(account, s.home);
    await s.sh(`rm -f "$OUT/ran"; ${TRAPS}; rm -f "$OUT/ran"`, { env });
    const traced = { env: { ...env, PATH: `${bin}:/usr/bin:/bin` } };
    const commands = [
      'status',
      'diff',
      'log',
      'audit',
      'commit --dry-run',
      'commit --yes',
      'undo',
      'diff 2',
      'commit --yes',
    ];
    for (const line of commands) await s.cli(line.split(' '), traced);
    assert.equal(existsSync(join(s.project, '.git/hooks/pre-commit')), true, 'the repository is there');
    for (const trace of ['ran', 'called']) assert.equal(existsSync(join(outside, trace)), false, trace);
    await s.native(['git', '-c', 'safe.directory=*', 'status'], { env });
    await s.native(['git', '-c', 'safe.directory=*', 'diff'], { env });
    assert.equal(existsSync(join(outside, 'ran')), true, 'git itself walks into it');
  });

  test(`a configuration of the project gives nothing, staged or committed, as ${account.title}`, async (t) => {
    const made = await cage(t, { account, config: '[rules]\n"hello.txt" = "deny"\n' });
    if (made === undefined) return;
    const { s, env } = made;
    await giveTo(account, join(s.project, '.yolofs.toml'));
    const laxer = `[rules]\n"hello.txt" = "allow"\n"${made.outside}" = "allow"\n`;
    await s.sh('cat > .yolofs.toml', {
      env,
      input: `${laxer}[session]\ndirect = ["${made.outside}"]\n`,
    });
    const probe =
      'cat hello.txt; echo escaped > "$OUT/secret"; mkdir -p ~/.config/yolofs; echo "[rules]" > ~/.config/yolofs/config.toml';
    const tried = await s.cli(['run', '--quiet', '--', 'sh', '-c', probe], { env });
    assert.match(tried.stderr, /hello\.txt.*denied/i);
    await s.stop();
    const again = await s.cli(['run', '--quiet', '--', 'sh', '-c', probe], { env });
    assert.equal(again.stdout, '');
    assert.equal(hostFile(made), `${SECRET}\n`);
    // What a repository brings along can only take away.
    await s.abort();
    const strict = '[rules]\n"multi.txt" = "deny"\n';
    await s.native([
      'sh',
      '-c',
      'printf "default_rules = false\\n[rules]\\n\\"**/hello.txt\\" = \\"deny\\"\\n" > ~/.config/yolofs/config.toml',
    ]);
    await s.sh('cat > .yolofs.toml', { input: `${laxer}${strict.split('\n')[1]}\n` });
    await s.commit();
    await s.stop();
    const tightened = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'cat hello.txt multi.txt']);
    assert.equal(tightened.stdout, '');
    assert.match(tightened.stderr, /hello\.txt.*denied[\s\S]*multi\.txt.*denied/i);
    // Nor can it pass through what the user denies.
    await s.native(['sh', '-c', 'echo "\\"~/private\\" = \\"deny\\"" >> ~/.config/yolofs/config.toml']);
    await s.native(['sh', '-c', `mkdir ~/private; echo ${SECRET} > ~/private/key`]);
    writeFileSync(join(s.project, '.yolofs.toml'), '[session]\ndirect = ["~/private"]\n');
    await s.cli(['stop']);
    const passed = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'cat ~/private/key']);
    assert.equal(passed.stdout, '');
  });

  test(`what starts programs later is staged and listed, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s } = made;
    await s.abort();
    const places = [
      '.bashrc',
      '.claude/settings.json',
      '.codex/config.toml',
      '.config/autostart/x.desktop',
      '.local/bin/git',
    ];
    const script = places.map((place) => `mkdir -p ~/"$(dirname ${place})"; echo x >> ~/${place}`).join('\n');
    await s.sh(`${script}\nmkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo x > .envrc`);
    const listed = (await s.changes()).map(({ path }) => path);
    for (const place of places) {
      assert.equal(existsSync(join(s.home, place)), false, place);
      assert.ok(listed.includes(join(s.home, place)), `${place} in ${listed.join(' ')}`);
    }
    for (const place of ['.git/hooks/pre-commit', '.envrc']) assert.ok(listed.includes(place), place);
  });

  test(`nothing that an agent names itself reaches a terminal as it is, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s } = made;
    const evil = '\x1b]0;x\x07\x1b[2J\x9b31m\u202e';
    const name = `exec -a '${evil}' sh -c "echo x > 'by\\$0'"; cp "$(command -v sh)" '${evil}'; './${evil}' -c "ln -s '${evil}' link; echo > made"`;
    const run = await s.cli(['run', '--name', evil, '--', 'bash', '-c', name, evil], made);
    const outputs = [run.stderr];
    for (const line of [
      'status',
      'diff',
      'diff --stat',
      'log',
      'audit',
      'commit --dry-run',
      'rule list',
      'commit --yes',
      'undo',
    ]) {
      const result = await s.cli(line.split(' '));
      outputs.push(result.stdout.replaceAll('\t', ''), result.stderr);
    }
    const harmful = outputs.filter((output) => !isHarmless(output));
    assert.deepEqual(harmful, []);
    assert.ok(outputs.join('').includes('\\x1b]0;x\\x07'), 'it is shown, in harmless words');
  });
}

test('entries that cannot be read are never taken for deleted', async (t) => {
  const made = await cage(t, { account: ordinary() });
  if (made === undefined) return;
  const { s } = made;
  await s.abort();
  await s.native(['sh', '-c', 'mkdir closed; echo kept > closed/file; echo kept > unread; chmod 000 unread']);
  await s.sh('ls -l closed; cat closed/file; echo new > closed/new; echo x > other');
  chmodSync(join(s.project, 'closed'), 0);
  // It may well say that it cannot tell.
  assert.doesNotMatch((await s.cli(['status', '--json'])).stdout, /"deleted"/);
  await s.cli(['run', '--quiet', '--', 'sh', '-c', 'ls closed; cat closed/file; cp -a . "$OUT/copy"'], made);
  await s.cli(['commit', '--yes']);
  await s.cli(['commit', '--yes', 'other']);
  chmodSync(join(s.project, 'closed'), 0o755);
  assert.equal(readFileSync(join(s.project, 'closed/file'), 'utf8'), 'kept\n');
  assert.equal(readFileSync(join(s.project, 'other'), 'utf8'), 'x\n');
  assert.ok(existsSync(join(s.project, 'unread')));
});
