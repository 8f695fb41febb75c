/**
 * A daemon that serves a MemoryFs on descriptor 3, to be started as a child of a shell that has mounted it.
 *
 *     node memory-daemon.js '{"valid":1,"writeback":true,"uid":0,"gid":0}'
 *
 * A byte on its standard input makes it print its counters as a line of JSON; end of input stops it.
 */

import { writeSync } from 'node:fs';
import { FuseSession } from '../../src/fuse/session.ts';
import { read, setNonblocking } from '../../src/sys/libc.ts';
import { MemoryFs } from './memory-fs.ts';

const options = JSON.parse(process.argv[2] ?? '{}');
const fs = new MemoryFs({ valid: options.valid ?? 0, uid: options.uid ?? 0, gid: options.gid ?? 0 });
const byte = Buffer.alloc(1);
setNonblocking(0);
const session = new FuseSession({
  fd: 3,
  fs,
  writeback: options.writeback ?? true,
  watch: [{ fd: 0, onReadable }],
  log: (line) => writeSync(2, `${line}\n`),
});

function onReadable(): void {
  const n = read(0, byte);
  if (n === 0) session.stop();
  if (n > 0) writeSync(1, `${JSON.stringify({ ...session.counters, nodes: fs.size, cpu: process.cpuUsage() })}\n`);
}

const outcome = session.run();
writeSync(1, `${JSON.stringify({ outcome, ...session.counters })}\n`);
