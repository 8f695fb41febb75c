/** `diff` on a terminal goes through the pager that git would use, by the person's own settings alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../../support/accounts.ts';
import { converse } from '../../support/conversation.ts';
import { has } from '../../support/need.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

const YOLOFS = `'${process.execPath}' '${MAIN}'`;

function seed(project: string): void {
  writeFileSync(join(project, 'a.txt'), 'one\n');
  const evil = `touch '${project}/evil'; cat`;
  const settings = [`core.pager=${evil}`, `pager.diff=${evil}`, `diff.tool=evil`, `difftool.evil.cmd=${evil}`];
  execFileSync('git', ['init', '-q', '.'], { cwd: project });
  for (const one of settings) {
    const [name = '', ...value] = one.split('=');
    execFileSync('git', ['config', name, value.join('=')], { cwd: project });
  }
}

async function shown(s: Session, words: string, env: Readonly<Record<string, string>>): Promise<string> {
  const all = { HOME: s.home, YOLOFS_TEST_ROOT: s.root, NO_COLOR: '1', ...env };
  return (await converse(`${YOLOFS} ${words}`, [], { cwd: s.project, account: self, env: all })).shown;
}

test("diff takes the person's pager, and never that of a repository, which an agent can write", async (t) => {
  if (!has(t, ['script', 'git', 'sed'])) return;
  const s = await session(t, { seed, account: self });
  await s.sh('echo two >> a.txt');
  const marked = (name: string): string => `sed 's/^/${name}: /'`;
  writeFileSync(join(s.home, '.gitconfig'), `[core]\n\tpager = ${marked('own')}\n`);
  const PAGER = marked('PAGER');
  assert.match(await shown(s, 'diff', { PAGER }), /^own: \+two$/m);
  assert.match(await shown(s, 'diff', { PAGER, GIT_PAGER: marked('GIT_PAGER') }), /^GIT_PAGER: \+two$/m);
  writeFileSync(join(s.home, '.gitconfig'), '');
  assert.match(await shown(s, 'diff', { PAGER }), /^PAGER: \+two$/m);
  assert.match(await shown(s, 'diff', { PAGER: '' }), /^\+two$/m);
  // A pager that is left early, and one that is not there, end it; on a pipe there is none.
  assert.equal(await shown(s, 'diff --stat', { PAGER: 'true' }), '');
  assert.match(await s.succeed(['diff'], { env: { PAGER } }), /^\+two$/m);
  const tool = `[diff]\n\ttool = own\n[difftool "own"]\n\tcmd = diff \\"$LOCAL\\" \\"$REMOTE\\"\n`;
  writeFileSync(join(s.home, '.gitconfig'), tool);
  assert.match(await shown(s, 'diff --tool', {}), /^> two$/m);
  // As git does: whatever files hold, also what has no lines or too many; of a link its target.
  await s.sh(
    "printf '\\0\\351' > bin; ln -s a.txt link; head -c 9000000 /dev/zero | tr '\\0' x > large; mkfifo pipe; rm a.txt",
  );
  const sums = `[diff]\n\ttool = own\n[difftool "own"]\n\tcmd = cksum < \\"$LOCAL\\" && cksum < \\"$REMOTE\\"\n`;
  writeFileSync(join(s.home, '.gitconfig'), sums);
  const told = await s.cli(['diff', '--tool']);
  const expected = await s.sh('for f in bin large; do cksum < $f; done; printf a.txt | cksum; printf "" | cksum');
  for (const sum of expected.trimEnd().split('\n'))
    assert.ok(told.stdout.includes(`${sum}\n`), `${sum}: ${told.stdout}`);
  assert.match(told.stderr, /^yolofs: not shown: .*\/pipe is no file that can be read$/m);
  const unknown = await s.cli(['diff', '--tool=nowhere']);
  assert.deepEqual([unknown.code, /'git difftool' could not show it/.test(unknown.stderr)], [1, true], unknown.stderr);
  assert.equal(existsSync(join(s.project, 'evil')), false);
});

test('diff shows a text that is no UTF-8: on a pipe its bytes, on a terminal their numbers', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh("printf 'caf\\351\\n' > latin");
  const env = { PATH: process.env.PATH, HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const patch = execFileSync(process.execPath, [MAIN, 'diff', '--', 'latin'], { cwd: s.project, env });
  assert.ok(patch.includes(Buffer.from('\n+caf\xe9\n', 'latin1')), patch.toString('latin1'));
  assert.match(await s.succeed(['diff', '--color=always']), /\+caf<E9>/);
  assert.match(await s.succeed(['diff', '--stat']), /latin +\| +1 \+\n/);
});

test('diff --name-only lists the paths of files, and --color colours a pipe, too', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh("echo two >> a.txt; mkdir d; printf 'esc\\033[2J\\n' > d/b");
  assert.equal(await s.succeed(['diff', '--name-only']), 'a.txt\nd/b\n');
  assert.equal(await s.succeed(['diff', '--name-only', '--', 'd']), 'd/b\n');
  const coloured = await s.succeed(['diff', '--color=always']);
  assert.ok(coloured.includes('\n\x1b[32m+two\x1b[39m\n'), coloured);
  assert.match(coloured, /\+esc\^\[\[2J/);
  assert.equal((await s.succeed(['diff', '--color=never', '--', 'a.txt'])).includes('\x1b'), false);
  assert.equal((await s.cli(['diff', '--color=maybe'])).code, 2);
});
