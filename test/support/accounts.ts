/** On whose behalf a session runs: the user of this process or, when that is root, an ordinary user too. */
import { accessSync, chmodSync, constants, readFileSync, statSync } from 'node:fs';

export interface Account {
  /** For test titles. */
  readonly title: string;
  readonly uid: number;
  readonly gid: number;
}

export const self: Account = {
  title: process.getuid?.() === 0 ? 'root' : 'an ordinary user',
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
};

export const isRoot = self.uid === 0;
/** Whether this run is what a developer waits for. */
export const isQuick = process.env.YOLOFS_TEST_QUICK === '1';

/**
 * The ordinary user of this run: this process's own or, as root, `$YOLOFS_TEST_USER`, else the first account
 * with a login, else a number that no account has (the product must not need one).
 */
export function ordinary(): Account {
  if (!isRoot) return self;
  const wanted = process.env.YOLOFS_TEST_USER;
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find(([name, , uid]) => (wanted === undefined ? isPerson(Number(uid)) : name === wanted));
  if (row === undefined && wanted !== undefined) throw new Error(`$YOLOFS_TEST_USER: no account is called ${wanted}`);
  openFuse();
  return { title: 'an ordinary user', uid: Number(row?.[2] ?? 12345), gid: Number(row?.[3] ?? 12345) };
}

/** The accounts that a test of both kinds runs as: root and an ordinary user; in a quick run just the latter. */
export function accounts(): Account[] {
  return isRoot && !isQuick ? [self, ordinary()] : [ordinary()];
}

/**
 * The same for suites whose subject does not hang on rights: the ordinary user alone, with `--all` both. Each account doubles
 * the time of a suite, and all others run as both.
 */
export function someAccounts(): Account[] {
  return process.env.YOLOFS_TEST_LONG === undefined ? [ordinary()] : accounts();
}

/** The command words that turn root into `account`; none when it is this process's own. */
export function become(account: Account): string[] {
  if (account.uid === self.uid) return [];
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--'];
}

function isPerson(uid: number): boolean {
  return uid >= 1000 && uid < 60000;
}

/** Most distributions ship /dev/fuse open to everyone; where it is not, the suite opens it, as an administrator would. */
function openFuse(): void {
  if ((statSync('/dev/fuse').mode & 0o666) !== 0o666) chmodSync('/dev/fuse', 0o666);
  accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
}
