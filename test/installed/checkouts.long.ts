/**
 * The first hour of a new user: `npm ci && npm run demo` and a smoke test, wherever the checkout lies. npm fetches what its cache
 * has not; the cache stays from one run to the next (host-state.ts).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Account, accounts, isRoot } from '../support/accounts.ts';
import { exec, NETWORK_ENV, type Result } from '../support/exec.ts';
import { has, leaveOut } from '../support/need.ts';
import { giveTo } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';

const TIMEOUT = 240_000;
/** Made by npm, by git, by yolofs: no part of a checkout that is new. */
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.yolofs', '.node']);

interface Kind {
  readonly title: string;
  /** The directory to make the checkout in; undefined, after saying so, where this host has none. */
  readonly parent: (t: TestContext, account: Account) => string | undefined;
  readonly name: string;
}

const KINDS: readonly Kind[] = [
  { title: "in the account's home directory", parent: (t, account) => homeOf(account) ?? without(t), name: 'yolofs' },
  { title: 'below a path with spaces and other letters', parent: () => '/var/tmp', name: 'mein wörk スペース' },
  { title: 'on another file system', parent: (t) => otherFileSystem(t), name: 'yolofs' },
];

for (const account of accounts()) {
  for (const { title, parent, name } of KINDS) {
    test(`N1: npm ci, the demo and a smoke test hold in a checkout ${title}, as ${account.title}`, async (t) => {
      if (!has(t, ['npm'])) return;
      const dir = parent(t, account);
      if (dir === undefined) return;
      const root = mkdtempSync(join(dir, 'yolofs-checkout-'));
      t.after(() => rmSync(root, { recursive: true, force: true }));
      const checkout = join(root, name);
      cpSync(REPOSITORY, checkout, {
        recursive: true,
        filter: (path) => !NOT_COPIED.has(path.slice(REPOSITORY.length + 1)),
      });
      await giveTo(account, root);
      const cache = `/var/tmp/yolofs-checkouts-${account.uid}-cache`;
      mkdirSync(cache, { recursive: true });
      await giveTo(account, cache);
      const run = (...words: string[]): Promise<Result> => {
        const npm = { npm_config_cache: cache, npm_config_update_notifier: 'false', npm_config_audit: 'false' };
        const home = homeOf(account) ?? root;
        return exec(words, { cwd: checkout, account, timeout: TIMEOUT, env: { ...NETWORK_ENV, ...npm, HOME: home } });
      };

      holds(await run('npm', 'ci', '--prefer-offline'));
      const demo = await run('npm', 'run', 'demo');
      holds(demo);
      assert.match(demo.stdout, /Every claim held\.\n$/);
      holds(await run(process.execPath, '--test', 'dist/test/readme.test.js', 'dist/test/installed/installed.test.js'));
      // What is built stays what it is, and is no reason to fail.
      const production = await run('npm', 'ci', '--prefer-offline', '--omit=dev');
      holds(production);
      assert.match(production.stdout + production.stderr, /not built: that takes the development dependencies/);
      holds(await run(process.execPath, 'dist/src/cli/main.js', '--version'));
    });
  }
}

function holds({ code, stdout, stderr }: Result): void {
  assert.equal(code, 0, `${stdout.slice(-3000)}\n${stderr.slice(-3000)}`);
}

/** As /etc/passwd has it, where it is there. */
function homeOf({ uid }: Account): string | undefined {
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
  const home = rows.map((row) => row.split(':')).find((row) => row[2] === String(uid))?.[5];
  return home !== undefined && existsSync(home) ? home : undefined;
}

function without(t: TestContext): undefined {
  leaveOut(t, 'the account has no home directory');
}

/** Of the size of a checkout with its libraries, gone with the test. */
function otherFileSystem(t: TestContext): string | undefined {
  if (!isRoot) {
    leaveOut(t, 'only root can mount one');
    return undefined;
  }
  const at = mkdtempSync('/var/tmp/yolofs-mount-');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g,mode=755', 'yolofs-checkout', at]);
  t.after(() => {
    execFileSync('umount', ['--lazy', at]);
    rmSync(at, { recursive: true });
  });
  return at;
}
