/** `commit PATH…` and `abort PATH…` on a live session, as root and as an ordinary user, and what a restart finds. */
import assert from 'node:assert/strict';
import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Account, someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';
import { assertSameTree } from '../../support/tree.ts';

/** A session with changes of several kinds that belong together or not. */
async function staged(t: TestContext, account: Account): Promise<Session> {
  const s = await session(t, { account });
  await s.sh('mkdir new && echo 1 > new/one && echo 2 > new/two && mv hello.txt moved.txt && echo x >> multi.txt');
  return s;
}

const read = (s: Session, path: string): string => readFileSync(join(s.project, path), 'utf8');

/** The view and what is staged stay, also for a daemon that has only the disk to go by. */
async function assertLasting(s: Session, lines: readonly string[]): Promise<void> {
  const view = await s.tree({ mtime: true });
  assert.deepEqual(await s.changeLines(), lines);
  await s.killDaemon();
  assertSameTree(await s.tree({ mtime: true }), view, 'the view after a restart');
  assert.deepEqual(await s.changeLines(), lines);
}

for (const account of someAccounts()) {
  describe(`selections, as ${account.title}`, () => {
    test('commit PATH writes that and what belongs to it, and the view stays as it is', async (t) => {
      const s = await staged(t, account);
      const [view, all] = [await s.tree({ mtime: true }), await s.changeLines()];
      const dry = await s.cli(['commit', '--dry-run', 'new/one']);
      assert.deepEqual(dry.stdout.replaceAll(`${s.project}/`, ''), 'create directory new\ncreate file new/one\n');
      assert.equal(dry.stderr, `along with these, which belong to it:\n  ${s.project}/new\n`);
      assert.equal(existsSync(join(s.project, 'new')), false);
      const done = await s.cli(['commit', '--yes', 'one'], { cwd: s.project });
      assert.equal(done.code, 1);
      assert.equal((await s.cli(['commit', '--yes', 'new/one'])).stderr.split('\n')[0], 'committed 2 changes');
      assert.equal(read(s, 'new/one'), '1\n');
      assert.equal(existsSync(join(s.project, 'new/two')), false);
      assertSameTree(await s.tree({ mtime: true }), view, 'the view');
      await assertLasting(
        s,
        all.filter((line) => !/ new(\/one)?$/.test(line)),
      );
      assert.equal((await s.cli(['commit', '--yes', 'hello.txt'])).stderr.split('\n')[0], 'committed 1 change');
      assert.equal(existsSync(join(s.project, 'hello.txt')), false);
      await s.sh('echo 3 >> new/two; echo 4 >> new/one; echo 5 >> moved.txt');
      assert.equal(read(s, 'new/one'), '1\n');
      await assertLasting(s, await s.changeLines());
      const last = await s.tree({ mtime: true });
      await s.commit();
      assertSameTree(await s.baseTree({ mtime: true }), last, 'the base');
      assert.deepEqual(await s.changes(), []);
    });

    test('what stays staged keeps its history', async (t) => {
      const s = await staged(t, account);
      await s.sh('echo 3 > new/two');
      const generation = JSON.parse(await s.succeed(['status', '--json'])).generation as number;
      await s.succeed(['commit', '--yes', 'multi.txt']);
      const log = JSON.parse(await s.succeed(['log', '--json'])) as { generation: number; name: string }[];
      assert.deepEqual(log.at(-1)?.name, 'after commit 1');
      assert.equal(log.at(-1)?.generation, generation + 1);
      await s.sh('echo 4 > new/two');
      await s.succeed(['travel', String(generation + 1)]);
      assert.equal(await s.sh('cat new/two'), '3\n');
      await assertLasting(s, await s.changeLines());
    });

    test('undo takes the last selection back, and the view stays as it is', async (t) => {
      const s = await staged(t, account);
      await s.succeed(['commit', '--yes', 'multi.txt']);
      const [base, lines] = [await s.baseTree({ mtime: true }), await s.changeLines()];
      await s.succeed(['commit', '--yes', 'new/one', 'moved.txt']);
      await s.sh('echo 3 >> new/two; echo 4 >> moved.txt');
      const view = await s.tree({ mtime: true });
      await s.succeed(['undo']);
      assertSameTree(await s.baseTree({ mtime: true }), base, 'the base after undo');
      assertSameTree(await s.tree({ mtime: true }), view, 'the view after undo');
      await assertLasting(s, lines);
      await s.commit();
      assertSameTree(await s.baseTree({ mtime: true }), view, 'the base in the end');
    });

    test('abort PATH shows the real files there again, and the way back is open', async (t) => {
      const s = await staged(t, account);
      const [view, base] = [await s.tree({ mtime: true }), await s.baseTree({ mtime: true })];
      const done = await s.cli(['abort', '--yes', 'new/one', 'hello.txt']);
      assert.equal(
        done.stderr,
        `discarded 2 staged changes\nalong with these, which belong to it:\n  ${s.project}/moved.txt\n`,
      );
      assert.equal(await s.sh('ls new; cat hello.txt; ls moved.txt 2>&1 | wc -l'), `two\n${read(s, 'hello.txt')}1\n`);
      await assertLasting(
        s,
        (await s.changeLines()).filter((line) => !/moved|hello|one/.test(line)),
      );
      assert.deepEqual(await s.baseTree({ mtime: true }), base);
      await s.succeed(['travel', '1']);
      assertSameTree(await s.tree({ mtime: true }), view, 'the view before the abort');
      await assertLasting(s, await s.changeLines());
    });

    test('a name of a file that has more can go alone, and the file be changed later', async (t) => {
      const seed = (project: string): void => {
        for (const name of ['a', 'c']) writeFileSync(join(project, name), `${name}\n`);
        for (const name of ['a', 'c']) linkSync(join(project, name), join(project, `${name}2`));
      };
      const s = await session(t, { account, seed });
      await s.sh('rm a; cat a2 > /dev/null; rm c; mv c2 c3; echo + >> a2');
      await s.succeed(['commit', '--yes', 'c3']);
      assert.equal(read(s, 'c3'), 'c\n');
      await assertLasting(s, ['deleted a', 'modified a2']);
      await s.succeed(['commit', '--yes', 'a']);
      assert.equal(read(s, 'a2'), 'a\n+\n');
      await assertLasting(s, []);
      for (const restart of [false, true]) {
        await s.sh('echo + >> a2; echo + >> c3');
        if (restart) await s.killDaemon();
        await s.succeed(['commit', '--yes', 'a2']);
        await s.commit();
      }
      assert.equal(read(s, 'a2') + read(s, 'c3'), 'a\n+\n+\n+\nc\n+\n+\n');
    });

    test('a path without staged changes is refused in one line, and nothing happens', async (t) => {
      const s = await staged(t, account);
      const lines = await s.changeLines();
      for (const command of ['commit', 'abort']) {
        for (const [path, why] of [
          ['test.sh', 'nothing is staged there'],
          ['no-such-file', 'no such file or directory'],
        ] as const) {
          const result = await s.cli([command, '--yes', 'multi.txt', path]);
          assert.equal(result.code, 1);
          assert.match(result.stderr, new RegExp(`^yolofs: ${command}: ${s.project}/${path}: ${why}\nhint: .*\n$`));
        }
      }
      assert.deepEqual(await s.changeLines(), lines);
      assert.equal(existsSync(join(s.project, 'new')), false);
    });

    test('files that are open, and a shell that stands in a directory, live through a commit of a part', async (t) => {
      const s = await session(t, { account });
      writeFileSync(join(s.project, 'ready'), '');
      await s.sh('mkdir -p deep/er; echo a > deep/er/file; echo b > stay');
      const script = [
        'cd deep/er; exec 3>>file 4>>../../stay; mkfifo ../../gate; cat ../../gate > /dev/null',
        'echo more >&3; echo more >&4; pwd; cat file ../../stay; rm ../../gate',
      ].join('; ');
      const run = s.sh(script);
      await s.sh('while ! [ -p gate ]; do sleep 0.1; done');
      await s.succeed(['commit', '--yes', 'deep']);
      assert.equal(read(s, 'deep/er/file'), 'a\n');
      await s.sh('echo go > gate');
      assert.equal(await run, `${s.project}/deep/er\na\nmore\nb\nmore\n`);
      assert.equal(read(s, 'deep/er/file'), 'a\n');
      await assertLasting(s, ['modified deep/er/file', 'added stay']);
    });
  });
}
