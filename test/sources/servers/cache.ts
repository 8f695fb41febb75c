/** Where real servers are installed once: as root in a place that the ordinary user who runs some of them can read, too. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from '../../support/accounts.ts';

export function serverCache(): string {
  const own = isRoot ? '/var/cache/yolofs-tests' : join(homedir(), '.cache/yolofs-tests');
  return process.env.YOLOFS_TEST_CACHE ?? own;
}
