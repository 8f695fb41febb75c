/**
 * Where real servers are installed once, by whichever test needs one first: as root in a place that the ordinary user who
 * runs some of them can read, too. `$YOLOFS_TEST_CACHE` says another.
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from '../../support/accounts.ts';
import { succeed } from '../../support/exec.ts';

const INSTALL_MS = 15 * 60_000;
/** Registries are far away, and seldom out of reach for long. */
const TRIES = 3;

/** One installation at a time; who waited finds what the first one has made. What was broken off is made anew. */
const ONCE = `
set -e
test -e "$1/ready" && exit 0
rm -rf "$1"
mkdir -p "$1"
cd "$1"
eval "$2"
touch ready
`;

/** A folder of the cache that a shell `script` has filled, which begins in it. */
export async function installed(name: string, script: string): Promise<string> {
  const cache =
    process.env.YOLOFS_TEST_CACHE ?? (isRoot ? '/var/cache/yolofs-tests' : join(homedir(), '.cache/yolofs-tests'));
  mkdirSync(cache, { recursive: true });
  const place = join(cache, name);
  const command = ['flock', join(cache, 'lock'), 'sh', '-c', ONCE, 'sh', place, script];
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      // The person's own settings of registries and certificates count.
      await succeed(command, { timeout: INSTALL_MS, env: process.env as Record<string, string> });
      return place;
    } catch (error) {
      if (left === 0) throw new Error(`${name} cannot be installed into ${place}`, { cause: error });
    }
  }
}
