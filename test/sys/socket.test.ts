import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectTo } from '../../src/sys/socket.ts';

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
