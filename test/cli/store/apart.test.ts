/** Projects whose file system cannot hold the store: nobody can write to it, or its directories have other numbers each time. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts, self } from '../../support/accounts.ts';
import { processesNaming } from '../../support/leaks.ts';
import { has } from '../../support/need.ts';
import { session } from '../../support/session.ts';

for (const account of accounts()) {
  test(`a read-only mount is a project, as ${account.title}: what is staged lies in the registry, and a commit copies`, async (t) => {
    if (process.getuid?.() !== 0 || !has(t, ['mount', 'umount'])) return;
    let unmount = async (): Promise<void> => undefined;
    const s = await session(t, { account, onStopped: () => unmount() });
    const project = join(s.root, 'read-only');
    mkdirSync(project);
    writeFileSync(join(project, 'file'), 'base\n');
    for (const path of [project, join(project, 'file')]) chownSync(path, account.uid, account.gid);
    execFileSync('mount', ['--bind', project, project]);
    unmount = async (): Promise<void> => {
      execFileSync('umount', ['--lazy', project]);
    };
    execFileSync('mount', ['-o', 'remount,bind,ro', project]);
    const at = { cwd: project };

    const init = await s.cli(['init'], at);
    assert.match(init.stderr, /^what is staged is kept in .*\/yolofs\/sessions\/path-[0-9a-f]{32}: /);
    assert.equal(init.code, 0);
    const write = 'echo more >> file; echo new > added; cat file';
    assert.equal(await s.succeed(['run', '--quiet', '-c', write], at), 'base\nmore\n');
    const refused = await s.cli(['commit', '--yes'], at);
    assert.match(refused.stderr, /cannot be written to: read-only file system \(EROFS\)$/m);
    for (const { pid } of processesNaming(project)) process.kill(pid, 'SIGKILL');
    assert.equal(await s.succeed(['run', '--quiet', '-c', 'cat file added'], at), 'base\nmore\nnew\n');
    assert.deepEqual(readdirSync(project), ['file']);

    execFileSync('mount', ['-o', 'remount,bind,rw', project]);
    await s.succeed(['commit', '--yes'], at);
    assert.deepEqual(
      [readFileSync(join(project, 'file'), 'utf8'), readdirSync(project)],
      ['base\nmore\n', ['added', 'file']],
    );
    await s.succeed(['undo'], at);
    assert.deepEqual([readFileSync(join(project, 'file'), 'utf8'), readdirSync(project)], ['base\n', ['file']]);
    await s.succeed(['stop'], at);
  });
}

test('on an overlay of two file systems, whose directories get other numbers, a session is found again', async (t) => {
  if (process.getuid?.() !== 0 || !has(t, ['mount', 'umount'])) return;
  let unmount = async (): Promise<void> => undefined;
  const s = await session(t, { account: self, onStopped: () => unmount() });
  const lower = join(s.root, 'lower');
  const memory = join(s.root, 'memory');
  const project = join(s.root, 'overlay');
  const mountOverlay = (): void => {
    const layers = `lowerdir=${lower},upperdir=${memory}/upper,workdir=${memory}/work`;
    execFileSync('mount', ['-t', 'overlay', '-o', layers, 'overlay', project]);
  };
  for (const path of [lower, memory, project]) mkdirSync(path);
  writeFileSync(join(lower, 'file'), 'base\n');
  execFileSync('mount', ['-t', 'tmpfs', 'memory', memory]);
  for (const name of ['upper', 'work', 'upper/seen-first']) mkdirSync(join(memory, name));
  mountOverlay();
  unmount = async (): Promise<void> => {
    for (const path of [project, memory]) execFileSync('umount', ['--lazy', path]);
  };
  const at = { cwd: project };
  await s.succeed(['init'], at);
  await s.succeed(['run', '--quiet', '-c', 'echo more >> file; mkdir -p new/dir; echo new > new/dir/added'], at);
  await s.succeed(['stop'], at);
  // Lazily: sessions of others, made meanwhile, have it mounted, too.
  execFileSync('umount', ['--lazy', project]);
  mountOverlay();
  // The first that is looked at gets the first number.
  statSync(join(project, 'seen-first'));
  assert.equal(await s.succeed(['run', '--quiet', '-c', 'cat file new/dir/added'], at), 'base\nmore\nnew\n');
  assert.deepEqual(readdirSync(project).sort(), ['.yolofs', '.yolofs.toml', 'file', 'seen-first']);
  await s.succeed(['commit', '--yes', 'new'], at);
  assert.equal(readFileSync(join(project, 'new/dir/added'), 'utf8'), 'new\n');
  await s.succeed(['undo'], at);
  assert.deepEqual(readdirSync(project).sort(), ['.yolofs', '.yolofs.toml', 'file', 'seen-first']);
  await s.succeed(['stop'], at);
});
