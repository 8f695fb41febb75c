/** Sources in just-bash: the tools that agents know, over a directory as the source; and what a source that fails is called. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type BashSession, bashFor, Mounted, mount } from '../../../src/sources/shell/session.ts';
import type { Entry, Read, Source } from '../../../src/sources/source.ts';
import { SourceError } from '../../../src/sources/source.ts';
import { EACCES, EIO } from '../../../src/sys/errno.ts';

const PAGES: Readonly<Record<string, string>> = {
  'auth/oauth.mdx': '# OAuth\nUse the access_token of the flow.\nÜber alles\n',
  'auth/api-keys.mdx': '# Keys\nno token here\n',
  'guides/start.mdx': 'Begin with an access_token\n',
  'guides/.hidden.mdx': 'access_token\n',
  'internal/billing.mdx': 'access_token of the bank\n',
  'empty.mdx': '',
};
const ACL = { '': ['public'], internal: ['billing'] };

function pages(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-test-shell-'));
  t.after(() => rmSync(dir, { recursive: true }));
  for (const [path, text] of Object.entries(PAGES)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true });
    writeFileSync(join(dir, path), text);
    utimesSync(join(dir, path), 1700000000, 1700000000);
  }
  symlinkSync('auth/oauth.mdx', join(dir, 'link.mdx'));
  writeFileSync(join(dir, '.acl.json'), JSON.stringify(ACL));
  return dir;
}

async function session(t: TestContext, as: readonly string[] = []): Promise<{ bash: BashSession; dir: string }> {
  const dir = pages(t);
  const docs = await mount({ kind: 'memory', dir });
  t.after(() => docs.close());
  return { bash: await bashFor({ '/docs': docs }, { as }), dir };
}

async function text(bash: BashSession, command: string): Promise<string> {
  const { stdout, stderr, exitCode } = await bash.exec(command);
  return `${stdout}${stderr}(${exitCode})`;
}

describe('a just-bash session over a source', () => {
  test('lists, reads and finds, with true sizes and times', async (t) => {
    const { bash } = await session(t);
    assert.equal(await text(bash, 'ls /docs'), 'auth\nempty.mdx\nguides\nlink.mdx\n(0)');
    assert.equal(await text(bash, 'cat auth/oauth.mdx'), `${PAGES['auth/oauth.mdx']}(0)`);
    assert.equal(await text(bash, 'head -n 1 link.mdx'), '# OAuth\n(0)');
    assert.equal(await text(bash, 'find . -empty -type f'), './empty.mdx\n(0)');
    assert.equal(await text(bash, 'wc -c auth/oauth.mdx | cut -d" " -f1; stat -c %s auth/oauth.mdx'), '54\n54\n(0)');
    assert.match(await text(bash, 'ls -l auth/oauth.mdx'), / +54 Nov 14 /);
  });

  test('stays in the directory of the command before', async (t) => {
    const { bash } = await session(t);
    await bash.exec('cd auth');
    assert.equal(await text(bash, 'pwd; cat ../guides/start.mdx'), `/docs/auth\n${PAGES['guides/start.mdx']}(0)`);
    assert.equal(bash.cwd, '/docs/auth');
  });

  test('shows nobody more than the groups may see', async (t) => {
    const { bash } = await session(t);
    const hidden = await text(bash, 'cat internal/billing.mdx');
    assert.equal(hidden.replace('billing', 'x'), (await text(bash, 'cat internal/x.mdx')).replace('billing', 'x'));
    assert.equal(
      await text(bash, 'ls internal; grep -rl bank .; find / -name "billing*"'),
      'ls: internal: No such file or directory\n(0)',
    );
    const { bash: billing } = await session(t, ['billing']);
    assert.equal(await text(billing, 'grep -rl bank .'), './internal/billing.mdx\n(0)');
  });

  test('greps as GNU grep does', async (t) => {
    const { bash, dir } = await session(t, ['billing']);
    const asked = [
      '-rn access_token .',
      '-ri ÜBER .',
      '-c token auth/oauth.mdx auth/api-keys.mdx',
      '-rL token .',
      '-ow "[a-z]*_token" guides/start.mdx',
      '-rhE "^(Use|Begin)" auth guides',
      '-v token auth/api-keys.mdx',
      'x none auth',
      '-rF access_token ./guides --include=s*',
    ];
    for (const args of asked) {
      const { stdout, stderr, exitCode } = await bash.exec(`grep ${args}`);
      const native = execFileSync('bash', ['-c', `grep ${args} --exclude=.acl.json; echo "($?)"`], {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      }).toString();
      const sorted = (lines: string): string => lines.split('\n').sort().join('\n');
      assert.equal(sorted(`${stdout}(${exitCode})\n`), sorted(native), `grep ${args}: ${stderr}`);
    }
    assert.equal(await text(bash, 'echo "a token" | grep -o token'), 'token\n(0)');
    assert.equal(
      await text(bash, 'echo "a token" > /tmp/x; grep -r token /tmp guides/start.mdx'),
      '/tmp/x:a token\nguides/start.mdx:Begin with an access_token\n(0)',
    );
  });

  test('searches with rg', async (t) => {
    const { bash } = await session(t);
    assert.equal(await text(bash, 'rg -l access_token'), 'auth/oauth.mdx\nguides/start.mdx\n(0)');
    assert.equal(await text(bash, 'rg -c "^#" auth'), 'auth/api-keys.mdx:1\nauth/oauth.mdx:1\n(0)');
  });

  test('cannot be written to, and goes on', async (t) => {
    const { bash } = await session(t);
    assert.equal(await text(bash, 'echo x > /docs/new.mdx'), 'bash: /new.mdx: Read-only file system\n(1)');
    assert.match(await text(bash, 'rm empty.mdx'), /EROFS|Read-only/);
    assert.equal(await text(bash, 'echo x > /tmp/y 2>/dev/null; cat /tmp/y'), 'x\n(0)');
  });
});

/** A source whose content fails or counts. */
class Frail implements Source {
  batches: string[][] = [];
  version = '1';
  readonly #entries: readonly Entry[];
  readonly #read: (path: string) => Read;

  constructor(paths: readonly string[], read: (path: string) => Read) {
    this.#entries = paths.map((path) => ({ path, kind: 'file', size: 5, mtime: 0, rev: '1', acl: ['public'] }));
    this.#read = read;
  }

  async tree(_: unknown, known: string | undefined): ReturnType<Source['tree']> {
    return known === this.version ? 'unchanged' : { version: this.version, entries: this.#entries };
  }

  async readMany(entries: readonly Entry[]): Promise<Read[]> {
    this.batches.push(entries.map(({ path }) => path));
    // Timers are what just-bash takes away from its commands.
    await new Promise((resolve) => setTimeout(resolve, 1));
    return entries.map(({ path }) => this.#read(path));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const HELLO: Read = { content: Buffer.from('hello'), rev: '1' };

describe('a source', () => {
  test('that fails is named with its errno by every command, and the exit code says so', async () => {
    const source = new Frail(['a', 'b'], (path) =>
      path === 'a' ? { errno: EIO, cause: 'the server is down' } : HELLO,
    );
    const bash = await bashFor({ '/docs': new Mounted(source, []) });
    assert.equal(await text(bash, 'cat a'), 'cat: a: Input/output error\n(1)');
    assert.match(await text(bash, 'head -n1 a'), /Input\/output error/);
    assert.equal(await text(bash, 'grep -r hello .'), './b:hello\ngrep: ./a: Input/output error\n(2)');
    assert.match(await text(bash, 'rg hello'), /b:1:hello(.|\n)*Input\/output error \(the server is down\)\n\(1\)/);
    const closed = new Frail(['a'], () => ({ errno: EACCES, cause: 'no' }));
    assert.equal(
      await text(await bashFor({ '/d': new Mounted(closed, []) }), 'cat a'),
      'cat: a: Permission denied\n(1)',
    );
  });

  test('is asked for many files at once, and for none twice', async () => {
    const paths = Array.from({ length: 300 }, (_, i) => `d/${i}`);
    const source = new Frail(paths, () => HELLO);
    const mounted = new Mounted(source, []);
    const bash = await bashFor({ '/docs': mounted });
    assert.equal(await text(bash, 'grep -rc hello . | wc -l'), '300\n(0)');
    assert.ok(source.batches.length <= 3, `${source.batches.length} requests`);
    const later = await bashFor({ '/docs': mounted });
    assert.equal(await text(later, 'cat d/7'), 'hello(0)');
    assert.ok(source.batches.length <= 3, 'what one session has read is there for the next');
  });

  test('is looked at anew by the next session when it has changed', async () => {
    const source = new Frail(['a'], () => HELLO);
    const mounted = new Mounted(source, []);
    const [first, second] = [await mounted.files(), await mounted.files()];
    assert.equal(first, second);
    source.version = '2';
    assert.notEqual(await mounted.files(), first);
  });

  test('that does not answer at all is an error of bashFor, with its cause', async () => {
    const down = new Frail([], () => HELLO);
    down.tree = () => Promise.reject(new SourceError(EIO, 'connection refused'));
    await assert.rejects(bashFor({ '/docs': new Mounted(down, []) }), /connection refused/);
  });
});
