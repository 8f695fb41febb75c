/** `yolofs doctor` tries the hooks that are installed, each as its agent would start it. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DESCRIPTIONS } from '../../src/agents/install/descriptions.ts';
import { self } from '../support/accounts.ts';
import { exec, type Result } from '../support/exec.ts';
import { plainDirectory } from '../support/plain.ts';
import { MAIN } from '../support/session.ts';

interface Row {
  readonly name: string;
  readonly ok: boolean;
  readonly required: boolean;
  readonly found: string;
  readonly hint?: string;
}

/** What failed comes after the list, in a line of its own. */
function rowsOf(stdout: string): Row[] {
  return JSON.parse(stdout.split('\n')[0] ?? '') as Row[];
}

test('doctor runs a command through each installed hook, and says which of them does not stage it', async (t) => {
  const p = plainDirectory(self);
  t.after(p.remove);
  // A client with a version that is known to be broken, and nothing else of it.
  const bin = join(p.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.176 (Claude Code)"\n', { mode: 0o755 });
  chmodSync(MAIN, 0o755);
  for (const name of ['yolofs', 'yolofs-shell']) symlinkSync(MAIN, join(bin, name));
  // Other tests look whether a doctor of theirs has left something.
  const temporary = join(p.root, 'tmp');
  mkdirSync(temporary);
  const env = { HOME: p.home, TMPDIR: temporary, PATH: `${bin}:${process.env.PATH}` };
  const cli = (...words: string[]): Promise<Result> =>
    exec([process.execPath, MAIN, ...words], { cwd: p.project, env });
  for (const agent of Object.keys(DESCRIPTIONS)) assert.equal((await cli('install', agent, '--yes')).code, 0);
  // In the project, a hook that answers and rewrites nothing.
  assert.equal((await cli('install', 'claude', '--yes', '--project')).code, 0);
  const idle = join(p.root, 'yolofs');
  writeFileSync(idle, '#!/bin/sh\ncat >/dev/null\necho "{}"\n', { mode: 0o755 });
  const settings = join(p.project, '.claude/settings.local.json');
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(`"${bin}/yolofs"`, `"${idle}"`));

  const { code, stdout } = await cli('doctor', '--json');
  assert.equal(code, 1);
  const all = rowsOf(stdout);
  const rows = all.filter(({ name }) => name.endsWith(' hook'));
  const prefixes = all.filter(({ name }) => name === 'claude shell prefix');
  assert.deepEqual(
    prefixes.map(({ ok, found }) => [ok, found.endsWith(': a command through it was staged')]),
    [
      [true, true],
      [true, true],
    ],
  );
  const host = all.filter(({ name, ok, required }) => required && !ok && !name.endsWith(' hook'));
  assert.deepEqual(host, [], 'without a view no hook is tried');
  for (const agent of Object.keys(DESCRIPTIONS)) {
    const tried = rows.filter(({ name, ok }) => name === `${agent} hook` && ok);
    assert.equal(tried.length, 1, JSON.stringify(rows));
    assert.ok(
      tried[0]?.found.startsWith(p.home) && tried[0].found.endsWith(': a command through it was staged'),
      stdout,
    );
  }
  const bad = rows.filter(({ name, ok }) => name === 'claude hook' && !ok);
  assert.deepEqual(
    bad.map(({ found, required }) => [found, required]),
    [
      [`${idle} is another yolofs than this one`, false],
      [`${settings} is not what this version writes`, false],
      ['it is installed for the user as well: each call is asked about twice', false],
      ['2.1.176: a rewrite is ignored (#69970)', false],
      ['2.1.176: a hook that cannot run lets the call pass (onFailure since 2.1.295)', false],
      [`${settings}: the hook left a command as it was`, true],
    ],
  );
  assert.ok(bad.every(({ hint }) => hint?.includes('yolofs')));
  assert.deepEqual(readdirSync(temporary), []);
});

test('N3: doctor and install say of a client that ignores its configuration that what it ran was real', async (t) => {
  const p = plainDirectory(self);
  t.after(p.remove);
  const bin = join(p.root, 'bin');
  mkdirSync(bin);
  // It is handed a copy of the file, takes no notice of it, and does what its model says.
  const ignoring = [
    '#!/bin/sh',
    '[ "$1" = --version ] && { echo "9.9.9"; exit; }',
    'grep -q PreToolUse "$CLAUDE_CONFIG_DIR/settings.json" && echo staged > canary-client-claude-user',
  ].join('\n');
  writeFileSync(join(bin, 'claude'), `${ignoring}\n`, { mode: 0o755 });
  const temporary = join(p.root, 'tmp');
  mkdirSync(temporary);
  const env = { HOME: p.home, TMPDIR: temporary, PATH: `${bin}:${process.env.PATH}` };
  const cli = (...words: string[]): Promise<Result> =>
    exec([process.execPath, MAIN, ...words], { cwd: p.project, env });
  const installed = await cli('install', 'claude', '--yes');
  assert.equal(installed.code, 1);
  const found = `${p.home}/.claude/settings.json: claude ignores it: its command wrote a real file`;
  assert.ok(installed.stderr.includes(`yolofs: install: ${found}\n`), installed.stderr);
  const rows = rowsOf((await cli('doctor', '--json')).stdout);
  assert.deepEqual(
    rows.filter(({ name }) => name === 'claude itself').map((row) => [row.ok, row.required, row.found]),
    [[false, true, found]],
  );
  assert.deepEqual(readdirSync(temporary), []);
});
