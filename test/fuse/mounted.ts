/**
 * A MemoryFs mounted for a test: the daemon is a child process in a mount namespace of its own (and for an
 * ordinary user a user namespace), commands enter it with nsenter. Nothing is mounted on the host.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Account, become } from '../support/accounts.ts';
import { CLEAN_ENV, exec, type Result } from '../support/exec.ts';
import { mountsBelow } from '../support/leaks.ts';
import type { Command, DaemonOptions } from './memory-daemon.ts';

const DAEMON = fileURLToPath(new URL('./memory-daemon.js', import.meta.url));

const MOUNT_AND_SERVE = `
set -e
exec 3<>/dev/fuse
options=fd=3,rootmode=40000,user_id=$(id -u),group_id=$(id -g),allow_other,default_permissions
mount -i -t fuse -o "$options" yolofs-memory "$1"
exec "$2" --enable-source-maps "$3" "$4"
`;

/** Runs `body` with a mounted MemoryFs and a plain directory beside it; afterwards neither is left. */
export async function withMount(
  account: Account,
  options: DaemonOptions,
  body: (mount: Mount) => Promise<void>,
): Promise<void> {
  // Not /tmp, which may be a tmpfs without extended attributes.
  const root = mkdtempSync('/var/tmp/yolofs-fuse-');
  try {
    for (const name of ['', 'view', 'plain']) {
      mkdirSync(join(root, name), { recursive: true });
      chownSync(join(root, name), account.uid, account.gid);
    }
    const mount = new Mount(root, account, options);
    try {
      await body(mount);
    } finally {
      await mount.end();
    }
    assert.equal(mount.said, '', 'the daemon had nothing to complain about');
    assert.deepEqual(mountsBelow(root), []);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export class Mount {
  readonly view: string;
  readonly plain: string;
  /** What the daemon wrote to stderr. */
  said = '';
  readonly #account: Account;
  readonly #daemon: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(root: string, account: Account, options: DaemonOptions) {
    this.view = join(root, 'view');
    this.plain = join(root, 'plain');
    this.#account = account;
    const owned: DaemonOptions = { uid: account.uid, gid: account.gid, ...options };
    const words = ['sh', '-c', MOUNT_AND_SERVE, 'sh', this.view, process.execPath, DAEMON, JSON.stringify(owned)];
    const [command = '', ...args] = [...become(account), 'unshare', ...namespaces(account), '--', ...words];
    this.#daemon = spawn(command, args, { env: CLEAN_ENV, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#daemon.stderr?.on('data', (piece: Buffer) => {
      this.said += piece.toString();
    });
    const lines: Interface = createInterface({ input: this.#daemon.stdout ?? process.stdin });
    this.#answers = lines[Symbol.asyncIterator]();
  }

  /** Sends a command to the daemon and returns its answer. */
  async ask(command: Command): Promise<unknown> {
    this.#daemon.stdin?.write(`${JSON.stringify(command)}\n`);
    return this.nextLine();
  }

  /** The next line of JSON from the daemon. */
  async nextLine(): Promise<unknown> {
    const { value, done } = await this.#answers.next();
    assert.ok(done !== true, `the daemon is gone: ${this.said}`);
    return JSON.parse(value);
  }

  /** Runs a program where the mount can be seen, with the account's rights. */
  async run(argv: readonly string[], cwd = this.view): Promise<Result> {
    // The daemon answers once it serves: before that there may be nothing to enter.
    await this.ask({ do: 'stats' });
    const inside = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', cwd, ...argv];
    const enter = ['nsenter', '-t', `${this.#daemon.pid}`, ...namespaces(this.#account, true), '--'];
    return exec([...enter, ...inside], { account: this.#account });
  }

  /** Runs a shell script that must succeed and returns what it printed. */
  async sh(script: string, cwd = this.view): Promise<string> {
    const { code, stdout, stderr } = await this.run(['sh', '-euc', script], cwd);
    assert.equal(code, 0, `${script}\n${stdout}${stderr}${this.said}`);
    return stdout;
  }

  async end(): Promise<void> {
    this.#daemon.stdin?.end();
    if (this.#daemon.exitCode === null) await once(this.#daemon, 'exit');
  }
}

function namespaces(account: Account, enter = false): string[] {
  if (account.uid === 0) return ['--mount'];
  if (enter) return ['--mount', '--user', '--preserve-credentials'];
  return ['--user', '--map-current-user', '--keep-caps', '--mount'];
}
