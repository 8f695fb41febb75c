/** What a person is shown and may say; how questions come one after the other. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { LinePrompter, Lines } from '../../../src/cli/questions/line-prompter.ts';
import { PromptQueue } from '../../../src/cli/questions/prompt-queue.ts';
import { directoriesAbove, renderQuestion } from '../../../src/cli/questions/question-text.ts';
import { paintFor } from '../../../src/cli/text/terminal.ts';
import type { Client } from '../../../src/daemon/client.ts';
import type { ShownQuestion } from '../../../src/daemon/protocol.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { eventually } from '../../support/leaks.ts';

function question(id: number, path: string): ShownQuestion {
  return {
    ...{ id, path: path as BytePath, label: path, access: 'read', op: 'open', pid: 812, run: 1, seconds: 60 },
    ...{ process: 'cat', command: `cat ${path}` },
    rule: { state: 'ask', pattern: '~', layer: 'user', place: '/u/config.toml:3:1' },
  };
}

/** A person at a terminal: what is written down on both sides. */
function sit(isTerminal = false) {
  const requests: object[] = [];
  const client = {
    request: (request: object) => {
      requests.push(request);
      return Promise.resolve({ accepted: true });
    },
  } as unknown as Client;
  const [input, output] = [new PassThrough(), new PassThrough()];
  let seen = '';
  output.on('data', (piece: Buffer) => {
    seen += piece.toString();
  });
  const lines = new Lines(input, isTerminal ? -1 : undefined);
  const queue = new PromptQueue(client, new LinePrompter(lines, output, isTerminal));
  void lines.used.then(() => queue.leave());
  const until = async (text: string): Promise<void> => {
    assert.ok(await eventually(() => seen.includes(text)), `${text} in\n${seen}`);
  };
  return { queue, input, requests, until, seen: () => seen };
}

test('a question names process, operation, path, command and rule', () => {
  assert.equal(
    renderQuestion(question(1, '/home/ada/notes'), paintFor({})),
    [
      'yolofs asks: cat[812] wants to read /home/ada/notes',
      '  command  cat /home/ada/notes',
      '  rule     ~ = ask (/u/config.toml:3:1)\n',
    ].join('\n'),
  );
});

test('the directories above a path go up to below the root', () => {
  assert.deepEqual(directoriesAbove('/a/b/c' as BytePath), ['/a/b', '/a']);
  assert.deepEqual(directoriesAbove('/a' as BytePath), []);
});

test('questions are put one after the other, and every kind of answer is given', async () => {
  const { queue, input, requests, seen } = sit();
  for (const id of [1, 2, 3, 4, 5, 6]) queue.hear({ question: question(id, `/home/ada/${id}`) });
  input.write('o\nalways\nwhat?\nd\n2\nd\n\nno\nV\nyes\n');
  input.end();
  await queue.left;
  assert.deepEqual(requests, [
    { op: 'answer', id: 1, allow: true },
    { op: 'answer', id: 2, allow: true, always: '/home/ada/2' },
    { op: 'answer', id: 3, allow: true, always: '/home' },
    { op: 'answer', id: 4, allow: false },
    { op: 'answer', id: 5, allow: false, always: '/home/ada/5' },
    { op: 'answer', id: 6, allow: true },
  ]);
  assert.equal(seen().match(/yolofs asks/g)?.length, 6);
});

test('N13: the end of input leaves, and answers nothing that others may answer', async () => {
  const { queue, input, requests } = sit();
  queue.hear({ question: question(1, '/a') });
  queue.hear({ question: question(2, '/b') });
  input.end();
  await queue.left;
  assert.deepEqual(requests, []);
});

test('the end of input without a question leaves', async () => {
  const { queue, input, requests } = sit();
  input.end();
  await queue.left;
  assert.deepEqual(requests, []);
});

test('a question that is decided elsewhere is taken from the person, and so are those in the row', async () => {
  const { queue, input, requests, until } = sit();
  for (const id of [1, 2, 3]) queue.hear({ question: question(id, `/${id}`) });
  await until('read /1');
  queue.hear({ closed: { id: 2, how: 'withdrawn' } });
  queue.hear({ closed: { id: 1, how: 'denied', by: 'timeout' } });
  await until('denied: timeout');
  await until('read /3');
  input.write('o\n');
  assert.ok(await eventually(() => requests.length === 1));
  assert.deepEqual(requests, [{ op: 'answer', id: 3, allow: true }]);
});

test('what was typed at a terminal before the question is no answer to it', async () => {
  const { queue, input, requests, until } = sit(true);
  input.write('o\no\n');
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  queue.hear({ question: question(1, '/a') });
  await until('read /a');
  input.write('n\n');
  assert.ok(await eventually(() => requests.length === 1));
  assert.deepEqual(requests, [{ op: 'answer', id: 1, allow: false }]);
});
