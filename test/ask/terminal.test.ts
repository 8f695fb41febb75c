/** Questions on a terminal: that of the run itself, and that of `yolofs watch`. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Account, accounts } from '../support/accounts.ts';
import { CONTROL_C, CONTROL_D, CONTROL_Z, converse, type Line } from '../support/conversation.ts';
import { has } from '../support/need.ts';
import { MAIN, type Session } from '../support/session.ts';
import { listen } from './front.ts';
import { type World, world } from './world.ts';

const QUESTION = /yolofs asks:[\s\S]*?ne\[v\]er\? /;
/** The title is put back at any time, also between two pieces of what the program writes. */
const REFUSED = /two[^:\n]{0,10}: Permission denied/;
const PROMPT = /\(yolofs\) .*[#$] /;

type Talk = (command: string, ...lines: readonly Line[]) => ReturnType<typeof converse>;

function talkIn(s: Session, account: Account): Talk {
  const env = { HOME: s.home, SHELL: '/bin/bash', HISTFILE: '/dev/null', YOLOFS_TEST_ROOT: s.root };
  return (command, ...lines) =>
    converse(`'${process.execPath}' '${MAIN}' ${command}`, lines, { cwd: s.project, account, env });
}

async function atTerminal(t: TestContext, account: Account): Promise<World & { talk: Talk }> {
  const made = await world(t, account);
  return { ...made, talk: talkIn(made.s, account) };
}

for (const account of accounts()) {
  describe(`questions at a terminal, as ${account.title}`, { concurrency: 2 }, () => {
    test('run puts them on its terminal, whose settings stay as they are', async (t) => {
      if (!has(t, ['script'])) return;
      const { asked, talk } = await atTerminal(t, account);
      const script = `stty -g; cat ${asked}/one ${asked}/two ${asked}/three; stty -g; read x; echo got:$x`;
      const { shown } = await talk(
        `run --quiet -c '${script}'`,
        [QUESTION, 'once\n'],
        [/^one\n[\s\S]*yolofs asks[\s\S]*ne\[v\]er\? /m, 'n\n'],
        [/two: Permission denied[\s\S]*yolofs asks[\s\S]*ne\[v\]er\? /, CONTROL_D],
        [/three: Permission denied[\s\S]*:[0-9a-f]+\n/, 'typed\n'],
      );
      assert.match(shown, /got:typed/);
      const settings = shown.match(/^[0-9a-f]+:[0-9a-f:]+$/gm) ?? [];
      assert.equal(settings.length, 2, shown);
      assert.equal(settings[0], settings[1]);
    });

    test('Ctrl-C ends the program that asks, and nothing is allowed', async (t) => {
      if (!has(t, ['script'])) return;
      const { asked, talk } = await atTerminal(t, account);
      const { code, shown } = await talk(`run --quiet -- cat ${asked}/one`, [QUESTION, CONTROL_C]);
      assert.notEqual(code, 0);
      assert.doesNotMatch(shown, /^one$/m);
    });

    test('N5: a program that has the terminal for itself, or waits for a line, is not disturbed: title and bell, answered elsewhere', async (t) => {
      if (!has(t, ['script'])) return;
      const { s, asked, talk } = await atTerminal(t, account);
      const front = await listen(t, s);
      const answer = (number: number, allow: boolean) => () => {
        void front.question(number).then(({ id }) => front.answer(id, { allow }));
        return '';
      };
      const raw = await talk(
        `run --quiet -c 'stty raw; cat ${asked}/one ${asked}/two; stty sane; echo done'`,
        [/yolofs asks .*one.\\/, answer(1, true)],
        [/yolofs asks .*two.\\/, answer(2, false)],
      );
      assert.match(raw.shown, new RegExp(`one\n[\\s\\S]*${REFUSED.source}[\\s\\S]*done`));
      const title = `\x1b[22;2t\x1b]2;yolofs asks ('yolofs watch' answers): cat wants to read ${asked}/one\x1b\\\x07`;
      assert.ok(raw.shown.includes(title), JSON.stringify(raw.shown));
      assert.equal(raw.shown.split('\x1b[23;2t').length, 3, 'the title is put back after each');
      const script = `(until grep -qsE "^(0|63) 0x0 " /proc/$$/syscall; do sleep 0.1; done; cat ${asked}/two) & read x; echo got:$x; wait`;
      const reading = await talk(
        `run --quiet -c '${script}'`,
        [/yolofs asks .*two.\\/, answer(3, false)],
        [REFUSED, 'mine\n'],
      );
      assert.match(reading.shown, /got:mine/);
      assert.doesNotMatch(reading.shown, /ne\[v\]er/);
      // It is at work most of the time, so whether it waits just then says nothing.
      const node = `"${process.execPath}" -e "process.stdin.on(\\"data\\", (d) => { console.log(\\"got:\\" + d); process.exit(); }); setInterval(() => { for (const end = Date.now() + 50; Date.now() < end; ); }, 1); require(\\"fs\\").writeFileSync(\\"reads\\", \\"\\" + process.pid)"`;
      const epoll = await talk(
        `run --quiet -c '(until [ -s reads ]; do sleep 0.1; done; sleep 0.3; cat ${asked}/two) & ${node}; wait'`,
        [/yolofs asks .*two.\\/, answer(4, false)],
        [REFUSED, 'mine\n'],
      );
      assert.match(epoll.shown, /got:mine/);
      assert.doesNotMatch(epoll.shown, /ne\[v\]er/);
    });

    test('N5: at a terminal that is not free, one that nobody answers in time is the last that is waited for', async (t) => {
      if (!has(t, ['script'])) return;
      const made = await world(t, account, 'timeout = "1 s"');
      const talk = talkIn(made.s, account);
      const { shown } = await talk(
        `run --quiet -c 'stty raw; cat ${made.asked}/one ${made.asked}/two; stty sane; echo done'`,
      );
      assert.match(shown, new RegExp(`${REFUSED.source}[\\s\\S]*done`));
      assert.equal(shown.split('yolofs asks').length, 2, shown);
    });

    test('N13: watch says what is no answer, and Ctrl-C ends it at once, whatever was typed while nothing was asked', async (t) => {
      if (!has(t, ['script'])) return;
      const { s, asked, talk } = await atTerminal(t, account);
      const front = await listen(t, s);
      let output: Promise<string> | undefined;
      const { code } = await talk(
        'watch',
        [/Ctrl-C ends\n/, 'typed into nothing\n'],
        [
          /into nothing\n/,
          () => {
            output = s.sh(`cat ${asked}/one`);
            return '';
          },
        ],
        [/ne\[v\]er\? /, 'maybe\n'],
        [/that is none of the answers\n[\s\S]*ne\[v\]er\? /, CONTROL_C],
      );
      assert.equal(code, 130);
      // It was asked there, too, and nothing has decided it.
      assert.deepEqual(front.closed, []);
      await front.answer((await front.question()).id, { allow: true });
      assert.equal(await output, 'one\n');
    });

    test('shell puts them on its terminal, and has its jobs as before', async (t) => {
      if (!has(t, ['script', 'bash'])) return;
      const { asked, talk } = await atTerminal(t, account);
      const { shown } = await talk(
        'shell',
        [PROMPT, `cat ${asked}/one\n`],
        [QUESTION, 'o\n'],
        [/^one\n/m, ''],
        [PROMPT, `cat ${asked}/two\n`],
        [QUESTION, 'n\n'],
        [/two: Permission denied/, ''],
        [PROMPT, 'sh -c "echo job; exec sleep 40"\n'],
        [/job\n/, CONTROL_Z],
        [/Stopped/, ''],
        // bash hears of the end a moment later, and does not go while it knows of stopped jobs.
        [PROMPT, 'kill -9 %1; while jobs -s | grep -q .; do sleep 0.1; done\n'],
        [PROMPT, 'exit\n'],
      );
      assert.equal(shown.match(/yolofs asks/g)?.length, 2, shown);
    });

    test('names are shown harmlessly', async (t) => {
      if (!has(t, ['script'])) return;
      const { s, asked, talk } = await atTerminal(t, account);
      writeFileSync(join(asked, 'a\n\x1b[31mred\x1b[0m\u202e'), 'odd\n');
      const { shown } = await talk(`run --quiet -c 'cat ${asked}/a*'`, [QUESTION, 'o\n']);
      assert.match(shown, /^odd\n/m);
      assert.match(shown, /wants to read \S*\/a\\x0a\\x1b\[31mred\\x1b\[0m\\u202e\n/);
      assert.match(shown, /command {2}cat \S*\\x0a\\x1b\[31mred/);
      assert.ok(s);
    });

    test('watch puts them one after the other, with every kind of answer', async (t) => {
      if (!has(t, ['script'])) return;
      const { s, asked, talk } = await atTerminal(t, account);
      const watching = talk(
        'watch',
        [/read \S*one\n[\s\S]*ne\[v\]er\? /, 'what\n'],
        [/ne\[v\]er\? /, 'o\n'],
        [/read \S*deep\n[\s\S]*ne\[v\]er\? /, 'd\n'],
        [/1 {2}\S*sub\n[\s\S]*go back: /, '1\n'],
        [/write to \S*two\n[\s\S]*ne\[v\]er\? /, 'v\n'],
        [/read \S*three\n[\s\S]*ne\[v\]er\? /, CONTROL_C],
      );
      const cat = (file: string): string => `cat ${asked}/${file} 2>&1 || :`;
      // Until somebody watches it is refused at once.
      const first = `until cat ${asked}/one 2>/dev/null; do sleep 0.2; done`;
      const script = `${first}; ${cat('sub/deep')}; ${cat('sub/deep')}; (echo x >> ${asked}/two) 2>&1 || :; ${cat('three')}`;
      const output = await s.sh(script);
      assert.match(output, /^one\nsub\/deep\nsub\/deep\n.*two: Permission denied\n.*three: Permission denied\n$/);
      const { code } = await watching;
      assert.equal(code, 130);
    });
  });
}
