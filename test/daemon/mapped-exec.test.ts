/**
 * A program with a file of the view mapped for writing forks, and the child executes another program: what SQLite's
 * users do all the time. The kernel then writes the pages back while it holds a lock that guards most of /proc/PID,
 * so the thread that answers the kernel must not look there. When it does, this test hangs, and with it every `ps` of
 * the machine, until `echo 1 > /sys/fs/fuse/connections/N/abort` (of a mounted fusectl).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { has } from '../support/need.ts';
import { session } from '../support/session.ts';

const PROGRAM = `
import mmap, os
f = open('mapped', 'w+b')
f.truncate(1 << 20)
m = mmap.mmap(f.fileno(), 1 << 20)
for i in range(20):
    m[:] = bytes([i]) * (1 << 20)
    child = os.fork()
    if child == 0:
        m[0:4096] = b'c' * 4096
        os.execv('/bin/true', ['true'])
    os.waitpid(child, 0)
`;

test('execve() of a child that shares a mapped file of the view does not wait for itself', async (t) => {
  if (!has(t, ['python3'])) return;
  const s = await session(t);
  await s.sh(`python3 - <<'END'\n${PROGRAM}\nEND\ncp mapped copy`);
  await s.commit();
  const content = readFileSync(join(s.project, 'copy'));
  assert.deepEqual(content, Buffer.concat([Buffer.alloc(4096, 'c'), Buffer.alloc((1 << 20) - 4096, 19)]));
});
