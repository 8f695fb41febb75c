/** `yolofs mount`: the view at a directory of the host. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sourceOf } from '../../../src/daemon/outside/source.ts';
import { mountsNamed } from '../../../src/sandbox/unmount.ts';
import { findTool } from '../../../src/sys/process/process.ts';
import { type Account, accounts } from '../../support/accounts.ts';
import { exec, type Result } from '../../support/exec.ts';
import { eventually, processesNaming } from '../../support/leaks.ts';
import { giveTo, type Session, session } from '../../support/session.ts';

/** A session with an empty directory `at`; undefined where an ordinary user has no fusermount3: then that is said. */
async function mountable(t: TestContext, account: Account, rules?: string) {
  const s = await session(t, {
    account,
    ...(rules === undefined ? {} : { rules }),
  });
  const at = join(s.root, 'at');
  mkdirSync(at, { mode: 0o700 });
  await giveTo(account, at);
  if (account.uid === 0 || findTool('fusermount3') !== undefined || findTool('fusermount') !== undefined) {
    return {
      s,
      at,
      project: at + s.project,
      host: (script: string) => host(account, script),
    };
  }
  assert.match((await s.cli(['mount', at])).stderr, /^yolofs: mount: 'fusermount3' is not installed on this host\n/);
  t.diagnostic('no fusermount3: only the refusal is shown');
  return undefined;
}

function host(account: Account, script: string): Promise<Result> {
  return exec(['sh', '-c', script], { account, cwd: '/' });
}

async function mount(s: Session, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await s.cli(['mount', ...args]);
  assert.equal(code, 0, stderr);
  return stdout.trimEnd();
}

for (const account of accounts()) {
  test(`mount shows the view, to be read, and takes nothing out of it, as ${account.title}`, async (t) => {
    const made = await mountable(t, account);
    if (made === undefined) return;
    const { s, at, project, host } = made;
    await s.sh(
      'echo staged > new; echo "#!/bin/sh" > run; chmod +x run; git init -q; cd subdir; ln -s ../hello.txt up',
    );
    await s.sh('ln -s /etc/hostname abs; ln -s ../../../../../../../../../../etc/passwd out; ln -s hello.txt same');
    assert.equal(await mount(s, at), at);
    assert.equal((await host(`cd ${project}; cat new same subdir/up`)).stdout, 'staged\nbase content\nbase content\n');
    const links = (await host(`cd ${project}; readlink same abs out subdir/up`)).stdout;
    assert.equal(links, `hello.txt\n${at}/etc/hostname\n${at}/etc/passwd\n${project}/hello.txt\n`);
    assert.equal((await host(`${project}/run`)).code, 126, 'nothing is executed from it');
    assert.match((await host(`echo x > ${project}/hello.txt`)).stderr, /Read-only file system/);
    assert.match((await host(`cd ${project} && git status`)).stderr, /dubious ownership/);
    assert.equal(await s.sh(`ls -A ${s.root} | grep -cx at || true; cd ${at} 2>/dev/null || echo none`), '0\nnone\n');
    assert.equal((await s.cli(['unmount'])).code, 0);
    assert.deepEqual(readdirSync(at), []);
    assert.equal(await s.sh(`ls -d ${at}`), `${at}\n`, 'the view has the directory again');
  });

  test(`what is written by mount --write is staged, by nobody's run, as ${account.title}`, async (t) => {
    const ask = `default_rules = false\n[ask]\ndefault = "allow"\n[rules]\n"**/asked" = "ask"\n"**/denied" = "deny"\n`;
    const made = await mountable(t, account, ask);
    if (made === undefined) return;
    const { s, at, project, host } = made;
    await s.sh('cat hello.txt; echo a > asked; echo d > subdir/x');
    await mount(s, '--write', at);
    await host(`cd ${project}; echo more >> hello.txt; echo new > made; mv subdir/x subdir/y; rm multi.txt`);
    assert.equal(await s.sh('cat hello.txt made; ls . subdir'), ownFiles());
    assert.equal((await host(`cat ${project}/asked`)).code, 1, 'nobody is asked, so it is refused');
    assert.equal((await host(`echo x > ${project}/denied`)).code, 2);
    assert.equal(await s.sh('echo inside >> hello.txt; cat asked'), 'a\n');
    assert.equal((await host(`tail -n1 ${project}/hello.txt`)).stdout, 'inside\n');
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    assert.equal((await s.cli(['unmount'])).code, 0);
    const audit = JSON.parse((await s.cli(['audit', '--json', '--', 'made'])).stdout) as { run?: number }[];
    assert.ok(audit.length > 0 && audit.every(({ run }) => !run), JSON.stringify(audit));
    assert.ok(existsSync(join(s.project, 'multi.txt')));
  });

  test(`a mount goes with its daemon, and what is left of it at the next start, as ${account.title}`, async (t) => {
    const made = await mountable(t, account);
    if (made === undefined) return;
    const { s, at } = made;
    const mounts = (): string[] => mountsNamed(sourceOf(s.layout));
    await mount(s, at);
    await s.stop();
    assert.deepEqual(mounts(), [], 'after a stop');
    await mount(s, at);
    await s.killDaemon();
    assert.ok(await eventually(() => mounts().length === 0), 'after the daemon was killed');
    await mount(s, at);
    for (const pid of guardsOf(at)) process.kill(pid, 'SIGKILL');
    await s.killDaemon();
    assert.deepEqual(mounts(), [at], 'nobody is left who would take it away');
    await s.sh('true');
    assert.deepEqual(mounts(), [], 'at the next start');
  });

  test(`mount says in one line why it does not, as ${account.title}`, async (t) => {
    const made = await mountable(t, account);
    if (made === undefined) return;
    const { s, at } = made;
    const [full, link, missing] = [join(s.root, 'full'), join(s.root, 'link'), join(s.root, 'missing')];
    mkdirSync(full);
    writeFileSync(join(full, 'x'), '');
    symlinkSync(at, link);
    await giveTo(account, full);
    const refusal = async (args: readonly string[], env = {}): Promise<string | undefined> => {
      const { code, stderr } = await s.cli(['mount', ...args], { env });
      assert.equal(code, 1);
      return stderr.split('\n')[0]?.replaceAll(s.root, 'ROOT');
    };
    assert.equal(await refusal([full]), 'yolofs: mount: cannot mount at ROOT/full: it is not empty');
    assert.equal(await refusal([link]), 'yolofs: mount: cannot mount at ROOT/link: it is a symlink');
    assert.equal(await refusal([missing]), 'yolofs: mount: cannot mount at ROOT/missing: there is no such directory');
    const noDirectory = await refusal([], { XDG_RUNTIME_DIR: '' });
    assert.equal(noDirectory, 'yolofs: mount: $XDG_RUNTIME_DIR is no directory of yours');
    await s.sh(`touch ${at}/staged`);
    assert.match((await refusal([at])) ?? '', /something is staged in that directory/);
    await s.sh(`rm ${at}/staged`);
    assert.equal((await s.cli(['unmount'])).stderr, 'yolofs: unmount: the view is not mounted on this host\n');
    const made2 = await s.cli(['mount'], { env: { XDG_RUNTIME_DIR: s.home } });
    assert.equal(made2.code, 0, made2.stderr);
    assert.match((await refusal([at])) ?? '', /the view is mounted at ROOT\/.*\/yolofs\/project-/);
    assert.equal((await s.cli(['unmount'])).code, 0);
    assert.deepEqual(readdirSync(join(s.home, 'yolofs')), [], 'the directory that was made for it is gone');
  });
}

function ownFiles(): string {
  return 'base content\nmore\nnew\n.:\nasked\nhello.txt\nmade\nsubdir\ntest.sh\n\nsubdir:\ndeep.txt\ny\n';
}

/** The processes that take the mount away should the daemon die. */
function guardsOf(at: string): number[] {
  const named = processesNaming(at).filter(({ command }) => command.includes('yolofs-mount'));
  return named.map(({ pid }) => pid);
}
