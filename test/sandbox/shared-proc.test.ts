/** Where the kernel gives the view no /proc of its own, as in containers that cover parts of theirs: the one there is passed on, read-only. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { become, isRoot, ordinary, self } from '../support/accounts.ts';
import { has, leaveOut } from '../support/need.ts';
import { MAIN, session } from '../support/session.ts';

/** A part of /proc is covered for what follows, and an ordinary user cannot uncover it. */
const COVER = 'mount -t tmpfs -o size=4k none /proc/fs; exec "$@"';
const COVERED = ['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-euc', COVER, 'sh'];

/** What nobody in the view may do there, and what everybody can. */
const TRY = `echo staged > hello.txt
(echo 500 > /proc/$1/oom_score_adj) 2>&1 | grep -o 'Read-only file system'
readlink /proc/$1/root /proc/$1/cwd /proc/$1/exe /proc/$1/fd/3
for file in fd/3 task/$1/fd/3 root/etc/hostname environ mem; do head -c 6 "/proc/$1/$file"; done
(echo more > /proc/$1/fd/4); kill -0 "$1"
read -r number rest </proc/self/stat; test "$number" != $$ && pwd
grep -c ' /proc ro,' /proc/self/mountinfo`;

test('a view without a /proc of its own works, changes nothing outside by it, and status says what is weaker', async (t) => {
  if (!isRoot || !has(t, ['unshare', 'perl'])) return leaveOut(t, 'only root can cover a part of /proc');
  const account = ordinary();
  const s = await session(t, { account });
  const yolofs = (...words: string[]): ReturnType<typeof s.native> =>
    s.native([...COVERED, ...become(account), process.execPath, MAIN, ...words], { account: self });
  // A process of the same user outside has a file open of which the view knows nothing.
  const canary = join(s.root, 'canary');
  writeFileSync(canary, 'canary\n');
  chmodSync(canary, 0o666);
  const [program = '', ...words] = [
    ...become(account),
    'sh',
    '-c',
    'exec 3<"$0" 4>>"$0"; echo; exec sleep 1000',
    canary,
  ];
  const other = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  const tried = await yolofs('run', '--quiet', '--', 'sh', '-c', TRY, 'sh', String(other.pid));
  assert.equal(readFileSync(canary, 'utf8'), 'canary\n');
  assert.equal(other.exitCode, null);
  assert.equal(tried.stdout, `Read-only file system\n${s.project}\n1\n`, tried.stderr);
  assert.match((await s.cli(['status'])).stderr, /^yolofs: the view has the \/proc of this container, read-only/m);

  // The processes that a wrapped program leaves have other numbers in that /proc than where they are ended.
  const left = `sleep ${process.pid}.75`;
  const wrapped = await yolofs('wrap', 'sh', '-c', `setsid ${left} & setsid sh -c '${left}' & exit 3`);
  assert.equal(wrapped.code, 3, wrapped.stderr);
  assert.equal((await s.native(['sh', '-c', `ps -A -o args= | grep -c '^[s]${left.slice(1)}' || true`])).stdout, '0\n');
});
