/** `yolofs travel` on the real mount: where it goes, what it prints, and who may; what is seen of it meanwhile is in known.test.ts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

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
  });
}
