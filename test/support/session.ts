/**
 * A session for one test: a project in a fresh directory, the command line run against it, and at the end of the test
 * the proof that nothing is left: no process, no mount, and no complaint in the daemon's log.
 */
import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Layout } from '../../src/history/layout.ts';
import { CONFIG_TEMPLATE } from '../../src/rules/config/template.ts';
import { register, registered } from '../history/registry/layouts.ts';
import { type Account, self } from './accounts.ts';
import { type ExecOptions, exec, type Result, succeed } from './exec.ts';
import { lendCode, takeCode } from './kept-code.ts';
import { eventually, isGone, noProcessNaming, processesNaming } from './leaks.ts';
import { type PlainDirectory, plainDirectory } from './plain.ts';
import { hasFailed, keepFailed, takeDown, tracing } from './report/take-down.ts';
import type { TreeEntry, TreeOptions } from './tree.ts';

export interface SessionOptions {
  /** Who works in it; the user of this process by default. */
  readonly account?: Account;
  /** Directory for the session's own directory. Not /tmp: the view has a private one. */
  readonly at?: string;
  /** Puts the project's files in place before the session starts. The default: a few files of every kind. */
  readonly seed?: (project: string) => void | Promise<void>;
  /** An existing place with a project that is ready, instead of a new one; it is removed with the session. */
  readonly place?: PlainDirectory;
  /** Content of `.yolofs.toml`; without it `yolofs init` writes one. */
  readonly config?: string;
  /** The user's configuration file, `default` for none. Without it everything is allowed: most tests are not about rules. */
  readonly rules?: string;
  /** Puts away what the test has set up on the host, once the session is stopped. */
  readonly onStopped?: () => Promise<void>;
  /** Whether the daemon's log may hold errors: for tests that provoke them. */
  readonly noisy?: boolean;
}

/** One line of `status --json`. */
export interface Change {
  readonly path: string;
  readonly change: string;
  readonly type: string;
  readonly from?: string;
}

export const BUILT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
export const MAIN = join(BUILT, 'src/cli/main.js');
/** The installed program, with its launcher. */
export const PROGRAM = join(BUILT, 'src/bin/yolofs.cjs');
const TREE_MAIN = join(BUILT, 'test/support/tree-main.js');

/** Makes a project and initialises a session in it; it is taken down and checked when the test ends. */
export async function session(t: TestContext, options: SessionOptions = {}): Promise<Session> {
  const account = options.account ?? self;
  const plain = options.place ?? plainDirectory(account, options.at);
  const made = new Session(plain, account);
  t.after(async () => {
    const problems = await takeDown(made, options);
    takeCode(made.home, account);
    if (hasFailed(t) || problems.length > 0) t.diagnostic(`kept in ${keepFailed(t, made)}: logs and repro.sh`);
    plain.remove();
    assert.deepEqual(problems, [], 'the session left something behind');
  });
  if (options.place === undefined) {
    await (options.seed ?? seedSmall)(made.project);
    if (account.uid !== self.uid) await giveTo(account, made.root);
  }
  if (options.rules === undefined) allowEverything(made.home, account);
  else if (options.rules !== 'default') writeUserConfig(made.home, options.rules, account);
  if (options.config !== undefined) writeFileSync(join(made.project, '.yolofs.toml'), options.config);
  initialise(made);
  lendCode(made.home, account);
  return made;
}

/** What `yolofs init` does, which has tests of its own: a start of Node less for each session. */
function initialise({ project, home, account }: Session): void {
  const config = join(project, '.yolofs.toml');
  if (!existsSync(config)) {
    writeFileSync(config, CONFIG_TEMPLATE);
    chownSync(config, account.uid, account.gid);
  }
  // An existing place has one.
  if (existsSync(join(project, '.yolofs'))) return;
  register({ project, home, account });
}

/** No rules but the project's own. */
export function allowEverything(home: string, account: Account): void {
  writeUserConfig(home, 'default_rules = false\n', account);
}

export function writeUserConfig(home: string, text: string, account: Account): void {
  const [dir, file] = [join(home, '.config/yolofs'), join(home, '.config/yolofs/config.toml')];
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, text);
  for (const made of [dirname(dir), dir, file]) chownSync(made, account.uid, account.gid);
}

/** The reference system's seed: four files, one nested, one executable. */
export function seedSmall(project: string): void {
  mkdirSync(join(project, 'subdir'), { recursive: true });
  writeFileSync(join(project, 'hello.txt'), 'base content\n');
  writeFileSync(join(project, 'multi.txt'), 'line1\nline2\n');
  writeFileSync(join(project, 'subdir/deep.txt'), 'nested\n');
  writeFileSync(join(project, 'test.sh'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
}

/** Runs one of this suite's compiled programs on the host; it must succeed; returns its stdout. */
export function nativeProgram(path: string, args: readonly string[], options: ExecOptions = {}): Promise<string> {
  return succeed([process.execPath, join(BUILT, 'test', path), ...args], options);
}

/** A tree on the host as `account` sees it. */
export async function nativeTree(dir: string, options: TreeOptions, account: Account): Promise<TreeEntry[]> {
  return JSON.parse(
    await nativeProgram('support/tree-main.js', [dir, JSON.stringify(options)], { account }),
  ) as TreeEntry[];
}

/** Hands a tree to another account: what that account would have made itself. */
export async function giveTo(account: Account, tree: string): Promise<void> {
  const result = await exec(['chown', '-R', `${account.uid}:${account.gid}`, tree]);
  assert.equal(result.code, 0, result.stderr);
}

export class Session {
  /** Holds everything of this session; no other process on the machine names it. */
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly account: Account;

  constructor(plain: PlainDirectory, account: Account) {
    this.root = plain.root;
    this.project = plain.project;
    this.home = plain.home;
    this.account = account;
  }

  /** Where the session keeps what; it is looked for each time, as a test may move it. */
  get layout(): Layout {
    return registered(this.project, this.home);
  }

  /** `yolofs ARGS` in the project. */
  cli(args: readonly string[], options: ExecOptions = {}): Promise<Result> {
    return exec([process.execPath, MAIN, ...args], this.#with(options));
  }

  /** As `cli`, and it must exit 0; returns stdout. */
  async succeed(args: readonly string[], options: ExecOptions = {}): Promise<string> {
    const result = await this.cli(args, options);
    assert.equal(result.code, 0, `yolofs ${args.join(' ')}: exit ${result.code}\n${result.stdout}${result.stderr}`);
    return result.stdout;
  }

  /** Runs `script` with sh in the view; it must succeed; returns its stdout. */
  sh(script: string, options: ExecOptions = {}): Promise<string> {
    return this.#inView([], ['sh', '-euc', script], options);
  }

  /** Runs one of this suite's compiled programs in the view, e.g. `conformance/main.js`. */
  program(path: string, args: readonly string[], options: ExecOptions = {}): Promise<string> {
    return this.#inView([], [process.execPath, join(BUILT, 'test', path), ...args], options);
  }

  /** The same command outside of the view, as the same account with the same environment. */
  native(argv: readonly string[], options: ExecOptions = {}): Promise<Result> {
    return exec(argv, this.#with(options));
  }

  /** A tree as the view shows it; without `dir` that of the project. */
  async tree(options: TreeOptions = {}, dir = this.project): Promise<TreeEntry[]> {
    const argv = [process.execPath, TREE_MAIN, dir, JSON.stringify(options)];
    return JSON.parse(await this.#inView(['--no-snapshot'], argv)) as TreeEntry[];
  }

  /** A tree as it is on the host; without `dir` that of the project. */
  baseTree(options: TreeOptions = {}, dir = this.project): Promise<TreeEntry[]> {
    return nativeTree(dir, options, this.account);
  }

  /** `status --json`, with paths relative to the project where they lie in it. */
  async changes(): Promise<Change[]> {
    const answer = JSON.parse(await this.succeed(['status', '--json'])) as { changes: Change[] };
    const short = (path: string): string =>
      path.startsWith(`${this.project}/`) ? path.slice(this.project.length + 1) : path;
    return answer.changes.map((c) => ({
      ...c,
      path: short(c.path),
      ...(c.from === undefined ? {} : { from: short(c.from) }),
    }));
  }

  /** The changes as short lines such as `renamed b < a`, for comparing whole lists at once. */
  async changeLines(): Promise<string[]> {
    return (await this.changes()).map((c) => `${c.change} ${c.path}${c.from === undefined ? '' : ` < ${c.from}`}`);
  }

  commit(): Promise<string> {
    return this.succeed(['commit', '--yes']);
  }

  /**
   * A commit whose originals are dropped at once, as ten later commits do: until then a deleted name of a base file
   * with several is one of its names in the backups, and the link count tells.
   */
  async commitForGood(): Promise<void> {
    await this.commit();
    // By another name, as the daemon may still be copying content back into the store.
    const gone = join(this.root, 'gone');
    renameSync(this.layout.commits, gone);
    rmSync(gone, { recursive: true });
  }

  abort(): Promise<string> {
    return this.succeed(['abort', '--yes']);
  }

  /** Asks the live daemon for its process id, over its socket; rejects when there is none. */
  async daemonPid(): Promise<number> {
    const reply = (await this.ask({ op: 'hello' })) as { ok: { pid: number } };
    return reply.ok.pid;
  }

  /** One request of the control protocol, and the line that answers it. */
  ask(request: object): Promise<unknown> {
    return new Promise((done, reject) => {
      const socket = connect(this.layout.socket);
      let text = '';
      socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer to ${JSON.stringify(request)}`)));
      socket.on('error', reject);
      socket.on('close', () => reject(Object.assign(new Error('hung up without an answer'), { code: 'ECONNRESET' })));
      socket.on('data', (piece) => {
        text += piece.toString();
        if (!text.includes('\n')) return;
        socket.end();
        done(JSON.parse(text.slice(0, text.indexOf('\n'))));
      });
      socket.write(`${JSON.stringify(request)}\n`);
    });
  }

  /** What `yolofs stop` does, where there is a daemon: a start of Node less for each session. */
  async stop(): Promise<void> {
    // A project may be moved away by its test, or have a path that is too long for a socket's address.
    const { socket } = this.layout;
    if (!existsSync(socket)) return;
    if (Buffer.byteLength(socket) > 107) await this.cli(['stop'], { timeout: 10_000 });
    else await this.#stopBySocket().catch(ignoreNobody);
  }

  /** Who starts another daemon at once must not find this one yet: it answers before it has ended. */
  async #stopBySocket(): Promise<void> {
    const pid = await this.daemonPid();
    await this.ask({ op: 'stop' });
    await eventually(() => isGone(pid));
  }

  /** kill -9 of the daemon, and everything in the view must go with it. */
  async killDaemon(): Promise<void> {
    process.kill(await this.daemonPid(), 'SIGKILL');
    const gone = await noProcessNaming(this.root);
    const left = processesNaming(this.root).map(({ pid, command }) => `${pid} ${command}`);
    assert.ok(gone, `processes outlive the daemon they were served by:\n${left.join('\n')}`);
  }

  /** What the daemon has written to its log. */
  log(): string {
    const path = this.layout.log;
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** As the installed program does it, which takes a tenth of the processor time of `cli(['run', …])`. */
  async #inView(flags: readonly string[], argv: readonly string[], options: ExecOptions = {}): Promise<string> {
    const result = await exec([PROGRAM, 'run', '--quiet', ...flags, '--', ...argv], this.#with(options));
    assert.equal(result.code, 0, `run ${argv.join(' ')}: exit ${result.code}\n${result.stdout}${result.stderr}`);
    return result.stdout;
  }

  #with(options: ExecOptions): ExecOptions {
    const env = { HOME: this.home, YOLOFS_TEST_ROOT: this.root, ...tracing(this.root), ...options.env };
    return { cwd: this.project, account: this.account, ...options, env };
  }
}

function ignoreNobody(error: NodeJS.ErrnoException): void {
  if (!['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')) throw error;
}
