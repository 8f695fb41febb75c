/**
 * Writes a file until something refuses: `node fill-main.js FILE LIMIT`. Prints the error's code, the call that gave it
 * and how many bytes were accepted, as JSON; code `none` when LIMIT bytes went through.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

const [path = '', limit = '0'] = process.argv.slice(2);
const chunk = Buffer.alloc(65536, 'fill');
let call = 'open';
let accepted = 0;
let code = 'none';
try {
  const fd = openSync(path, 'w');
  call = 'write';
  while (accepted < Number(limit)) accepted += writeSync(fd, chunk);
  call = 'fsync';
  fsyncSync(fd);
  call = 'close';
  closeSync(fd);
} catch (error) {
  code = (error as NodeJS.ErrnoException).code ?? String(error);
}
process.stdout.write(JSON.stringify({ call, code, accepted }));
