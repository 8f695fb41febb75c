/** `yolofs gc` on a live session: what goes, what stays, and what is said about it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { eventually } from '../../support/leaks.ts';
import { type Session, session } from '../../support/session.ts';

interface Freed {
  readonly generations: readonly { from: number; to: number }[];
  readonly commits: readonly number[];
  readonly objects: number;
  readonly bytes: number;
  readonly left: number;
}

/** Contents in the store, by object id. */
function stored(s: Session): Map<number, string> {
  const files = join(s.layout.store, 'files');
  const found = new Map<number, string>();
  for (const shard of existsSync(files) ? readdirSync(files) : []) {
    for (const name of readdirSync(join(files, shard))) {
      found.set(Number(name), readFileSync(join(files, shard, name), 'latin1'));
    }
  }
  return found;
}

function blocks(s: Session): number {
  const files = join(s.layout.store, 'files');
  return [...stored(s).keys()]
    .map((id) => statSync(join(files, `${Math.floor(id / 1000)}/${id}`)).blocks * 512)
    .reduce((a, b) => a + b, 0);
}

async function gc(s: Session, ...args: string[]): Promise<Freed> {
  return JSON.parse(await s.succeed(['gc', '--yes', '--json', ...args])) as Freed;
}

/** Four generations, each with a content of its own for two files. */
async function fourGenerations(s: Session): Promise<void> {
  for (const i of [1, 2, 3, 4])
    await s.sh(`echo "content ${i}" > hello.txt; echo "file ${i}" > new; echo ${i} > only${i}`);
}

for (const account of someAccounts()) {
  describe(`yolofs gc, as ${account.title}`, () => {
    for (const daemon of [true, false]) {
      const how = daemon ? 'beside the daemon' : 'without a daemon';
      test(`keeps all generations, and gives up those it is told to, ${how}`, async (t) => {
        const s = await session(t, { account });
        await fourGenerations(s);
        if (!daemon) await s.stop();
        const all = stored(s);
        assert.equal(all.size, 12);
        const nothing = await gc(s);
        assert.deepEqual([nothing.objects, nothing.generations, nothing.left], [0, [], blocks(s)]);
        const dry = await gc(s, '--keep-last', '2', '--dry-run');
        assert.deepEqual([dry.objects, dry.generations], [4, [{ from: 1, to: 2 }]]);
        assert.deepEqual(stored(s), all, '--dry-run removes something');
        const freed = await gc(s, '--keep-last', '2');
        assert.deepEqual({ ...freed, dryRun: true }, dry);
        const gone = new Set(['content 1\n', 'file 1\n', 'content 2\n', 'file 2\n']);
        assert.deepEqual(stored(s), new Map([...all].filter(([, content]) => !gone.has(content))));
        assert.equal(freed.left, blocks(s));
        assert.equal(await s.sh('cat hello.txt new only1'), 'content 4\nfile 4\n1\n');
        const diff = await s.cli(['diff', '2']);
        assert.equal(diff.code, 1);
        assert.match(diff.stderr, /^yolofs: diff: generation [12] is no longer kept \(gc\)\n/);
        assert.equal((await s.cli(['diff', '4'])).code, 0);
        const travel = await s.cli(['travel', '1']);
        assert.match(travel.stderr, /^yolofs: travel: generation 1 is no longer kept \(gc\)\n/);
        const lines = (await s.succeed(['log'])).split('\n').filter((line) => line.includes('(no longer kept)'));
        assert.deepEqual(
          lines.map((line) => /^\S+ +(\d+) /.exec(line)?.[1]),
          ['2', '1'],
        );
        const log = JSON.parse(await s.succeed(['log', '--json'])) as { generation: number; kept?: boolean }[];
        assert.deepEqual(
          log.filter(({ kept }) => kept === false).map(({ generation }) => generation),
          [1, 2],
        );
      });
    }

    test('N8: removes what crashes have left over; what was aborted stays until it is to go', async (t) => {
      const s = await session(t, { account });
      await s.sh('echo kept > kept');
      await s.stop();
      const files = join(s.layout.store, 'files/0');
      await s.native(['sh', '-c', `echo leftover > ${files}/777; echo other > ${files}/notes`]);
      await s.sh('true');
      assert.ok(existsSync(join(files, '777')));
      await s.sh('echo more > more');
      assert.equal((await gc(s)).objects, 0, 'an id that is yet to come is not looked at');
      await s.abort();
      await gc(s);
      const kept = (): string[] => [...stored(s).values()].filter((text) => /kept|more/.test(text)).sort();
      assert.deepEqual(kept(), ['kept\n', 'more\n']);
      await gc(s, '--drop-abandoned');
      assert.deepEqual(kept(), []);
      assert.match((await s.cli(['undo'])).stderr, /there is no commit to take back/);
      assert.ok(existsSync(join(files, 'notes')), 'a file that is none of ours');
    });

    test('what a killed daemon has left over goes when the next one starts', async (t) => {
      const s = await session(t, { account });
      await s.sh('echo a > a; echo b > b; rm b; echo c > c');
      const before = stored(s);
      await s.killDaemon();
      const id = [1, 2, 3].find((object) => !before.has(object));
      writeFileSync(join(s.layout.files, `0/${id}`), 'b\n');
      assert.equal(await s.sh('cat a c'), 'a\nc\n');
      assert.ok(await eventually(() => stored(s).size === 2));
      assert.deepEqual(stored(s), before);
    });

    test('drops the oldest generations until the rest fits, but not what is staged', async (t) => {
      const s = await session(t, { account });
      for (const i of [1, 2, 3, 4]) await s.sh(`head -c 300000 /dev/zero | tr '\\0' ${i} > big`);
      const freed = await gc(s, '--max-size', '700K');
      assert.deepEqual(freed.generations, [{ from: 1, to: 2 }]);
      assert.deepEqual(
        [...stored(s).values()].map((content) => content[0]),
        ['3', '4'],
      );
      const less = await s.cli(['gc', '--max-size', '1k', '--yes']);
      assert.match(
        less.stderr,
        /^freed 29\d\.\d KiB in 1 content; 29\d\.\d KiB is left\nno longer kept: generations 3-4\n/,
      );
      assert.match(less.stderr, /the present state needs more than that\n$/);
      assert.equal((await s.sh('head -c 4 big')).trim(), '4444');
    });

    test('twice at the same time, with runs meanwhile, does what one does', async (t) => {
      const s = await session(t, { account });
      await fourGenerations(s);
      const work = s.sh('for i in $(seq 200); do echo $i > f$i; echo again > f$i; done; cat f200');
      const results = await Promise.all([gc(s, '--keep-last', '1'), gc(s, '--keep-last', '1'), work]);
      assert.equal(results[2], 'again\n');
      assert.equal(await s.sh('cat f* | sort | uniq -c | tr -s " "'), ' 200 again\n');
      assert.equal(await s.sh('cat hello.txt new only1'), 'content 4\nfile 4\n1\n');
    });
  });
}

describe('yolofs gc and commits', () => {
  test('keeps what travel to before a commit and undo need, and what undo needs whatever else goes', async (t) => {
    const s = await session(t);
    for (const i of [1, 2, 3]) {
      await s.sh(`echo v${i} > hello.txt; echo n${i} > n${i}`);
      await s.sh(`echo w${i} > hello.txt`);
      await s.commit();
    }
    await s.native(['sh', '-c', 'echo outside > n1']);
    assert.equal((await gc(s)).objects, 0);
    await s.succeed(['travel', '1']);
    assert.equal(await s.sh('cat hello.txt n1'), 'v1\nn1\n', 'an outside edit after the commit has changed history');
    assert.deepEqual((await gc(s, '--keep-last', '1')).commits, [1, 2]);
    assert.equal(await s.sh('cat hello.txt n1'), 'v1\nn1\n', 'what is staged needed what went');
    await s.abort();
    await s.sh('echo after > after');
    assert.deepEqual((await gc(s, '--keep-last', '0')).commits, []);
    assert.equal(await s.sh('cat hello.txt n3 after'), 'w3\nn3\nafter\n');
    await s.succeed(['undo']);
    assert.equal((await s.native(['cat', 'hello.txt'])).stdout, 'w2\n');
    assert.equal(await s.sh('cat hello.txt n3 after'), 'w3\nn3\nafter\n');
    const again = await s.cli(['undo']);
    assert.deepEqual([again.code, again.stderr.split('\n')[0]], [1, 'yolofs: undo: there is no commit to take back']);
  });

  test('by itself keeps the originals of the last ten commits, and the generations that are shown with them', {
    timeout: 120_000,
  }, async (t) => {
    const s = await session(t);
    for (let i = 1; i <= 12; i++) {
      await s.sh(`echo v${i} > hello.txt`);
      await s.commit();
    }
    const numbers = (): number[] =>
      readdirSync(join(s.layout.store, 'commits'))
        .map(Number)
        .sort((a, b) => a - b);
    assert.ok(await eventually(() => numbers().length === 10), `${numbers()}`);
    assert.deepEqual(numbers()[0], 3);
    const gone = await s.cli(['travel', '2']);
    assert.match(gone.stderr, /generation 2 is no longer kept \(gc\)/);
    await s.succeed(['travel', '3']);
    assert.equal(await s.sh('cat hello.txt'), 'v3\n');
  });
});
