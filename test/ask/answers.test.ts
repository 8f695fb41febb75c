/** Questions in a real view, answered over the socket: who waits, who does not, and what comes of each answer. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { someAccounts } from '../support/accounts.ts';
import { eventually } from '../support/leaks.ts';
import { has } from '../support/need.ts';
import { listen, type SaidTo } from './front.ts';
import { world } from './world.ts';

const options = { concurrency: 2 };

for (const account of someAccounts()) {
  describe(`questions, as ${account.title}`, options, () => {
    test('in one session', async (t) => {
      const { s, asked } = await world(t, account);

      await t.test('with nobody to ask the answer is no, at once', async () => {
        const started = performance.now();
        const { code, stderr } = await s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
        assert.equal(code, 1);
        assert.match(stderr, /one: Permission denied/);
        assert.ok(performance.now() - started < 20_000, 'it did not wait for the timeout of 60 s');
      });

      await t.test('only who asks waits; a yes lets it go on, a no is EACCES', async (t) => {
        const front = await listen(t, s);
        const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
        const question = await front.question();
        assert.deepEqual(
          [question.path, question.access, question.op, question.process, question.command, question.rule.state],
          [join(asked, 'one'), 'read', 'open', 'cat', `cat ${join(asked, 'one')}`, 'ask'],
        );
        assert.match(question.rule.place ?? '', /config\.toml:\d+:\d+$/);
        // The same directory meanwhile: listing, stat, and the project.
        assert.equal(await s.sh(`ls ${asked} | wc -l; stat -c %s ${asked}/two; cat hello.txt`), '4\n4\nbase content\n');
        await front.answer(question.id, { allow: true });
        assert.equal((await reading).stdout, 'one\n');
        const refused = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
        await front.answer((await front.question(2)).id, { allow: false });
        assert.match((await refused).stderr, /Permission denied/);
      });

      await t.test(
        'many processes that want the same are one question; who reads something else goes on',
        async (t) => {
          const front = await listen(t, s);
          const many = s.sh(`for i in 1 2 3 4 5 6 7 8; do cat ${asked}/one & done; cat ${asked}/two; wait`);
          const two = (await front.question(2)).label.endsWith('two') ? 1 : 0;
          await front.answer(front.questions[two]?.id ?? 0, { allow: true });
          await front.answer(front.questions[1 - two]?.id ?? 0, { allow: true });
          // Those that come after the answer are a question again.
          front.answerAll(() => ({ allow: true }));
          const output = await many;
          assert.equal(output.match(/one/g)?.length, 8);
          assert.equal(output.match(/two/g)?.length, 1);
        },
      );

      await t.test(
        'a front end that goes denies what nobody else was asked, and leaves the rest to the others',
        async (t) => {
          const [first, second] = [await listen(t, s), await listen(t, s)];
          const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
          await Promise.all([first.question(), second.question()]);
          first.hangUp();
          await new Promise((resolve) => {
            setTimeout(resolve, 200);
          });
          assert.deepEqual(second.closed, []);
          second.hangUp();
          assert.match((await reading).stderr, /Permission denied/);
        },
      );

      await t.test('the first answer counts, and the others hear of it', async (t) => {
        const [first, second] = [await listen(t, s), await listen(t, s)];
        const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
        const { id } = await first.question();
        await second.question();
        assert.deepEqual(await first.answer(id, { allow: true }), { accepted: true });
        assert.deepEqual(await second.answer(id, { allow: false }), { accepted: false });
        assert.equal((await reading).stdout, 'one\n');
        assert.deepEqual(await second.closing(), { id, how: 'allowed', by: 'test' });
      });

      await t.test('an interrupted program waits no more, and its question is gone', async (t) => {
        const front = await listen(t, s);
        const running = s.cli(['run', '--quiet', '--', 'timeout', '-s', 'INT', '1', 'cat', join(asked, 'one')]);
        const { id } = await front.question();
        assert.equal((await running).code, 124);
        assert.deepEqual(await front.closing(), { id, how: 'withdrawn' });
      });

      await t.test(
        'a program that signals interrupt all the time, and that tries again, is asked about once',
        async (t) => {
          if (!has(t, ['python3'])) return;
          const front = await listen(t, s);
          const lines = [
            'import signal',
            'signal.signal(signal.SIGALRM, lambda *_: None)',
            'signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)',
            `print(open('${asked}/one').read(), end='')`,
          ];
          const reading = s.cli(['run', '--quiet', '--', 'python3', '-c', lines.join('\n')]);
          const { id } = await front.question();
          await new Promise((resolve) => {
            setTimeout(resolve, 1000);
          });
          await front.answer(id, { allow: true });
          front.answerAll(() => ({ allow: true }));
          assert.equal((await reading).stdout, 'one\n');
          // An answer may come just between two tries.
          assert.ok(front.questions.length <= 2, `${front.questions.length} questions`);
        },
      );

      await t.test('a guest cannot listen, nor answer', async (t) => {
        const front = await listen(t, s);
        const main = join(process.cwd(), 'dist/src/cli/main.js');
        const inside = await s.cli(['run', '--quiet', '--', process.execPath, main, 'watch']);
        assert.match(inside.stderr, /not possible inside/);
        const script = `require('net').connect('/dev/yolofs').on('data', (d) => process.stdout.write(d)).write(JSON.stringify({ op: 'watch', front: 'guest' }) + '\\n')`;
        assert.match(await s.sh(`'${process.execPath}' -e "${script.replaceAll('"', '\\"')}"`), /not possible inside/);
        const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
        const { id } = await front.question();
        assert.equal(existsSync(join(s.layout.entry, 'sock')), true);
        assert.match((await s.cli(['run', '--quiet', '--', 'ls', '.yolofs'])).stderr, /No such file/);
        await front.answer(id, { allow: false });
        assert.match((await reading).stderr, /Permission denied/);
      });
    });

    test('to make, change, rename and remove is asked about once each; nothing happens on a no', async (t) => {
      const { s, asked } = await world(t, account);
      const front = await listen(t, s);
      front.answerAll(() => ({ allow: true }));
      await s.sh(`cd ${asked}; echo new > made; echo more >> one; : > two; mv three moved; rm made; mkdir dir`);
      const told = front.questions.map(({ op, label }) => `${op} ${label.slice(asked.length + 1)}`);
      assert.deepEqual(told, [...['create made', 'open one', 'open two', 'rename three', 'rename moved', 'mkdir dir']]);
      front.answerAll(() => ({ allow: false }));
      const { code } = await s.cli(['run', '--quiet', '--', 'sh', '-c', `rm ${asked}/one || echo x > ${asked}/fresh`]);
      assert.notEqual(code, 0);
      assert.equal(await s.sh(`ls ${asked}`), 'dir\nmoved\none\nsub\ntwo\n');
    });

    test('without an answer in time it is no, and the front end hears of it', async (t) => {
      const { s, asked } = await world(t, account, 'timeout = "1 s"');
      const front = await listen(t, s);
      const { stderr } = await s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
      assert.match(stderr, /Permission denied/);
      assert.equal(front.questions[0]?.seconds, 1);
      assert.deepEqual(await front.closing(), { id: 1, how: 'denied', by: 'timeout' });
    });

    test('the default may be to allow, if the user says so: at once without anybody, else after the time', async (t) => {
      const { s, asked } = await world(t, account, 'timeout = "1 s"\ndefault = "allow"');
      assert.equal(await s.sh(`cat ${asked}/one`), 'one\n');
      const front = await listen(t, s);
      assert.equal(await s.sh(`cat ${asked}/two`), 'two\n');
      assert.deepEqual(await front.closing(), { id: 1, how: 'allowed', by: 'timeout' });
    });

    test('stop ends a view with open questions', async (t) => {
      const { s, asked } = await world(t, account);
      const front = await listen(t, s);
      const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
      await front.question();
      await s.stop();
      assert.notEqual((await reading).code, 0);
    });

    test('an answer for always is a rule: for the path, for a directory above it, to refuse', async (t) => {
      const { s, asked } = await world(t, account);
      const front = await listen(t, s);
      const cat = async (name: string, said?: SaidTo): Promise<string> => {
        front.answerAll(({ id }) => (id === front.questions.length ? said : undefined));
        const { stdout, stderr } = await s.cli(['run', '--quiet', '--', 'cat', join(asked, name)]);
        return stdout === '' ? stderr.replace(/^.*: /, '').trim() : stdout.trim();
      };
      assert.equal(await cat('one', { allow: true, always: join(asked, 'one') }), 'one');
      assert.equal(await cat('one'), 'one');
      assert.equal(await cat('two', { allow: false, always: join(asked, 'two') }), 'Permission denied');
      assert.equal(await cat('two'), 'Permission denied');
      assert.equal(front.questions.length, 2);
      assert.equal(await cat('sub/deep', { allow: true, always: asked }), 'sub/deep');
      assert.equal(await cat('three'), 'three');
      assert.equal(front.questions.length, 3);
      // It was to read that somebody has allowed.
      front.answerAll(() => ({ allow: true, always: join(asked, 'one') }));
      await s.sh(`echo more >> ${asked}/one; echo again >> ${asked}/one`);
      assert.deepEqual(front.questions.map(({ access }) => access).slice(3), ['write']);
    });

    test('an answer for always is in the file where it counts, whose comments stay', async (t) => {
      const { s, asked } = await world(t, account);
      const file = join(s.project, '.yolofs.toml');
      appendFileSync(file, '# mine\n"secrets" = "deny"  # said so\n');
      const front = await listen(t, s);
      front.answerAll(({ label }) => ({ allow: label.endsWith('one'), always: label as string }));
      const { stderr } = await s.cli(['run', '--', 'cat', join(asked, 'one'), join(asked, 'two')]);
      for (const line of [`allowed +read +${asked}/one `, `denied +read +${asked}/two `])
        assert.match(stderr, new RegExp(line));
      const listed = await s.succeed(['status']);
      assert.match(listed, new RegExp(`allowed +read +${asked}/one by test, always for ${asked}/one `));
      assert.match(listed, new RegExp(`denied +read +${asked}/two by test, always for ${asked}/two `));
      const project = readFileSync(file, 'utf8');
      assert.ok(project.includes('# mine\n"secrets" = "deny"  # said so\n'), project);
      assert.ok(project.includes(`"${asked}/two" = "deny"\n`), project);
      assert.equal(readFileSync(join(s.layout.entry, 'rules.toml'), 'utf8'), `[rules]\n"${asked}/one" = "ask-write"\n`);
      await s.stop();
      assert.equal(await s.sh(`cat ${asked}/one; cat ${asked}/two || :`), 'one\n');
      const audit = JSON.parse(await s.succeed(['audit', '--json', '--', asked])) as { what: string; by?: string }[];
      assert.deepEqual(
        audit.map(({ what, by }) => `${what} ${by ?? '-'}`),
        ['allowed test', 'denied test', 'refused -'],
      );
    });

    test('an answer for a directory settles what else waits below it', async (t) => {
      const { s, asked } = await world(t, account);
      const front = await listen(t, s);
      const reading = s.sh(`cat ${asked}/one & cat ${asked}/sub/deep & wait`);
      await front.question(2);
      await front.answer(1, { allow: true, always: asked });
      assert.deepEqual((await reading).trim().split('\n').sort(), ['one', 'sub/deep']);
      assert.deepEqual(
        new Set((await front.closing(2)) && front.closed.map(({ how }) => how)),
        new Set(['allowed', 'withdrawn']),
      );
    });

    test('every decision is in the journal, with who made it', async (t) => {
      const { s, asked } = await world(t, account);
      await s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
      const front = await listen(t, s);
      front.answerAll(({ label }) => ({ allow: label.endsWith('two') }));
      await s.cli(['run', '--quiet', '--', 'cat', join(asked, 'two'), join(asked, 'three')]);
      const records = readFileSync(join(s.layout.store, 'journal'), 'latin1')
        .split('\n')
        .map((line) => line.split('\t'))
        .filter(([, tag]) => tag === 'G')
        .map((fields) => `${fields[6]} ${fields.slice(7).join(' ')}`);
      const of = (name: string): string => `read open ${asked}/${name} ask ${asked} 1`;
      assert.deepEqual(records, [
        `cat nobody ${of('one')}`,
        `cat allowed ${of('two')} test`,
        `cat denied ${of('three')} test`,
      ]);
      assert.ok(await eventually(() => front.closed.length === 2));
    });
  });
}
