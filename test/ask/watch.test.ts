/** `yolofs watch` as a program among others: its JSON form, its death, and what is asked about in the project itself. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, type TestContext, test } from 'node:test';
import type { EventLine } from '../../src/daemon/protocol.ts';
import { type Account, become, someAccounts } from '../support/accounts.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { eventually } from '../support/leaks.ts';
import { MAIN, type Session } from '../support/session.ts';
import { listen } from './front.ts';
import { world } from './world.ts';

interface Watcher {
  readonly child: ChildProcess;
  readonly lines: (EventLine | { answered: object })[];
  /** Waits for so many lines, and returns the last. */
  line(count: number): Promise<EventLine | { answered: object }>;
  say(line: string): void;
}

async function watcher(t: TestContext, s: Session, account: Account): Promise<Watcher> {
  const [command = '', ...args] = [...become(account), process.execPath, MAIN, 'watch', '--json'];
  const env = { ...CLEAN_ENV, HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const child = spawn(command, args, { cwd: s.project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines: Watcher['lines'] = [];
  const isFirst = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(JSON.parse(line));
      resolve(undefined);
    });
  });
  // An answer to nothing: when it is answered itself, the watcher listens.
  child.stdin.write('{"id":0,"allow":true}\n');
  await isFirst;
  lines.length = 0;
  return {
    child,
    lines,
    line: async (count) => {
      assert.ok(await eventually(() => lines.length >= count), `${lines.length} of ${count} lines`);
      return lines[count - 1] as EventLine;
    },
    say: (line) => child.stdin.write(`${line}\n`),
  };
}

function questionIn(line: object): Extract<EventLine, { question: unknown }>['question'] {
  assert.ok('question' in line, JSON.stringify(line));
  return (line as Extract<EventLine, { question: unknown }>).question;
}

for (const account of someAccounts()) {
  describe(`watch, as ${account.title}`, { concurrency: 2 }, () => {
    test('--json has questions on stdout and answers on stdin; the end of input denies', async (t) => {
      const { s, asked } = await world(t, account);
      const front = await watcher(t, s, account);
      const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one'), join(asked, 'two')]);
      const { id, label } = questionIn(await front.line(1));
      assert.equal(label, join(asked, 'one'));
      front.say(JSON.stringify({ id, allow: true }));
      assert.ok(await eventually(() => front.lines.filter((line) => 'question' in line).length === 2));
      const told = front.lines.map((line) => JSON.stringify(line)).filter((line) => !line.includes('question'));
      assert.deepEqual(told.sort(), [
        `{"answered":{"id":${id},"accepted":true}}`,
        `{"closed":{"id":${id},"how":"allowed","by":"watch"}}`,
      ]);
      front.child.stdin?.end();
      const { stdout, stderr } = await reading;
      assert.equal(stdout, 'one\n');
      assert.match(stderr, /two: Permission denied/);
    });

    test('killed with a question open, it has denied it', async (t) => {
      const { s, asked } = await world(t, account);
      const front = await watcher(t, s, account);
      const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
      await front.line(1);
      // The child may be the program that makes it another user's.
      front.child.kill('SIGKILL');
      front.child.stdin?.destroy();
      assert.match((await reading).stderr, /one: Permission denied/);
    });

    test('a rule that asks about files of the project itself counts at once', async (t) => {
      const { s } = await world(t, account);
      const front = await listen(t, s);
      appendFileSync(join(s.project, '.yolofs.toml'), '"subdir" = "ask-write"\n');
      front.answerAll(({ label }) => ({ allow: !label.endsWith('refused') }));
      const { stdout } = await s.cli([
        'run',
        '--quiet',
        '-c',
        'cat subdir/deep.txt; echo x > subdir/made; echo x > subdir/refused; ls subdir',
      ]);
      assert.equal(stdout, 'nested\ndeep.txt\nmade\n');
      assert.deepEqual(
        front.questions.map(({ op, label }) => `${op} ${label.slice(s.project.length + 1)}`),
        ['create subdir/made', 'create subdir/refused'],
      );
    });
  });
}
