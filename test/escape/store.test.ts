/** The session's own files: journal, tree, contents and socket are nowhere in the view. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { type Attempts, cage, through } from './attempts.ts';

/** What the journal's first line says. */
const JOURNAL = 'yolofs journal';

const WAYS: Attempts = {
  'by its path': 'cat .yolofs/journal',
  'by its absolute path': 'cat "$PWD/.yolofs/journal"',
  'by a path with detours': 'cat ./subdir/..//.yolofs/./journal',
  'by way of /proc/self/root': 'cat "/proc/self/root$PWD/.yolofs/journal"',
  'by way of /proc/self/cwd': 'cat /proc/self/cwd/.yolofs/journal',
  'by way of a descriptor': 'exec 3<. && cat /dev/fd/3/.yolofs/journal',
  'below an O_PATH descriptor': '$P openat . .yolofs/journal',
  'by way of a symlink': 'ln -sf .yolofs l; cat l/journal',
  'by way of a symlink of /tmp': 'ln -sf "$PWD/.yolofs" /tmp/l; cat /tmp/l/journal',
  'from the private /tmp': 'cat /tmp/../journal; cat "/tmp/../../.yolofs/journal"',
  'by way of a bind mount': "unshare -Urm sh -c 'mount --bind . /mnt && cat /mnt/.yolofs/journal'",
  'by way of an overlay':
    "unshare -Urm sh -c 'mkdir -p u w && mount -t overlay o -o lowerdir=.,upperdir=u,workdir=w /mnt && cat /mnt/.yolofs/journal'",
  'when the project has moved': 'mv "$PWD" "$OUT/moved"; cat "$OUT/moved/.yolofs/journal"; mv "$OUT/moved" "$PWD"',
  'when a directory above has moved':
    'up=$(dirname "$PWD"); mv "$up" "$up-moved"; cat "$up-moved/project/.yolofs/journal"; mv "$up-moved" "$up"',
  'by its handle': '$P handle . .yolofs/journal',
  'as a whole tree': 'tar -cf - . | tr -cd "[:print:]"',
  'by a copy of the project': 'cp -a . "$OUT/copy"; cat "$OUT/copy/.yolofs/journal"',
  'over a ring': '$P ring .yolofs/journal',
  'what lies there at all': 'find "$PWD/.." -path "*/.yolofs/*" 2>/dev/null | sed "s/^/yolofs journal /"',
  'the database': 'strings -n 8 .yolofs/tree.mdb || cat .yolofs/tree.mdb',
};

const CHANGES: Attempts = {
  'a directory in its place': 'mkdir .yolofs',
  'a file in its place': 'echo x > .yolofs',
  'a link in its place': 'ln -s /tmp .yolofs',
  'a rename over it': 'mkdir d; mv -T d .yolofs',
  'a name for it': 'mv .yolofs y',
  'its end': 'rmdir .yolofs',
  'a new journal': 'echo x > .yolofs/journal',
  'a session below it': 'mkdir subdir/.yolofs',
  'a session below it, by a rename': 'mkdir n$$ && mv -T n$$ subdir/.yolofs',
  'a session below it, by a link': 'ln -s /tmp subdir/.yolofs',
  'a session in a new directory': 'mkdir -p m/.yolofs',
  'a socket':
    'node -e \'require("net").connect(".yolofs/sock").on("error", () => process.exit(1)).on("connect", () => process.exit(0))\'',
};

for (const account of accounts()) {
  test(`the session's files cannot be read or changed from inside, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const token = basename(made.s.layout.store);
    const isThrough = ({ said }: { said: string }): boolean => said.includes(JOURNAL);
    const journal = join(made.s.layout.store, 'journal');
    assert.match(readFileSync(journal, 'latin1'), new RegExp(JOURNAL));
    assert.deepEqual(await through(made, 'view', { attempts: inStore(WAYS, token), isThrough }), []);
    assert.deepEqual(await through(made, 'view', { attempts: inStore(CHANGES, token) }), []);
    assert.deepEqual(
      (await made.s.changes()).filter(({ path }) => path.includes('.yolofs/')),
      [],
    );
    await made.s.commit();
    assert.ok(existsSync(journal));
    // The same ways lead to it where it is not hidden.
    const free = [
      'by its path',
      'by way of /proc/self/root',
      'by way of a descriptor',
      'over a ring',
      'as a whole tree',
    ];
    const attempts = Object.fromEntries(free.map((title) => [title, WAYS[title] ?? '']));
    assert.deepEqual(await through(made, 'host', { attempts: inStore(attempts, token), isThrough }), free);
  });
}

/** The ways to what a session really keeps, as if somebody had told its token. */
function inStore(ways: Readonly<Record<string, string>>, token: string): Record<string, string> {
  const within = (way: string): string =>
    way.replaceAll(/\.yolofs\/(?:\.\/)?(?=journal|tree\.mdb|sock)/g, `$&${token}/`);
  return Object.fromEntries(Object.entries(ways).map(([title, way]) => [title, within(way)]));
}
