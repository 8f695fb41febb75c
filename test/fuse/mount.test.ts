/** Real work on a real mount, as root and as an ordinary user: it must look as it does in a plain directory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accounts, self } from '../support/accounts.ts';
import { type Mount, withMount } from './mounted.ts';

const SYSCALLS = fileURLToPath(new URL('./syscalls-main.js', import.meta.url));

/** What `find` and `sha256sum` can tell about the current directory, times of change and directory sizes aside. */
const DESCRIBE = `
find . ! -type d -printf '%P %y %m %n %s %l\\n' | LC_ALL=C sort
find . -type d -printf '%P %y %m\\n' | LC_ALL=C sort
find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
`;

async function assertSame(mount: Mount, script: string): Promise<void> {
  const [native, view] = [await mount.sh(script, mount.plain), await mount.sh(script)];
  assert.equal(view, native);
  assert.equal(await mount.sh(DESCRIBE), await mount.sh(DESCRIBE, mount.plain));
}

const WORK: Readonly<Record<string, string>> = {
  'files are created, appended to, overwritten and read': `
    printf hello >a; printf ' world' >>a; cat a; echo
    printf shorter >a; cat a; echo; : >a; wc -c <a
    seq 1 50000 >big; tail -n 1 big; sed -i s/777/sevens/ big; grep -c sevens big`,
  'files are truncated and grow with holes': `
    printf 0123456789 >t; truncate -s 4 t; truncate -s 12 t; od -c t
    truncate -s 3000000 sparse; printf end | dd of=sparse bs=1 seek=2999990 conv=notrunc status=none; wc -c <sparse`,
  'names are moved, replaced and removed': `
    mkdir -p d/e/f; echo 1 >d/e/f/x; mv d/e d/g; cat d/g/f/x; echo 2 >y; echo 3 >z; mv y z; cat z
    mv d moved; rm moved/g/f/x; rmdir moved/g/f; ls -R moved; rmdir nothing 2>/dev/null || echo none`,
  'errors are those of any file system': `
    mkdir m; echo x >m/x; for c in 'rmdir m' 'mkdir m' 'unlink m' 'rmdir m/x' 'cat gone' 'ls m/x/y' 'mv m m/n'; do
      LC_ALL=C $c 2>&1 | sed 's/.*: //' | head -n 1; done`,
  'links are made, followed and counted': `
    echo one >f; ln f twin; ln -s f soft; ln -s ../nowhere dangling; echo two >>twin; cat f soft
    readlink soft dangling; stat -c %h f; rm f; cat twin; cat soft 2>/dev/null || echo dangling; stat -c %h twin`,
  'a directory of 3,000 names is listed, whole and in part': `
    mkdir many; cd many; seq -f name-%g 1 3000 | xargs touch; ls | wc -l; ls -f | LC_ALL=C sort | sha256sum
    rm name-1*; ls | LC_ALL=C sort | sha256sum; rm -rf ../many; ls ..`,
  'names are bytes': `
    touch "$(printf 'new\\nline')" "$(printf '\\377\\201')" ' ' '-' "$(printf 'x%.0s' $(seq 255))"; ls -b | LC_ALL=C sort
    touch "$(printf 'x%.0s' $(seq 256))" 2>/dev/null || echo too long`,
  'modes and times are set to the nanosecond': `
    echo x >f; chmod 640 f; touch -d '2001-02-03 04:05:06.123456789Z' f; stat -c '%a %.9Y' f; chmod u+s,g+x f; stat -c %a f
    mkdir d; chmod 2711 d; stat -c %a d; touch -d '1960-01-01Z' old; stat -c %Y old; (umask 077; mkdir p; echo >q; stat -c %a p q)`,
  'set-id bits go as they do natively when content or owner change': `
    for change in 'echo more >>f' 'truncate -s 1 f' 'chown $(id -u) f' 'chgrp $(id -g) f' 'touch f'; do
      echo x >f; chmod 6775 f; eval "$change"; stat -c "%a after $change" f; done`,
  'locks hold and programs run': `
    : >lock; exec 9<lock; flock 9; flock -n lock true && echo shared || echo locked; exec 9<&-; flock -n lock echo free
    cp /bin/echo ./program; ./program runs; printf '#!/bin/sh\\necho script runs\\n' >script; chmod +x script; ./script`,
  'large files are copied': `
    head -c 5000001 /dev/zero | tr '\\0' x >l; printf tail >>l; cp l copy; cmp l copy && dd if=copy bs=1M status=none | sha256sum
    dd if=l bs=37 count=3 skip=1000 status=none | wc -c; cp --sparse=always sparse holes 2>/dev/null || echo no such`,
  'a tree goes through tar and back': `
    mkdir -p s/a/b; seq 1 1000 >s/a/n; ln s/a/n s/a/b/n; ln -s a/n s/l; mkfifo s/p; touch -d @86400.5 s/a/n
    tar cf t.tar s; mkdir o; tar xf t.tar -C o; diff -r --no-dereference o/s/a s/a && stat -c '%Y %h' o/s/a/n; cat o/s/l | wc -l; rm t.tar`,
};

for (const account of accounts()) {
  test(`the mount works like a plain directory for ${account.title}`, async (t) => {
    for (const [what, script] of Object.entries(WORK)) {
      await t.test(what, () => withMount(account, { valid: 1 }, (mount) => assertSame(mount, script)));
    }
    await t.test('without the writeback cache too', () => {
      const work = `${WORK['files are created, appended to, overwritten and read']}`;
      return withMount(account, { valid: 0, writeback: false }, (mount) => assertSame(mount, work));
    });
    await t.test('on a gated connection too', async () => {
      for (const script of Object.values(WORK).slice(0, 2)) {
        await withMount(account, { valid: 1, openless: false }, (mount) => assertSame(mount, script));
      }
    });
    await t.test('system calls return what they do natively', () =>
      withMount(account, { valid: 1 }, async (mount) => {
        const [native, view] = [
          await mount.sh(`${process.execPath} ${SYSCALLS}`, mount.plain),
          await mount.sh(`${process.execPath} ${SYSCALLS}`),
        ];
        assert.deepEqual(JSON.parse(view), JSON.parse(native));
      }),
    );
  });
}

test('the kernel is asked for what only it cannot know', async () => {
  await withMount(self, { valid: 60 }, async (mount) => {
    await mount.sh('echo content >f; mkdir d; ls; cat f; tail -c 3 f');
    const before = (await mount.ask({ do: 'stats' })) as Record<string, number>;
    await mount.sh('for i in 1 2 3 4 5; do cat f; ls d; test -x d; test ! -e absent; done');
    const after = (await mount.ask({ do: 'stats' })) as Record<string, number>;
    for (const once of ['CREATE', 'OPEN', 'OPENDIR', 'FLUSH']) assert.equal(after[once], 1, once);
    assert.equal(after.READ, before.READ, 'what was read stays cached');
    // With the writeback cache each close makes the kernel forget the count of blocks, which cat's fstat asks for.
    assert.ok((after.GETATTR ?? 0) - (before.GETATTR ?? 0) <= 10);
    assert.equal(after.ACCESS, undefined);
    assert.ok((after.LOOKUP ?? 0) - (before.LOOKUP ?? 0) <= 1, 'absent is looked up once');
  });
});

test('a gated connection is asked for each open, refuses, and keeps what was read', async () => {
  await withMount(self, { valid: 60, openless: false }, async (mount) => {
    await mount.sh('echo content >f; cat f; echo secret >s; chmod 0 s');
    const before = (await mount.ask({ do: 'stats' })) as Record<string, number>;
    assert.equal(
      await mount.sh('for i in 1 2 3; do cat f; done; cat s 2>/dev/null || echo refused'),
      `${'content\n'.repeat(3)}refused\n`,
    );
    const after = (await mount.ask({ do: 'stats' })) as Record<string, number>;
    assert.equal((after.OPEN ?? 0) - (before.OPEN ?? 0), 4);
    assert.equal(after.READ, before.READ);
  });
});

test('forgotten inodes leave the daemon', async () => {
  await withMount(self, { valid: 0 }, async (mount) => {
    await mount.sh('for i in 1 2 3 4 5 6 7 8 9; do echo $i >f$i; mkdir d$i; ln -s f$i l$i; done; rm -r f* d* l*; ls');
    const { nodes } = (await mount.ask({ do: 'stats' })) as Record<string, number>;
    assert.equal(nodes, 1);
  });
});

test('the mount survives callers that are killed in the middle of their requests', async () => {
  await withMount(self, { valid: 0 }, async (mount) => {
    await mount.sh(
      `
      for i in 1 2 3 4 5 6 7 8; do (while :; do seq 1 500 >f$i; cat f$i >/dev/null; ls >/dev/null; rm f$i; done) & p="$p $!"; done
      sleep 0.5; kill -9 $p; sleep 0.2; rm -f f*; echo alive >f; cat f`.replace('for', 'p=; for'),
    );
  });
});

test('unmounting ends the session', async () => {
  await withMount(self, { valid: 1 }, async (mount) => {
    await mount.sh('echo x >f');
    await mount.run(['umount', mount.view], '/');
    assert.deepEqual(await mount.nextLine(), { outcome: 'unmounted' });
  });
});

test('notifications make the kernel look again', async () => {
  await withMount(self, { valid: 3600 }, async (mount) => {
    const put = (content: string) => mount.ask({ do: 'put', name: 'f', content });
    const node = Number(await put('old'));
    assert.equal(await mount.sh('cat f'), 'old');
    await put('new');
    assert.equal(await mount.sh('cat f'), 'old', 'the kernel has no reason to ask');
    await mount.ask({ do: 'invalInode', node });
    assert.equal(await mount.sh('cat f'), 'new', 'invalInode');

    const exists = async () => (await mount.run(['test', '-e', 'f'])).code === 0;
    await mount.ask({ do: 'drop', name: 'f' });
    assert.equal(await exists(), true);
    await mount.ask({ do: 'invalEntry', name: 'f' });
    assert.equal(await exists(), false, 'invalEntry');

    await put('again');
    assert.equal(await exists(), false, 'that it was absent is remembered too');
    await mount.ask({ do: 'invalEntry', name: 'f' });
    assert.equal(await exists(), true);
    await mount.ask({ do: 'invalEntry', name: 'never heard of' });
    const file = Number(await put('still'));
    assert.equal(await mount.sh('cat f'), 'still');
    await mount.ask({ do: 'invalEntry', name: 'x', parent: file });
    await mount.ask({ do: 'invalInode', node: 999_999 });
  });
});
