/** What needs a person at a terminal: the shell in the view, questions, Ctrl-C. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { CONTROL_C, CONTROL_D, CONTROL_Z, converse, type Line } from '../support/conversation.ts';
import { has } from '../support/need.ts';
import { BUILT, type Session, session } from '../support/session.ts';

const YOLOFS = `'${process.execPath}' '${join(BUILT, 'src/cli/main.js')}'`;
const PROMPT = /\(yolofs\) .*[#$] /;
const CHOICE = /\[c\]ommit all, \[k\]eep, \[a\]bort/;

for (const account of accounts()) {
  describe(`on a terminal, as ${account.title}`, () => {
    const talk = (s: Session, command: string, lines: readonly Line[]): ReturnType<typeof converse> => {
      const env = { HOME: s.home, SHELL: '/bin/bash', HISTFILE: '/dev/null', YOLOFS_TEST_ROOT: s.root };
      return converse(`${YOLOFS} ${command}`, lines, { cwd: s.project, account, env });
    };

    test("shell's history is the session's: the person's own is denied, and no shell ends with a refusal", async (t) => {
      if (!has(t, ['script', 'bash'])) return;
      const s = await session(t, { account, rules: 'default' });
      const env = { HOME: s.home, SHELL: '/bin/bash', YOLOFS_TEST_ROOT: s.root };
      const inShell = async (command: string): Promise<string> => {
        const lines: Line[] = [
          [PROMPT, `${command}\n`],
          [PROMPT, 'exit\n'],
        ];
        return (await converse(`${YOLOFS} shell`, lines, { cwd: s.project, account, env })).shown;
      };
      const first = await inShell('echo kept');
      assert.match(first, /^nothing is staged/m);
      assert.doesNotMatch(first, /By rules|refused/);
      assert.match(await inShell('history'), / 1 +echo kept$/m);
    });

    test('shell marks its prompt, has job control, and keeps the changes unless told otherwise', async (t) => {
      if (!has(t, ['script', 'bash'])) return;
      const s = await session(t, { account });
      const { code, shown } = await talk(s, 'shell', [
        // Keys only once the program runs: a shell that is still starting it may lose the terminal to it.
        [PROMPT, 'echo hi > made; sh -c "echo first; exec sleep 40"\n'],
        [/first\n/, CONTROL_Z],
        [/Stopped/, ''],
        [PROMPT, 'kill %1; sh -c "echo second; exec sleep 40"\n'],
        [/second\n/, CONTROL_C],
        [PROMPT, 'exit\n'],
        [CHOICE, '\n'],
      ]);
      // That of the command before exit, as in every shell.
      assert.equal(code, 130, shown);
      assert.match(shown, /Added \(1\)[\s\S]*made/);
      assert.match(shown, /^kept: /m);
      assert.deepEqual(await s.changeLines(), ['added made']);
      assert.equal(existsSync(join(s.project, 'made')), false);
    });

    test('shell commits or aborts at its end when told so, and keeps at the end of input', async (t) => {
      if (!has(t, ['script', 'bash'])) return;
      const s = await session(t, { account });
      const visit = (answer: string): ReturnType<typeof converse> =>
        talk(s, 'shell', [
          [PROMPT, 'echo $RANDOM > made\n'],
          [PROMPT, CONTROL_D],
          [CHOICE, answer],
        ]);
      assert.match((await visit(CONTROL_D)).shown, /^kept: /m);
      assert.deepEqual(await s.changeLines(), ['added made']);
      assert.match((await visit('a\n')).shown, /^discarded 1 staged change$/m);
      assert.deepEqual(await s.changeLines(), []);
      assert.match((await visit('c\n')).shown, /committed 1 change$/m);
      assert.equal(existsSync(join(s.project, 'made')), true);
      assert.deepEqual(await s.changeLines(), []);
    });

    test('commit and abort ask first, and an answer other than yes changes nothing', async (t) => {
      if (!has(t, ['script'])) return;
      const s = await session(t, { account });
      await s.sh('echo hi > made');
      const no = await talk(s, 'commit', [[/create file .*made[\s\S]*Apply this to the real files\? \[y\/N\]/, '\n']]);
      assert.equal(no.code, 1);
      assert.match(no.shown, /^\S*yolofs:\S* commit: not confirmed: nothing was written$/m);
      assert.equal((await talk(s, 'abort', [[/Discard everything/, CONTROL_D]])).code, 1);
      assert.deepEqual(await s.changeLines(), ['added made']);
      assert.equal((await talk(s, 'commit', [[/real files\?/, 'y\n']])).code, 0);
      assert.equal(existsSync(join(s.project, 'made')), true);
    });

    test('run leaves a Ctrl-C to its command and sums up afterwards', async (t) => {
      if (!has(t, ['script'])) return;
      const s = await session(t, { account });
      const script = `trap 'echo caught > caught; exit 7' INT; echo ready; while :; do sleep 0.1; done`;
      const { code, shown } = await talk(s, `run -- sh -c "${script}"`, [[/^ready$/m, CONTROL_C]]);
      assert.equal(code, 7, shown);
      assert.match(shown, /added +caught$/m);
    });
  });
}
