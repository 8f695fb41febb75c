/** `yolofs travel` on the real mount: what it prints, and what processes in the view see of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { MAIN, type Session, session } from '../../support/session.ts';
import { startResident } from './resident.ts';

/** Does each piece of work as a run of its own, so that snapshots 1, 2, ... follow them. */
async function runs(s: Session, ...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) await s.succeed(['run', '--quiet', '--', 'sh', '-euc', script]);
}

for (const account of someAccounts()) {
  describe(`yolofs travel, as ${account.title}`, () => {
    test('goes back, forward and to what was abandoned, and says how to return', async (t) => {
      const s = await session(t, { account });
      await runs(s, 'echo one > f', 'echo two > f; rm hello.txt', 'mkdir d; mv f d/f');
      const third = await s.tree();
      assert.equal(await s.succeed(['travel', '1']), 'traveled to 1 (1 staged change); back with: yolofs travel 3\n');
      assert.deepEqual(await s.changeLines(), ['added f']);
      assert.equal(await s.sh('cat f hello.txt'), 'one\nbase content\n');
      await s.sh('echo other > g');
      assert.equal(await s.succeed(['travel', '3']), 'traveled to 3 (3 staged changes); back with: yolofs travel 5\n');
      assert.deepEqual(await s.tree(), third);
      await s.succeed(['travel', '5']);
      assert.equal(await s.sh('cat f g'), 'one\nother\n');
      await s.succeed(['travel', '0']);
      assert.deepEqual(await s.changeLines(), []);
      assert.deepEqual(await s.tree(), await s.baseTree());
    });

    test('takes the name of a snapshot, the latest of that name, and keeps unsaved changes in one of its own', async (t) => {
      const s = await session(t, { account });
      await s.sh('echo 1 > f');
      await s.succeed(['snapshot', 'good state']);
      await s.sh('echo 2 > f');
      await s.succeed(['snapshot', 'good state']);
      await s.succeed(['run', '--quiet', '--no-snapshot', '--', 'sh', '-c', 'echo 3 > f']);
      const json = JSON.parse(await s.succeed(['travel', 'good state', '--json'])) as object;
      assert.deepEqual(json, { generation: 6, target: 4, name: 'good state', changes: 1, from: 5, snapshot: true });
      assert.equal(await s.sh('cat f'), '2\n');
      assert.equal(
        await s.succeed(['travel', 'before travel to 4']),
        'traveled to 5 "before travel to 4" (1 staged change); back with: yolofs travel 6\n',
      );
      assert.equal(await s.sh('cat f'), '3\n');
    });

    test('refuses what is no generation in one line with a hint, and changes nothing', async (t) => {
      const s = await session(t, { account });
      await s.sh('echo 1 > f');
      const journal = await s.succeed(['log', '--json']);
      for (const [to, why] of [
        ['nope', "'nope' is neither a generation nor the name of a snapshot"],
        ['2', 'generation 2 does not exist'],
        ['', "'' is neither a generation nor the name of a snapshot"],
      ] as const) {
        const { code, stderr } = await s.cli(['travel', to]);
        assert.deepEqual([code, stderr], [1, `yolofs: travel: ${why}\nhint: 'yolofs log' lists where you can go\n`]);
      }
      assert.equal(await s.succeed(['log', '--json']), journal);
    });

    test('is there for commands in the view, which see it at once; what writes to the real files is not', async (t) => {
      const s = await session(t, { account });
      const yolofs = `${process.execPath} ${MAIN}`;
      await runs(s, 'echo one > f', 'echo two > f');
      const { code, stdout, stderr } = await s.cli([
        'run',
        '-c',
        `echo three > f; echo > g; ${yolofs} travel 1; cat f; ls g; echo four > h; ${yolofs} travel 'before travel to 1'; cat f`,
      ]);
      const said = (to: string, n: number, back: number): string =>
        `traveled to ${to} (${n} staged change${n === 1 ? '' : 's'}); back with: yolofs travel ${back}\n`;
      assert.equal(code, 0);
      assert.equal(stdout, `${said('1', 1, 3)}one\n${said('3 "before travel to 1"', 2, 5)}three\n`);
      assert.match(stderr, /^yolofs: 1 modified, 1 added$/m, 'what it left behind itself is not summed up');
      for (const words of ['commit --yes', 'abort --yes', 'undo', 'gc', 'travel 1 --session /']) {
        const refused = await s.cli(['run', '--quiet', '-c', `${yolofs} ${words}`]);
        assert.notEqual(refused.code, 0, words);
        assert.match(refused.stderr, /not possible inside the view|unknown command/, words);
      }
      assert.deepEqual(await s.changeLines(), ['added f', 'added g']);
    });

    test('changes thousands of names that the kernel knows, all of them at once', async (t) => {
      const s = await session(t, { account });
      const all = 'i=0; while [ $i -lt 2500 ]; do echo $0 > many/$i; i=$((i+1)); done; cat many/* | sort | uniq -c';
      await runs(s, `mkdir many; sh -c '${all}' one`, `sh -c '${all}' two`);
      const p = startResident(t, s);
      const look = async (): Promise<string> => (await s.sh('cat many/* | sort | uniq -c')).trim();
      assert.equal(await look(), '2500 two');
      for (const [to, word] of [
        ['1', 'one'],
        ['2', 'two'],
      ] as const) {
        await s.succeed(['travel', to]);
        assert.equal(await p.cat('many/2499'), `${word}\n`);
        assert.equal(await look(), `2500 ${word}`);
      }
      await s.succeed(['travel', '0']);
      assert.equal(await p.cat('many/7'), 'ENOENT');
    });

    test('is there after kill -9, wherever it went', async (t) => {
      const s = await session(t, { account, noisy: true });
      await runs(s, 'echo one > f; ln f g', 'rm g; chmod 600 f; mv subdir moved', 'rm -r moved; ln -s f g');
      const trees = new Map<number, unknown>();
      for (const to of [3, 1, 0, 2, 5, 3]) {
        await s.succeed(['travel', String(to)]);
        const seen = await s.tree();
        assert.deepEqual(seen, trees.get(to) ?? seen, `the same as when it was last there: ${to}`);
        trees.set(to, seen);
        await s.killDaemon();
        assert.deepEqual(await s.tree(), seen, `after a kill: ${to}`);
      }
    });

    test('shows a process in the view the new state on its next call', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      const look = async (): Promise<unknown[]> => [
        await p.ls('.'),
        await p.cat('hello.txt'),
        await p.cat('new'),
        await p.stat('test.sh'),
        await p.stat('link'),
        await p.ask({ op: 'readlink', path: 'link' }),
        await p.cat('subdir/deep.txt'),
        await p.cat('moved/deep.txt'),
        await p.stat('gone-and-back'),
        await p.stat('hard'),
      ];
      const base = await look();
      assert.deepEqual(base.slice(2, 5), ['ENOENT', '755 19 1', 'ENOENT'], 'what is not there is remembered, too');
      await runs(
        s,
        'echo changed > hello.txt; echo new > new; chmod 700 test.sh; ln -s a link; ln multi.txt hard',
        'mv subdir moved; ln -sfn b link; rm new; mkdir new; touch -d @1000000000 test.sh; mkdir gone-and-back',
        'rm hard hello.txt; rmdir gone-and-back; setfattr -n user.x -v y test.sh || true',
      );
      const seen: unknown[][] = [base];
      for (const to of [1, 2, 3]) {
        await s.succeed(['travel', String(to)]);
        seen.push(await look());
      }
      const [, one, two, three] = seen as unknown[][][];
      assert.deepEqual(one?.slice(1), [
        ...['changed\n', 'new\n', '700 19 1', '777 1 1', 'a', 'nested\n', 'ENOENT', 'ENOENT', '644 12 2'],
      ]);
      assert.deepEqual(
        two?.slice(1),
        [...['changed\n', 'EISDIR', '700 19 1', '777 1 1', 'b', 'ENOENT', 'nested\n', '755 0 1', '644 12 2']].map(
          (value) => (value === '755 0 1' ? two?.[8] : value),
        ),
      );
      assert.deepEqual([three?.[1], three?.[8], three?.[9]], ['ENOENT', 'ENOENT', 'ENOENT']);
      for (const to of [0, 2, 1, 3, 0]) {
        await s.succeed(['travel', String(to)]);
        assert.deepEqual(await look(), seen[to], `at ${to}`);
      }
      await p.end();
    });
  });
}
