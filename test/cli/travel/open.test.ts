/** What a travel leaves to processes that have files, mappings, streams and directories of the view open. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { type Session, session } from '../../support/session.ts';
import { type Resident, startResident } from './resident.ts';

async function runs(s: Session, ...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) await s.succeed(['run', '--quiet', '--', 'sh', '-euc', script]);
}

const to = (s: Session, generation: number): Promise<string> => s.succeed(['travel', String(generation)]);

/** All generations up to `last`, one after the other, as `cat` shows them. */
async function contents(s: Session, p: Resident, path: string, last: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let generation = 0; generation <= last; generation++) {
    await to(s, generation);
    seen.push(await p.cat(path));
  }
  return seen;
}

for (const account of someAccounts()) {
  describe(`a travel leaves open, as ${account.title},`, () => {
    test('files with what they had; what is written to them is in no generation', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await p.ask({ op: 'open', id: 'base', path: 'hello.txt', flags: 'r+' });
      await runs(s, 'echo first > f; echo one > hello.txt', 'echo second > f; echo two > hello.txt', 'rm f');
      await to(s, 2);
      await p.ask({ op: 'open', id: 'r', path: 'f', flags: 'r' });
      await p.ask({ op: 'open', id: 'w', path: 'f', flags: 'r+' });
      for (const generation of [1, 0, 3]) {
        await to(s, generation);
        assert.equal(await p.ask({ op: 'read', id: 'r' }), generation === 1 ? 'second\n' : 'sec0nd\n');
        if (generation === 1) await p.ask({ op: 'write', id: 'w', at: 3, text: '0' });
        assert.equal(await p.ask({ op: 'read', id: 'w' }), 'sec0nd\n');
        await p.ask({ op: 'fsync', id: 'w' });
      }
      assert.equal(await p.ask({ op: 'read', id: 'base' }), 'two\n', 'a file that was there all the time');
      await p.ask({ op: 'write', id: 'base', at: 0, text: 'T' });
      assert.deepEqual((await contents(s, p, 'f', 3)).slice(0, 4), ['ENOENT', 'first\n', 'second\n', 'ENOENT']);
      assert.deepEqual((await contents(s, p, 'hello.txt', 3)).slice(0, 3), ['base content\n', 'one\n', 'two\n']);
      await p.end();
      assert.match(await s.succeed(['travel', '0', '--json']), /"changes":0/);
      assert.deepEqual(await s.tree(), await s.baseTree());
    });

    test('mappings: pages that were dirty before belong to the state before, later ones to nobody', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await runs(s, 'printf 0123456789 > m', 'printf abcdefghij > m');
      await p.ask({ op: 'open', id: 'm', path: 'm', flags: 'r+' });
      await p.ask({ op: 'map', id: 'm', length: 10 });
      await p.ask({ op: 'poke', id: 'm', at: 0, text: 'BEFORE' });
      await to(s, 1);
      assert.equal(await p.cat('m'), '0123456789');
      await p.ask({ op: 'poke', id: 'm', at: 6, text: 'LATE' });
      assert.equal(await p.ask({ op: 'peek', id: 'm' }), 'BEFORELATE');
      await p.ask({ op: 'fsync', id: 'm' });
      assert.equal(await p.cat('m'), '0123456789');
      await to(s, 2);
      assert.equal(await p.cat('m'), 'abcdefghij');
      await s.succeed(['travel', 'before travel to 1']);
      assert.equal(await p.cat('m'), 'BEFOREghij');
      assert.equal(await p.ask({ op: 'peek', id: 'm' }), 'BEFORELATE');
    });

    test('snapshots to be taken while files are open for writing, and what they hold stays as it was', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await p.ask({ op: 'put', path: 'f', text: 'v0--------' });
      await p.ask({ op: 'open', id: 'f', path: 'f', flags: 'r+' });
      await p.ask({ op: 'map', id: 'f', length: 10 });
      await p.ask({ op: 'open', id: 'base', path: 'hello.txt', flags: 'r+' });
      for (const n of [1, 2, 3]) {
        await p.ask({ op: 'write', id: 'f', at: 0, text: `v${n}` });
        await p.ask({ op: 'poke', id: 'f', at: 2, text: `m${n}` });
        await p.ask({ op: 'write', id: 'base', at: 0, text: `BASE${n}` });
        assert.equal(await s.succeed(['snapshot', `s${n}`]), `snapshot ${n}\n`);
      }
      await p.ask({ op: 'write', id: 'f', at: 0, text: 'v4' });
      const seen = await contents(s, p, 'f', 3);
      assert.deepEqual(seen, ['ENOENT', 'v1m1------', 'v2m2------', 'v3m3------']);
      assert.deepEqual(
        (await contents(s, p, 'hello.txt', 3)).slice(1),
        [1, 2, 3].map((n) => `BASE${n}content\n`),
      );
      await s.succeed(['travel', 'before travel to 0']);
      assert.equal(await p.cat('f'), 'v4m3------');
    });

    test('a working directory that is in both states, wherever each has it', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await runs(s, 'echo 1 > subdir/new', 'mv subdir moved; echo 2 > moved/new', 'mkdir in; mv moved in/deep');
      const where = ['subdir', 'subdir', 'moved', 'in/deep'];
      const news = ['ENOENT', '1\n', '2\n', '2\n'];
      await p.ask({ op: 'chdir', path: 'in/deep' });
      for (const generation of [2, 3, 1, 0, 3, 0, 2, 1]) {
        await to(s, generation);
        assert.equal(await p.cat('new'), news[generation], `at ${generation}`);
        assert.equal(await p.cat('deep.txt'), 'nested\n');
        assert.equal(await p.ask({ op: 'cwd' }), `${s.project}/${where[generation]}`, `at ${generation}`);
        assert.equal(await p.stat(`${s.project}/${where[generation]}/deep.txt`), '644 7 1');
        assert.deepEqual(await p.ls('.'), generation === 0 ? ['deep.txt'] : ['deep.txt', 'new']);
      }
      await p.ask({ op: 'put', path: 'here', text: 'x' });
      assert.equal(await s.sh('cat subdir/here'), 'x');
    });

    test('a working directory that is not there as empty as a removed one, and brings it back', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await runs(s, 'mkdir -p new/sub; echo 1 > new/f; echo 1 > new/sub/g', 'echo 2 > new/f; rm new/sub/g');
      await p.ask({ op: 'chdir', path: 'new/sub' });
      assert.deepEqual(await p.ls('..'), ['f', 'sub']);
      await to(s, 0);
      assert.deepEqual([await p.ls('.'), await p.ls('..')], [[], []]);
      assert.equal(await p.ask({ op: 'put', path: 'x', text: 'x' }), 'ENOENT');
      assert.equal(await p.stat(`${s.project}/new`), 'ENOENT');
      await to(s, 1);
      assert.deepEqual([await p.ls('.'), await p.cat('g'), await p.cat('../f')], [['g'], '1\n', '1\n']);
      await to(s, 2);
      assert.deepEqual([await p.ls('.'), await p.cat('g'), await p.cat('../f')], [[], 'ENOENT', '2\n']);
      assert.equal(await p.ask({ op: 'cwd' }), `${s.project}/new/sub`);
    });

    test('a working directory of the base that was deleted likewise, also by way of another state', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await runs(s, 'echo x > subdir/x', 'mv subdir/deep.txt .; rm -r subdir');
      await to(s, 1);
      await p.ask({ op: 'chdir', path: 'subdir' });
      for (const generation of [2, 0, 2, 1]) {
        await to(s, generation);
        const names = [['deep.txt'], ['deep.txt', 'x'], []][generation];
        assert.deepEqual(await p.ls('.'), names, `at ${generation}`);
        assert.equal(await p.cat('deep.txt'), generation === 2 ? 'ENOENT' : 'nested\n');
      }
      assert.equal(await p.ask({ op: 'cwd' }), `${s.project}/subdir`);
      await p.ask({ op: 'put', path: 'y', text: 'y' });
      assert.equal(await s.sh('cat subdir/y'), 'y');
    });

    test('a directory that is being read: nothing twice, and what is new behind the place reached', async (t) => {
      const s = await session(t, { account });
      const p = startResident(t, s);
      await runs(
        s,
        'mkdir many; for i in $(seq 1 500); do echo > many/f$i; done',
        'for i in $(seq 1 500); do mv many/f$i many/g$i; done; echo > hello2.txt',
      );
      await to(s, 1);
      await p.ask({ op: 'opendir', id: 'd', path: 'many' });
      const first = (await p.ask({ op: 'next', id: 'd', count: 20 })) as string[];
      await to(s, 2);
      const rest = (await p.ask({ op: 'next', id: 'd', count: 2000 })) as string[];
      const all = [...first, ...rest];
      assert.equal(new Set(all).size, all.length, 'no name twice');
      assert.ok(
        first.every((name) => name.startsWith('f')),
        'what was there',
      );
      assert.equal(((await p.ls('many')) as string[]).filter((name) => name.startsWith('g')).length, 500);
    });
  });
}
