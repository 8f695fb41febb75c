/** A fresh directory on the host: the home of a session's project, or of the same work done without one. */

import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './accounts.ts';

export interface PlainDirectory {
  /** Holds everything; no other process on the machine names it. */
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** Deletes it all, unless `$YOLOFS_TEST_KEEP` is set. */
  remove(): void;
}

/**
 * Makes one that belongs to `account`, below `parent`. Not below /tmp by default: the view has a private one. All have
 * paths of the same length, so what depends on that is comparable.
 */
export function plainDirectory(account: Account, parent = '/var/tmp'): PlainDirectory {
  const root = mkdtempSync(join(parent, 'yolofs-test-'));
  const made = { root, project: join(root, 'project'), home: join(root, 'home') };
  for (const dir of [root, made.home, made.project]) {
    mkdirSync(dir, { recursive: true });
    chownSync(dir, account.uid, account.gid);
  }
  return { ...made, remove: () => remove(root) };
}

function remove(root: string): void {
  if (process.env.YOLOFS_TEST_KEEP !== undefined) return;
  // rm works by descriptor and so reaches below PATH_MAX; an account's closed directories are opened first.
  if (process.getuid?.() !== 0) spawnSync('chmod', ['-R', 'u+rwX', root]);
  spawnSync('rm', ['-rf', root]);
}
