/** A view full of processes or requests: the daemon goes on answering, and the crowd stays inside. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStat } from '../../src/sys/process/process.ts';
import { accounts, ordinary } from '../support/accounts.ts';
import { processesNaming } from '../support/leaks.ts';
import { MAIN } from '../support/session.ts';
import { cage } from './attempts.ts';
import { background } from './outsiders.ts';

/** Opens a hundred connections to the session, of which each asks for something, one sends without end, and ten say nothing. */
const FLOOD = `const net = require('net');
for (let i = 0; i < 100; i++) {
  const socket = net.connect('/dev/yolofs').on('error', () => {});
  if (i === 0) socket.write('x'.repeat(10 << 20));
  else if (i > 10) socket.write('{"words":["log"],"cwd":"/"}\\n');
}
console.log('flooding');
setTimeout(() => {}, 60000);`;

/** Asks twenty times for something that no process can be started with, as a word is far too long, and prints the first answer. */
const NONSENSE = `const net = require('net');
const ask = (left) => {
  let text = '';
  const socket = net.connect('/dev/yolofs').on('data', (piece) => { text += piece; });
  socket.on('end', () => { if (left === 20) console.log(text); if (left > 1) ask(left - 1); });
  socket.write(JSON.stringify({ words: ['status', '\u20ac'.repeat(50000)], cwd: '/' }) + '\\n');
};
ask(20);`;

test('what guests ask for fills no log outside', async (t) => {
  const made = await cage(t, { account: ordinary() });
  if (made === undefined) return;
  const { s } = made;
  const answer = await s.succeed(['run', '--quiet', '--', process.execPath, '-e', NONSENSE]);
  // The longest word is 32 pages (execve(2)): where these are larger than 4 KiB, the command starts, and says what it thinks of it.
  assert.match(answer, /(?:cannot start .*E2BIG|neither a generation nor the name of a snapshot).*\n\{"exit":1\}/);
  assert.ok(statSync(join(s.layout.entry, 'daemon.log')).size < 10_000);
});

for (const account of accounts()) {
  test(`a flood of requests from inside stays small outside, as ${account.title}`, async (t) => {
    const made = await cage(t, { account });
    if (made === undefined) return;
    const { s } = made;
    const daemon = await s.daemonPid();
    const words = ['run', '--quiet', '--', process.execPath, '-e', FLOOD];
    const flood = await background(made, [process.execPath, MAIN, ...words]);
    let most = 0;
    for (let i = 0; i < 20; i++) {
      const commands = processesNaming(s.root).filter(({ command }) => command.endsWith('main.js log'));
      most = Math.max(most, commands.filter(({ pid }) => processStat(pid)?.parent === daemon).length);
      assert.equal(await s.daemonPid(), daemon, 'it answers');
      await sleep(50);
    }
    flood.kill('SIGTERM');
    assert.ok(most >= 1 && most <= 4, `${most} at once`);
    assert.match(await s.succeed(['status']), /secret/);
  });
}

test('a crowd of processes is bounded by the limits of the session', async (t) => {
  const account = ordinary();
  const made = await cage(t, { account });
  if (made === undefined) return;
  const { s, env } = made;
  const crowd = '"$P" crowd 400 0';
  assert.equal(await s.sh(crowd, { env }), '400\n', 'without a limit');
  await s.stop();
  await s.native(['sh', '-c', 'printf "[limits]\\nprocesses = 100\\n" > .yolofs.toml']);
  const count = Number(await s.sh(crowd, { env }));
  assert.ok(count > 10 && count < 100, String(count));
  assert.match(await s.succeed(['status']), /secret/);
});
