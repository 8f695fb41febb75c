/** What runs later, where the path does not say it, is known by the content of the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Look, type Looked, lookInto } from '../../../src/history/commit/notices/contents.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const FILE = { project: '/p' as BytePath, isLink: false };

/** What is told in a content, in one line. */
function told(
  look: Look,
  { path, ...texts }: Pick<Looked, 'now' | 'before'> & { readonly path: string },
): string | undefined {
  return lookInto(look, { path: path as BytePath, ...FILE, ...texts })?.join(', ');
}

const GIT = { path: '/p/.git/config', before: '' };

test('S11: of a git config the settings are named that run something, and no others', () => {
  const quiet =
    '[core]\n\tbare = false\n\tfsmonitor = false\n[remote "origin"]\n\turl = https://example.org/x.git\n[alias]\n\tco = checkout\n[pager]\n\tlog = false\n';
  assert.equal(told('git-config', { ...GIT, now: quiet }), undefined);
  for (const [text, key] of [
    ['[core]\n\tfsmonitor = "./evil"\n', 'core.fsmonitor'],
    ['[CORE] HooksPath=x', 'core.hookspath'],
    ['\xEF\xBB\xBF[core]\nsshCommand = x', 'core.sshcommand'],
    ['[core]\npager = le\\\nss', 'core.pager'],
    ['[core]\neditor = x', 'core.editor'],
    ['[alias]\nst = "!sh -c x"', 'alias.st'],
    ['[filter "lfs"]\nclean = x', 'filter.lfs.clean'],
    ['[diff]\nexternal = x', 'diff.external'],
    ['[diff "a b"]\ntextconv = x', 'diff.a b.textconv'],
    ['[include]\npath = ../x', 'include.path'],
    ['[includeIf "gitdir:/p/"]\npath = ../x', 'includeif.gitdir:/p/.path'],
    ['[credential "https://x"]\nhelper = !x', 'credential.https://x.helper'],
    ['[submodule "a"]\nupdate = !x', 'submodule.a.update'],
    ['[remote "o"]\nurl = ext::sh -c x', 'remote.o.url'],
    ['[gpg "ssh"]\nprogram = x', 'gpg.ssh.program'],
    ['[merge "x"]\ndriver = y', 'merge.x.driver'],
    ['[sequence]\neditor = x', 'sequence.editor'],
    ['[pager]\nlog = x', 'pager.log'],
    ['[init]\ntemplateDir = x', 'init.templatedir'],
  ] as const) {
    const now = `${text}\n${quiet}`;
    assert.equal(told('git-config', { ...GIT, now }), key, text);
    assert.equal(told('git-config', { ...GIT, now, before: now }), undefined, 'as before');
  }
  assert.match(told('git-config', { ...GIT, now: undefined }) ?? '', /nobody has looked/);
});

test('of an installed package only the scripts are named that an installation runs', () => {
  const now = '{"scripts":{"test":"ava","postinstall":"node x"},"husky":{"hooks":{}}}';
  const look = (path: string): string | undefined => told('package-scripts', { path, now, before: '' });
  assert.equal(look('/p/node_modules/@a/b/package.json'), 'scripts.postinstall');
  assert.equal(look('/p/packages/b/package.json'), 'scripts.postinstall, scripts.test, husky.hooks');
  const tested = { now: '{"scripts":{"test":"ava"}}', before: '' };
  assert.equal(told('package-scripts', { path: '/p/node_modules/a/package.json', ...tested }), undefined);
});

test('S11: of package.json and .gitattributes what is new is named', () => {
  const look = (now: string, before = ''): string | undefined =>
    told('package-scripts', { path: '/p/package.json', now, before });
  assert.equal(look('{"name":"a"}'), undefined);
  assert.equal(look('{"scripts":{"test":"x","postinstall":"y"}}', '{"scripts":{"test":"x"}}'), 'scripts.postinstall');
  assert.equal(look('{"scripts":{"test":"z"}}', '{"scripts":{"test":"x"}}'), 'scripts.test');
  assert.equal(look('{"version":"2","scripts":{"test":"x"}}', '{"scripts":{"test":"x"}}'), undefined);
  assert.equal(look('{ // no JSON\n "scripts": {} }'), 'not plain JSON');
  const attributes = (now: string): string | undefined =>
    told('attributes', {
      path: '/p/.gitattributes',
      now,
      before: '* text=auto\n',
    });
  assert.equal(attributes('* text=auto\n# *.c filter=x\n'), undefined);
  assert.equal(attributes('* text=auto\n*.c filter=x diff=y\n'), 'filter=x, diff=y');
});

test('of package.json it is named what lets the scripts of dependencies run, or another package manager', () => {
  const look = (now: unknown, before: unknown = {}, path = '/p/package.json'): string | undefined =>
    told('package-scripts', { path, now: JSON.stringify(now), before: JSON.stringify(before) });
  for (const [value, key] of [
    [{ allowScripts: { evil: true } }, 'allowScripts'],
    [{ trustedDependencies: ['evil'] }, 'trustedDependencies'],
    [{ pnpm: { onlyBuiltDependencies: ['evil'] } }, 'pnpm.onlyBuiltDependencies'],
    [{ dependenciesMeta: { evil: { built: true } } }, 'dependenciesMeta'],
    [{ packageManager: 'pnpm@12.0.0+sha512.00' }, 'packageManager'],
    [{ config: { 'allow-plugins': { 'a/b': true } } }, 'config.allow-plugins'],
  ] as const) {
    assert.equal(look(value), key);
    assert.equal(look({ ...value, version: '2' }, value), undefined, 'as before');
    assert.equal(look(value, {}, '/p/node_modules/a/package.json'), undefined, 'of an installed package');
  }
  const before = { allowScripts: { esbuild: true }, scripts: { test: 'x' } };
  const now = { ...before, allowScripts: { esbuild: true, evil: true }, scripts: { test: 'y', install: 'z' } };
  assert.equal(look(now, before), 'scripts.install, allowScripts, scripts.test');
});

test('of pyproject.toml and Cargo.toml it is named what builds the package, and the tasks in it', () => {
  const look = (now: string, before = '', path = '/p/pyproject.toml'): string | undefined =>
    told('toml-manifest', { path, now, before });
  const plain = '[project]\nname = "a"\ndependencies = ["x"]\n';
  const build = '[build-system]\nrequires = [\n  "hatchling",\n]\n';
  assert.equal(look(plain), undefined);
  assert.equal(look(plain + build), 'build-system');
  assert.equal(look(plain + build, build), undefined, 'as before');
  assert.equal(look(build.replace('hatchling', 'evil'), build), 'build-system', 'one line of a list');
  assert.equal(look(plain + build, '', '/p/.venv/lib/site-packages/a/pyproject.toml'), undefined);
  assert.equal(look('["build-system"]\n"build-backend" = "x"\n'), 'build-system', 'quoted');
  assert.equal(look('tool.poe.tasks.x = "rm"\n[tool.hatch.envs.a]\n'), 'tool.hatch.envs, tool.poe.tasks');
  assert.equal(look('[package]\nbuild = "x.rs"\n', '', '/p/Cargo.toml'), 'package.build');
  assert.equal(look('[package\n'), 'not plain TOML');
});

test('what is nested too deep to be compared is told of, and stops nobody', () => {
  const list = '['.repeat(300_000) + ']'.repeat(300_000);
  const json = `{"scripts":{"a":${list}}}`;
  assert.equal(told('package-scripts', { path: '/p/package.json', now: json, before: '' }), 'not plain JSON');
  const toml = `tool.poe.tasks.${'a.'.repeat(100_000)}a = 1\n`;
  assert.equal(told('toml-manifest', { path: '/p/pyproject.toml', now: toml, before: '' }), 'not plain TOML');
});

test('of the settings of Mercurial and Subversion those are named that run something', () => {
  const hg = (now: string, before = ''): string | undefined => told('hg-config', { path: '/p/.hg/hgrc', now, before });
  assert.equal(hg('[paths]\ndefault = https://example.org/x\n[alias]\nci = commit -v\n'), undefined);
  assert.equal(hg('[hooks]\nprecommit.a = python:x\n'), 'hooks.precommit.a');
  assert.equal(hg('[hooks]\na = x\n  evil y\n', '[hooks]\na = x\n'), 'hooks.a', 'in a second line');
  assert.equal(hg('[alias]\nst = !x\n[ui]\nssh = x\n'), 'alias.st, ui.ssh');
  assert.equal(hg('[fix]\nfmt:command = x\n'), 'fix.fmt:command');
  assert.equal(hg('%include ../x\n'), '%include');
  const svn = (now: string): string | undefined =>
    told('svn-config', { path: '/h/.subversion/config', now, before: '' });
  assert.equal(svn('### helpers\n[helpers]\n# editor-cmd = editor\n[auth]\nstore-passwords = no\n'), undefined);
  assert.equal(svn('[helpers]\ndiff-cmd = x\n[tunnels]\nrsh = y\n'), 'helpers.diff-cmd, tunnels.rsh');
});

test('S11: samples of hooks are no hooks, and a directory called hooks is none either', () => {
  const hook = (path: string): string | undefined => told('hook', { path, now: '', before: '' });
  assert.equal(hook('/p/.git/hooks/pre-commit'), '');
  assert.equal(hook('/p/.git/hooks/pre-commit.sample'), undefined);
  assert.equal(hook('/p/src/hooks/useThing.ts'), undefined);
});

test('of what a package manager keeps in its cache, or installs for Python, only what an installation runs is named', () => {
  for (const directory of [
    '/home/u/.bun/install/cache/a@1',
    '/home/u/.cache/deno/npm/a',
    '/p/.venv/lib/site-packages/a',
  ]) {
    const look = (now: string): string | undefined =>
      told('package-scripts', { path: `${directory}/package.json`, now, before: '' });
    assert.equal(look('{"scripts":{"test":"ava"}}'), undefined, directory);
    assert.equal(look('{"scripts":{"test":"ava","preinstall":"x"}}'), 'scripts.preinstall', directory);
  }
});
