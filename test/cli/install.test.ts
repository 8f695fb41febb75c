/** `yolofs install` and `uninstall` as a person meets them. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { self } from '../support/accounts.ts';
import { converse } from '../support/conversation.ts';
import { exec, type Result } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { type PlainDirectory, plainDirectory } from '../support/plain.ts';
import { MAIN } from '../support/session.ts';

test('install shows the change as a diff, and without consent or with --dry-run writes nothing', async (t) => {
  const p = place(t);
  const shown = await cli(p, 'install', 'cursor', '--dry-run');
  assert.deepEqual([shown.code, shown.stderr], [0, '']);
  assert.ok(shown.stdout.startsWith(`--- /dev/null\n+++ ${p.home}/.cursor/hooks.json\n@@ -0,0 +1,`), shown.stdout);
  assert.match(shown.stdout, /^\+ {8}"failClosed": true$/m);
  assert.deepEqual(await cli(p, 'install', 'cursor'), {
    code: 1,
    stdout: shown.stdout,
    stderr: "yolofs: install: nothing was changed: there is no terminal to ask at\nhint: '--yes' agrees beforehand\n",
  });
  assert.deepEqual(readdirSync(p.home), []);
});

test('install --yes writes, says what is left to do, and has nothing to do the second time', async (t) => {
  const p = place(t);
  const settings = join(p.home, '.codex/hooks.json');
  const first = await cli(p, 'install', 'codex', '--yes');
  assert.equal(first.code, 0, first.stderr);
  assert.ok(first.stderr.startsWith(`wrote ${settings}\nwrote ${p.home}/.codex/config.toml\nnext: `), first.stderr);
  assert.match(first.stderr, /^next: start codex and review the hooks with '\/hooks'/m);
  const hooks = JSON.parse(readFileSync(settings, 'utf8')) as {
    hooks: { PreToolUse: { hooks: { command: string }[] }[] };
  };
  const command = hooks.hooks.PreToolUse[0]?.hooks[0]?.command;
  assert.ok(command?.includes(` ${MAIN} hook codex`), command);
  const second = await cli(p, 'install', 'codex', '--yes');
  assert.deepEqual([second.code, second.stdout], [0, '']);
  assert.match(second.stderr, /^nothing to do: it is in .* already\n$/);
  const removed = await cli(p, 'uninstall', 'codex', '--yes');
  assert.match(removed.stderr, new RegExp(`^removed ${settings}\n`));
  assert.deepEqual(readdirSync(p.home), ['.local']);
});

test('install names the link in PATH that leads here: it outlives an update', async (t) => {
  const p = place(t);
  const bin = join(p.root, 'bin');
  mkdirSync(bin);
  chmodSync(MAIN, 0o755);
  for (const name of ['yolofs', 'yolofs-shell']) symlinkSync(MAIN, join(bin, name));
  const { stdout } = await cli(p, 'install', 'claude', '--project', '--dry-run', {
    PATH: `${bin}:${process.env.PATH}`,
  });
  assert.ok(stdout.includes(`"command": "${bin}/yolofs"`), stdout);
  assert.ok(stdout.includes(`"CLAUDE_CODE_SHELL_PREFIX": "${bin}/yolofs-shell"`), stdout);
  assert.ok(stdout.includes(`+++ ${p.project}/.claude/settings.local.json\n`), stdout);
});

test('install on a terminal asks, and an answer other than yes changes nothing', async (t) => {
  if (!has(t, ['script'])) return;
  const p = place(t);
  const options = { cwd: p.project, account: self, env: environment(p) };
  const talk = (answer: string): ReturnType<typeof converse> =>
    converse(`'${process.execPath}' '${MAIN}' install gemini`, [[/Write this file\? \[y\/N\] /, answer]], options);
  const no = await talk('\n');
  assert.equal(no.code, 1, no.shown);
  assert.match(no.shown, /nothing was changed\n/);
  assert.equal(existsSync(join(p.home, '.gemini')), false);
  const yes = await talk('y\n');
  assert.equal(yes.code, 0, yes.shown);
  assert.match(readFileSync(join(p.home, '.gemini/settings.json'), 'utf8'), /"timeout": 30000/);
});

test('install refuses a file that it cannot read as JSON, an agent nobody knows, and to work in the view', async (t) => {
  const p = place(t);
  const settings = join(p.home, '.claude/settings.json');
  mkdirSync(join(p.home, '.claude'));
  writeFileSync(settings, '{\n  "model": opus\n}\n');
  assert.deepEqual(await cli(p, 'install', 'claude', '--yes'), {
    code: 1,
    stdout: '',
    stderr: `yolofs: install: ${settings}:2:12: this is not JSON: invalid symbol\nhint: nothing was changed; mend the file first\n`,
  });
  assert.deepEqual(readdirSync(p.home), ['.claude']);
  assert.match((await cli(p, 'install', 'hal')).stderr, /unknown agent: hal\nhint: known agents: claude, codex, /);
  assert.match((await cli(p, 'uninstall', 'claude', { YOLOFS_VIEW: '1' })).stderr, /not possible inside the view/);
});

function place(t: TestContext): PlainDirectory {
  const made = plainDirectory(self);
  t.after(made.remove);
  return made;
}

function environment(p: PlainDirectory): Record<string, string> {
  return { HOME: p.home };
}

function cli(p: PlainDirectory, ...words: (string | Record<string, string>)[]): Promise<Result> {
  const env = words.find((word) => typeof word === 'object') ?? {};
  const argv = words.filter((word) => typeof word === 'string');
  return exec([process.execPath, MAIN, ...argv], { cwd: p.project, env: { ...environment(p), ...env } });
}
