/** `yolofs travel` on the real mount, over what the kernel and processes in the view know, and what is left of it after a kill. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';
import { startResident } from './resident.ts';

/** Does each piece of work as a run of its own, so that snapshots 1, 2, ... follow them. */
async function runs(s: Session, ...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) await s.succeed(['run', '--quiet', '--', 'sh', '-euc', script]);
}

for (const account of someAccounts()) {
  describe(`what is seen of yolofs travel, as ${account.title}`, () => {
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
