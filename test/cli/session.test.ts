/** The commands on a live session, as root and as an ordinary user: what they print, return and leave alone. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writeCommandFile } from '../../src/agents/command-file.ts';
import { accounts } from '../support/accounts.ts';
import { exec } from '../support/exec.ts';
import { BUILT, session } from '../support/session.ts';

const MAIN = join(BUILT, 'src/cli/main.js');

for (const account of accounts()) {
  describe(`yolofs run, as ${account.title}`, () => {
    test('leaves stdin, stdout, stderr, arguments and directory as they are', async (t) => {
      const s = await session(t, { account });
      const script = 'cat; pwd; printf "%s|" "$@" >&2';
      const args = ['run', '--quiet', '--', 'sh', '-c', script, 'sh', 'a b', "it's", '', '--quiet', '-c'];
      const result = await s.cli(args, { input: 'in\0put\n', cwd: join(s.project, 'subdir') });
      assert.deepEqual(result, { code: 0, stdout: `in\0put\n${s.project}/subdir\n`, stderr: "a b|it's||--quiet|-c|" });
    });

    test("returns the command's own code, 128 + n for a signal, 127 and 126 as a shell does", async (t) => {
      const s = await session(t, { account });
      const code = async (...args: string[]): Promise<number> => (await s.cli(['run', ...args])).code;
      assert.equal(await code('--', 'sh', '-c', 'exit 42'), 42);
      assert.equal(await code('-c', 'exit 3'), 3);
      assert.equal(await code('-c', 'kill -TERM $$'), 143);
      const missing = await s.cli(['run', '--', 'no-such-program']);
      assert.equal(missing.code, 127);
      assert.match(missing.stderr, /^[^\n]*no-such-program[^\n]*\n$/);
      const plain = await s.cli(['run', '--', './hello.txt']);
      assert.equal(plain.code, 126);
      assert.match(plain.stderr, /^[^\n]*hello\.txt[^\n]*\n$/);
    });

    test('runs shell text through bash, also text longer than one argument may be', async (t) => {
      const s = await session(t, { account });
      const text = "[[ abc == a* ]] && echo \"it's $0\"; echo $'tab\\there'";
      assert.equal((await s.cli(['run', '-c', text])).stdout, "it's bash\ntab\there\n");
      const long = `cat <<'END' | sort | uniq -c; echo "$# [$*] [$IFS]"\n${"it's a line €\n".repeat(20_000)}END\n`;
      const file = writeCommandFile(long);
      await exec(['chown', '-R', `${account.uid}:${account.gid}`, join(file, '..')]);
      const { stdout } = await s.cli(['run', '--command-file', file]);
      assert.equal(stdout, "  20000 it's a line €\n0 [] [ \t\n]\n");
      assert.equal(existsSync(join(file, '..')), false);
    });

    test('changes nothing real, keeps what is written for the next run, and sums up each run', async (t) => {
      const s = await session(t, { account });
      const before = await s.baseTree({ mtime: true });
      const first = await s.cli([
        'run',
        '-c',
        'echo new > new.txt; rm hello.txt; echo more >> multi.txt; mv subdir moved',
      ]);
      assert.equal(
        first.stderr,
        [
          'yolofs: 1 deleted, 1 modified, 1 renamed, 1 added',
          '  deleted  hello.txt',
          '  modified multi.txt',
          '  renamed  subdir/ → moved/',
          '  added    new.txt',
          "snapshot 1; staged only: 'yolofs travel 0' goes back to before, 'yolofs status' lists; a person decides: 'yolofs commit' applies, 'yolofs abort' discards",
          '',
        ].join('\n'),
      );
      const second = await s.cli(['run', '-c', 'cat new.txt moved/deep.txt; ls hello.txt 2>&1; echo again >> new.txt']);
      assert.equal(second.stdout, "new\nnested\nls: cannot access 'hello.txt': No such file or directory\n");
      assert.match(
        second.stderr,
        /^yolofs: 1 modified\n {2}modified new\.txt\nsnapshot 2; staged only: 'yolofs travel 1' goes back/,
      );
      assert.deepEqual(await s.cli(['run', '--', 'cat', 'new.txt']), { code: 0, stdout: 'new\nagain\n', stderr: '' });
      assert.deepEqual(await s.baseTree({ mtime: true }), before);
    });

    test('marks what lies outside of the project', async (t) => {
      const s = await session(t, { account });
      const { stderr } = await s.cli(['run', '-c', 'echo x > ~/.profile']);
      assert.match(stderr, new RegExp(`^ {2}added {4}${s.home}/\\.profile {2}\\(outside the project\\)$`, 'm'));
      assert.equal(existsSync(join(s.home, '.profile')), false);
    });

    test('says nothing with --quiet and names or leaves out the snapshot as told', async (t) => {
      const s = await session(t, { account });
      const quiet = await s.cli(['run', '--quiet', '--name', 'fürst', '-c', 'echo 1 > a']);
      assert.deepEqual(quiet, { code: 0, stdout: '', stderr: '' });
      const none = await s.cli(['run', '--no-snapshot', '-c', 'echo 2 > b']);
      assert.match(none.stderr, /^generation 1, no snapshot; /m);
      const log = JSON.parse(await s.succeed(['log', '--json'])) as { time: string }[];
      assert.ok(Math.abs(Date.parse(log[0]?.time ?? '') - Date.now()) < 60_000, JSON.stringify(log));
      const wanted = { generation: 1, kind: 'snapshot', name: 'fürst', live: true, command: 'echo 1 > a' };
      assert.deepEqual(
        log.map(({ time: _time, ...entry }) => entry),
        [wanted],
      );
    });

    test('passes a SIGTERM on to the command and still sums up', async (t) => {
      const s = await session(t, { account });
      await s.succeed(['run', '--', 'true']);
      let pid = 0;
      const result = await s.cli(
        ['run', '-c', 'trap "echo bye > bye; exit 9" TERM; echo ready; while :; do sleep 0.1; done'],
        {
          onStart: (started) => {
            pid = started;
          },
          onStdout: () => process.kill(pid, 'SIGTERM'),
        },
      );
      assert.equal(result.code, 9);
      assert.match(result.stderr, /^ {2}added {4}bye$/m);
    });

    test('tells every process in the view where it is, and does there what only looks', async (t) => {
      const s = await session(t, { account });
      assert.equal(
        await s.sh('echo "$YOLOFS_VIEW"; ls -A .yolofs 2>&1 || true'),
        "1\nls: cannot access '.yolofs': No such file or directory\n",
      );
      const inside = await s.cli(['run', '-c', `${process.execPath} ${MAIN} run -- true`]);
      const status = await s.cli(['run', '--quiet', '-c', `echo x > made; ${process.execPath} ${MAIN} status`]);
      assert.deepEqual(status, { code: 0, stdout: 'Added (1)\n  made\n', stderr: '' });
      const byAlias = await s.cli(['run', '--quiet', '-c', `${process.execPath} ${MAIN} timeline --json`]);
      assert.deepEqual([byAlias.code, byAlias.stdout], [0, await s.succeed(['log', '--json'])]);
      assert.equal(inside.code, 1);
      assert.match(inside.stderr, /^yolofs: run: not possible inside the view\nhint: inside, only status, /);
    });
  });
}
