/** The limit of the benchmark (bench/limit/) is a file system: what is done through it ends in the same tree as natively. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exec, succeed } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { REPOSITORY } from '../support/source-files.ts';

const LONGEST = 5 * 60_000;

/** In an empty directory: `$1` holds an archive and a repository. */
const WORK = `
mkdir unpacked && tar xf "$1/archive.tar" -C unpacked
cp -r unpacked copied && mv copied/d1 copied/moved && rm -rf copied/d2
cp -r unpacked removed && rm -rf removed
git clone -q --no-local "$1/origin.git" clone && git -C clone status -s && git -C clone fsck --no-progress
echo text > a && ln a b && echo more >> b && ln -s a c && mv b d && rm a
echo other > e && mv -f e d && truncate -s 9000 f && chmod 4755 f && printf x >> f
exec 3>g && rm g && echo unseen >&3 && exec 3>&-
mkdir many && cd many && seq 3000 | xargs touch && ls | wc -l && rm 1*`;

const MOUNTED = `
mkfifo said; ./limit passed view counters > said & read -r _ < said
trap 'cd "$1/.." && umount view && wait' EXIT`;

/** What there is: names, kinds, permissions, sizes, times where they were set, links, and contents; git packs as it likes. */
const LIST = `
find . ! -type d ! -path './clone/.git/objects/*' -printf '%P %y %m %s %n %l\\n' | sort; find . -type d -printf '%P %m\\n' | sort
find unpacked -type f -printf '%P %T@\\n' | sort; find . -path ./clone/.git -prune -o -type f -exec md5sum {} + | sort`;

test('what is done through the limit ends in the same tree as natively', async (t) => {
  if (!has(t, ['gcc', 'git', 'tar', 'unshare'])) return;
  const root = mkdtempSync('/var/tmp/yolofs-limit-');
  t.after(() => rmSync(root, { recursive: true }));
  for (const name of ['native', 'passed', 'view', 'given']) mkdirSync(join(root, name));
  await seed(join(root, 'given'));
  const sources = ['main', 'nodes', 'operations'].map((name) => join(REPOSITORY, `bench/limit/${name}.c`));
  await succeed(['gcc', '-O2', '-Wall', '-Wextra', '-Werror', '-o', join(root, 'limit'), ...sources]);
  const namespace = ['unshare', '-Urm', '--propagation', 'private', 'sh', '-euc'];
  const passed = await exec([...namespace, `${MOUNTED}; cd view; ${WORK}`, 'sh', join(root, 'given')], {
    cwd: root,
    timeout: LONGEST,
  });
  const native = await exec([...namespace, WORK, 'sh', join(root, 'given')], {
    cwd: join(root, 'native'),
    timeout: LONGEST,
  });
  assert.deepEqual(passed, native);
  const [expected, found] = [await list(join(root, 'native')), await list(join(root, 'passed'))];
  assert.ok(expected.length > 2000, 'there is something to compare');
  assert.deepEqual(found, expected);
});

async function seed(dir: string): Promise<void> {
  const script = `
for d in 1 2 3; do mkdir -p in/d$d/sub; for i in $(seq 40); do seq $((i * d * 9)) > in/d$d/sub/f$i; done; done
ln in/d1/sub/f1 in/hard; ln -s d1/sub in/soft; chmod 600 in/d3/sub/f2; touch -d 2001-02-03 in/d3/sub/*
tar cf archive.tar -C in .; cd in; git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm all
cd ..; git clone -q --bare in origin.git`;
  await succeed(['sh', '-euc', script], { cwd: dir, env: { HOME: dir } });
}

async function list(dir: string): Promise<string[]> {
  return (await succeed(['sh', '-euc', LIST], { cwd: dir })).split('\n');
}
