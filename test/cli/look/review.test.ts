/** What to do with staged changes: status, diff, log, snapshot, commit, abort, du, stop. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { BUILT, type Session, session } from '../../support/session.ts';

const MAIN = join(BUILT, 'src/cli/main.js');
const EVERYTHING = [
  'echo new > new.txt',
  'mkdir dir && echo in > dir/in.txt',
  'ln -s hello.txt link',
  'rm hello.txt',
  'echo more >> multi.txt',
  'chmod 600 test.sh',
  'mv subdir moved',
].join('; ');

for (const account of someAccounts()) {
  describe(`with changes staged, as ${account.title}`, () => {
    test('status lists them, as text and as JSON', async (t) => {
      const s = await staged(t, account);
      assert.equal(
        await s.succeed(['status']),
        [
          'Look at this first (1)',
          '  link  a symlink to hello.txt',
          '',
          'Deleted (1)',
          '  hello.txt',
          '',
          'Modified (1)',
          '  multi.txt',
          '',
          'Renamed (1)',
          '  subdir/ → moved/',
          '',
          'Attributes changed (1)',
          '  test.sh',
          '',
          'Added (4)',
          '  dir/',
          '  dir/in.txt',
          '  link',
          '  new.txt',
          '',
        ].join('\n'),
      );
      const path = (name: string): string => join(s.project, name);
      assert.deepEqual(JSON.parse(await s.succeed(['status', '--json'])), {
        generation: 1,
        notices: [{ path: path('link'), kind: 'symlink', why: 'a symlink to hello.txt' }],
        changes: [
          { path: path('dir'), change: 'added', type: 'directory' },
          { path: path('dir/in.txt'), change: 'added', type: 'file' },
          { path: path('hello.txt'), change: 'deleted', type: 'file' },
          { path: path('link'), change: 'added', type: 'symlink' },
          { path: path('moved'), change: 'renamed', type: 'directory', from: path('subdir') },
          { path: path('multi.txt'), change: 'modified', type: 'file' },
          { path: path('new.txt'), change: 'added', type: 'file' },
          { path: path('test.sh'), change: 'metadata', type: 'file' },
        ],
      });
    });

    test('diff shows them in git style', async (t) => {
      const s = await staged(t, account);
      const diff = await s.succeed(['diff', '--', 'multi.txt']);
      assert.match(diff, /^@@ -1,2 \+1,3 @@\n line1\n line2\n\+more\n$/m);
      const all = await s.succeed(['diff']);
      assert.match(all, /^deleted file mode 100644$/m);
      assert.match(all, /^old mode 100755\nnew mode 100644$/m);
      assert.match(await s.succeed(['diff', '--stat']), /multi\.txt +\| +1 \+/);
    });

    test('status, diff, log and du need no daemon and start none', async (t) => {
      const s = await staged(t, account);
      const listing = async (): Promise<string[]> =>
        Promise.all(
          [['status'], ['status', '--json'], ['diff'], ['log'], ['log', '--json']].map((args) => s.succeed(args)),
        );
      const live = await listing();
      await s.stop();
      assert.deepEqual(await listing(), live);
      assert.match(await s.succeed(['du']), /^content .*\n.*journal/);
      assert.equal((await s.cli(['stop'])).stderr, 'no daemon was running\n');
    });

    test('commit --dry-run lists the steps and touches nothing', async (t) => {
      const s = await staged(t, account);
      const before = await s.baseTree({ mtime: true });
      const steps = (await s.succeed(['commit', '--dry-run'])).trim().split('\n');
      assert.ok(
        steps.some((step) => step.includes('hello.txt')),
        steps.join('\n'),
      );
      const { changes } = JSON.parse(await s.succeed(['commit', '--dry-run', '--json'])) as { changes: number };
      assert.equal(changes, 8);
      assert.deepEqual(await s.baseTree({ mtime: true }), before);
      assert.equal((await s.changes()).length, 8);
    });

    test('commit makes the real files what the view shows', async (t) => {
      const s = await staged(t, account);
      const view = await s.tree({ mtime: true });
      const { stderr } = await s.cli(['commit', '--yes']);
      assert.equal(stderr, 'committed 8 changes\n');
      assert.deepEqual(await s.baseTree({ mtime: true }), view);
      assert.deepEqual(await s.changes(), []);
      assert.deepEqual(await s.cli(['status']), { code: 0, stdout: 'nothing is staged (generation 1)\n', stderr: '' });
      assert.equal((await s.cli(['commit', '--yes'])).stderr, 'nothing to commit\n');
      assert.deepEqual(await s.tree({ mtime: true }), view);
    });

    test('abort shows the real files again', async (t) => {
      const s = await staged(t, account);
      const before = await s.baseTree({ mtime: true });
      assert.equal((await s.cli(['abort', '--yes'])).stderr, 'discarded 8 staged changes\n');
      assert.deepEqual(await s.baseTree({ mtime: true }), before);
      assert.deepEqual(await s.tree({ mtime: true }), before);
      assert.deepEqual(await s.changes(), []);
      assert.equal((await s.cli(['abort', '--yes'])).stderr, 'nothing was staged\n');
    });

    test('snapshot names the present state, or takes none with --if-changed', async (t) => {
      const s = await staged(t, account);
      assert.equal(await s.succeed(['snapshot', 'before lunch']), 'snapshot 2\n');
      const again = await s.cli(['snapshot', '--if-changed']);
      assert.deepEqual(again, { code: 0, stdout: '', stderr: 'nothing changed since generation 2\n' });
      assert.equal(await s.succeed(['snapshot']), 'snapshot 3\n');
      const log = JSON.parse(await s.succeed(['log', '--json'])) as { generation: number; name: string }[];
      assert.deepEqual(
        log.map(({ generation, name }) => [generation, name]),
        [
          [1, ''],
          [2, 'before lunch'],
          [3, ''],
        ],
      );
      assert.deepEqual(
        (await s.succeed(['timeline'])).split('\n').map((line) => line.slice(0, 7)),
        ['@     3', '●     2', '●     1', '◆     0', ''],
      );
    });
  });
}

describe('listings', () => {
  test('use colour on a terminal only', async (t) => {
    const s = await staged(t, someAccounts()[0]);
    const env = { NO_COLOR: '', TERM: 'xterm' };
    assert.ok(!(await s.cli(['status'], { env })).stdout.includes('\x1b'));
    const onTerminal = await s.native(
      ['script', '--quiet', '--command', `${process.execPath} ${MAIN} status`, '/dev/null'],
      { env },
    );
    assert.ok(onTerminal.stdout.includes('  \x1b[31mhello.txt\x1b[39m'), onTerminal.stdout);
    const plain = await s.native(['script', '--quiet', '--command', `${process.execPath} ${MAIN} status`, '/dev/null']);
    assert.ok(!plain.stdout.includes('\x1b'));
  });

  test('write names of any bytes so that they can be read', async (t) => {
    const s = await session(t);
    await s.sh(`touch "$(printf 'a\\nb')" "$(printf 'c\\377')" 'ü '`);
    assert.deepEqual(
      (await s.changes()).map(({ path }) => path),
      ['a\\x0ab', 'c\\xff', 'ü '],
    );
    assert.equal((await s.succeed(['status'])).split('\n').length, 5);
  });

  test('end quietly when nobody reads on', async (t) => {
    const s = await session(t);
    await s.sh('i=0; while [ $i -lt 3000 ]; do echo $i > file-with-a-long-name-$i; i=$((i+1)); done');
    for (const command of ['status', 'status --json', 'diff']) {
      const script = `"$1" "$2" ${command} | head -c 20 | wc -c; echo "\${PIPESTATUS[0]}"`;
      const result = await s.native(['bash', '-c', script, 'bash', process.execPath, MAIN]);
      assert.deepEqual(result, { code: 0, stdout: '20\n0\n', stderr: '' });
    }
  });
});

async function staged(
  t: Parameters<typeof session>[0],
  account: ReturnType<typeof someAccounts>[number] | undefined,
): Promise<Session> {
  const s = await session(t, account === undefined ? {} : { account });
  await s.succeed(['run', '--quiet', '-c', EVERYTHING]);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  return s;
}
