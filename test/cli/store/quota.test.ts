/** A quota in `.yolofs.toml`: programs in the view get ENOSPC, nothing is lost, and a larger one lets them go on. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { has } from '../../support/need.ts';
import { type Session, session } from '../../support/session.ts';

const SMALL = '[session]\nquota = "4 MiB"\n';

async function contentBytes(s: Session): Promise<number> {
  const lines = (await s.native(['find', join(s.layout.store, 'files'), '-type', 'f', '-printf', '%b\n'])).stdout;
  return lines.split('\n').reduce((sum, blocks) => sum + Number(blocks) * 512, 0);
}

/** Ends the daemon, so that the next command reads the configuration anew. */
async function setQuota(s: Session, quota: string): Promise<void> {
  await s.stop();
  writeFileSync(join(s.project, '.yolofs.toml'), `[session]\nquota = "${quota}"\n`);
}

test('dd and cp get ENOSPC at the quota; what was there stays, and a larger quota helps', {
  timeout: 60_000,
}, async (t) => {
  const s = await session(t, { config: SMALL });
  await s.sh('head -c 1000000 /dev/urandom > kept; sha1sum kept > sum; echo more >> hello.txt');
  for (const command of [
    'dd if=/dev/zero of=big bs=64k count=200',
    'dd if=/dev/zero of=big2 bs=1M count=9 conv=fsync',
  ]) {
    const dd = await s.cli(['run', '--quiet', '--', 'sh', '-c', command]);
    assert.equal(dd.code, 1);
    assert.match(dd.stderr, /No space left on device/);
    assert.ok((await contentBytes(s)) <= 4 << 20, 'the quota was passed');
  }
  const cp = await s.cli(['run', '--quiet', '--', 'cp', process.execPath, 'node']);
  assert.match(cp.stderr, /No space left on device/);
  assert.equal(await s.sh('sha1sum -c sum; cat hello.txt'), 'kept: OK\nbase content\nmore\n');
  assert.match(await s.sh('df --output=size,avail -B1 . | tail -1'), /^ *4194304 +\d{1,6}\n$/);
  await setQuota(s, '40 MiB');
  assert.equal(
    await s.sh('dd if=/dev/zero of=big3 bs=1M count=9 2>/dev/null; stat -c %s big3; sha1sum -c sum'),
    '9437184\nkept: OK\n',
  );
  await setQuota(s, '4 MiB');
  assert.match((await s.cli(['run', '--quiet', '--', 'sh', '-c', 'echo x > x; sync x'])).stderr, /No space left/);
  assert.equal(await s.sh('rm -f x; sha1sum -c sum'), 'kept: OK\n');
});

test('a quota that is raised counts at once, without a restart', { timeout: 60_000 }, async (t) => {
  const s = await session(t, { config: SMALL });
  await s.sh('head -c 3000000 /dev/urandom > kept');
  const pid = await s.daemonPid();
  const more = ['run', '--quiet', '--', 'sh', '-c', 'head -c 3000000 /dev/urandom > more; sync more'];
  assert.match((await s.cli(more)).stderr, /No space left on device/);
  writeFileSync(join(s.project, '.yolofs.toml'), '[session]\nquota = "40 MiB"\n');
  let code = 1;
  for (let i = 0; code !== 0 && i < 10; i++) code = (await s.cli(more)).code;
  assert.equal(code, 0);
  assert.equal(await s.sh('stat -c %s kept more'), '3000000\n3000000\n');
  assert.equal(await s.daemonPid(), pid, 'the daemon was replaced');
});

test('deleting makes room as far as no generation has the files, and gc makes the rest', {
  timeout: 60_000,
}, async (t) => {
  const s = await session(t, { config: SMALL });
  const write = 'dd if=/dev/zero of=$f bs=1M count=3 status=none conv=fsync';
  await s.sh(`for f in a b c d; do ${write}; rm $f; done; echo done`);
  await s.sh(`f=a; ${write}`);
  const full = await s.cli(['run', '--quiet', '--', 'sh', '-c', `rm a; f=b; ${write}`]);
  assert.match(full.stderr, /No space left on device/, 'snapshot 2 has what was deleted');
  await s.sh('rm -f b');
  await s.succeed(['gc', '--keep-last', '1', '--yes']);
  assert.equal(await s.sh(`f=b; ${write}; stat -c %s b`), '3145728\n');
  await s.commit();
  assert.equal((await s.native(['stat', '-c', '%s', 'b'])).stdout, '3145728\n');
});

test('at the brim of the quota a deletion frees nothing that a snapshot has, and the run says what makes room', {
  timeout: 60_000,
}, async (t) => {
  const s = await session(t, { config: SMALL });
  const page = 'dd if=/dev/urandom of=big bs=4k count=1 oflag=append conv=notrunc,fsync status=none';
  const full = await s.cli(['run', '--quiet', '--', 'sh', '-c', `while ${page}; do :; done`]);
  assert.match(full.stderr, /; incomplete: big; the quota \(4\.0 MiB\) is used up: 'yolofs gc .+ room\n$/);
  const next = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'rm big; echo usable > usable; ls big usable']);
  assert.match(next.stderr, /create usable: No space left on device\n/);
  assert.match(next.stderr, /\nyolofs: the quota \(4\.0 MiB\) is used up: .+ room\n$/);
  await s.succeed(['gc', '--keep-last', '1', '--yes']);
  assert.equal(await s.sh('echo usable > usable; cat usable'), 'usable\n');
  const fine = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'echo more >> usable']);
  assert.equal(fine.stderr, '', 'told once');
});

test('git clone at the quota fails as on a full disk, and succeeds with a larger one', {
  timeout: 90_000,
}, async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { config: SMALL });
  const git = 'git -c user.name=a -c user.email=a@b -c commit.gpgsign=false';
  const make = `git init -q ../origin && cd ../origin && head -c 3000000 /dev/urandom > data && for i in 1 2 3; do echo $i > z$i; done && ${git} add . && ${git} commit -qm one`;
  const made = await s.native(['sh', '-c', make]);
  assert.equal(made.code, 0, made.stderr);
  const clone = ['run', '--quiet', '--', 'git', 'clone', '-q', '--no-hardlinks', '../origin', 'copy'];
  const refused = await s.cli(clone);
  // git does not look at what close(2) of a file it checks out says: then only the line of ours tells.
  assert.match(
    refused.stderr,
    /yolofs: cannot store all that was written in the view: no space left on device \(ENOSPC\); incomplete: copy\/.+; the quota \(4\.0 MiB\) is used up: .+\n$/,
  );
  assert.equal(await s.sh('rm -rf copy && test ! -e copy && cat hello.txt'), 'base content\n');
  await setQuota(s, '40 MiB');
  await s.succeed(clone);
  assert.equal(
    await s.sh('git -C copy fsck --full; git -C copy status --short; cmp copy/data ../origin/data && echo same'),
    'same\n',
  );
});

test('S14: records count in the quota too, and an abort makes room', { timeout: 60_000 }, async (t) => {
  const s = await session(t, { config: '[session]\nquota = "1 MiB"\n' });
  const loop = 'i=0; while [ $i -lt 400 ] && mkdir -p "$1$i/$1/$1/$1/$1" 2>/dev/null; do i=$((i + 1)); done; echo $i';
  const made = async (): Promise<number> => Number(await s.sh(`set -- ${'d'.repeat(200)}; ${loop}`));
  const first = await made();
  assert.ok(first > 50 && first < 400, `${first} were made`);
  assert.ok(statSync(join(s.layout.store, 'journal')).size < 1.3 * 1024 * 1024);
  await s.abort();
  await s.sh('mkdir again; ls -d again');
});

test('a quota that makes no sense is refused with its line', async (t) => {
  const s = await session(t, { config: '[session]\nquota = "much"\n' });
  const { code, stderr } = await s.cli(['run', '--', 'true']);
  assert.equal(code, 1);
  assert.match(stderr, /\.yolofs\.toml:2:1: session\.quota: 'much' is neither a size such as "2 GiB" nor "none"\n/);
});
