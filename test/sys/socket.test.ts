import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectTo, listenAt } from '../../src/sys/socket.ts';

/** A daemon that ends just when `status` looks for it: the connection was made, and nobody takes it any more. */
test('connectTo() finds nobody where the listener ends before it has taken us in', async (t) => {
  const directory = mkdtempSync('/var/tmp/yolofs-socket-');
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'sock');
  const server = createServer(() => assert.fail('nobody is taken in'));
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  // Both system calls are made before either end looks at what came of it.
  const connecting = connectTo(path);
  server.close();
  assert.equal(await connecting, undefined);
});

test('a socket takes lines, and bytes as they are between them, however they arrive', async (t) => {
  const directory = mkdtempSync('/var/tmp/yolofs-socket-');
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'sock');
  const bytes = Buffer.from([0, 10, 0xff, 0xc3, 10, 10, 0x7b]);
  const sent = Buffer.concat([
    Buffer.from('é one\n7\n'),
    bytes,
    Buffer.from('two\n\n0\nthree\n7\n'),
    bytes,
    Buffer.from('end\n'),
  ]);
  for (const length of [1, 2, 3, 7, 1000]) {
    const told: string[] = [];
    const ended = new Promise<void>((resolve) => {
      const listening = listenAt(path, (socket) => {
        const onLine = (line: string): void => {
          told.push(line);
          if (/^\d$/.test(line))
            socket.takeBytes(Number(line), (piece) => told.push(`${told.pop()}${piece.toString('hex')}`));
        };
        socket.listen(onLine, () => void listening.then((listener) => resolve(listener.close())));
      });
      void listening.then(async () => {
        const client = createConnection(path).setNoDelay(true);
        for (let at = 0; at < sent.length; at += length) {
          client.write(sent.subarray(at, at + length));
          await new Promise(setImmediate);
        }
        client.end();
      });
    });
    await ended;
    const hex = bytes.toString('hex');
    assert.deepEqual(told, ['é one', `7${hex}`, 'two', '', '0', 'three', `7${hex}`, 'end'], `in pieces of ${length}`);
  }
});

test('a peer whose line has no end is hung up on', async (t) => {
  const directory = mkdtempSync('/var/tmp/yolofs-socket-');
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'sock');
  const listener = await listenAt(path, (socket) =>
    socket.listen(
      () => undefined,
      () => undefined,
      100,
    ),
  );
  t.after(() => listener.close());
  const client = createConnection(path);
  const gone = new Promise<void>((resolve) => {
    client.on('error', () => undefined).on('close', () => resolve());
  });
  client.write('x'.repeat(301));
  await gone;
});
