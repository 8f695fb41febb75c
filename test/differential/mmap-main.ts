/** Changes one file and makes another through shared mappings: `node mmap-main.js OLD NEW`. */
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { Mapping } from '../conformance/native.ts';
import { Random } from '../random/random.ts';

const [old = '', fresh = ''] = process.argv.slice(2);
const random = new Random(5);
for (const [path, flags] of [
  [old, 'r+'],
  [fresh, 'w+'],
] as const) {
  const fd = openSync(path, flags);
  const size = 2 << 20;
  if (flags === 'w+') ftruncateSync(fd, size);
  const mapping = new Mapping(fd, size, 'shared');
  closeSync(fd);
  for (let i = 0; i < 400; i++) mapping.bytes.write(random.text(50), random.below(size - 100));
  if (flags === 'r+') mapping.sync();
  mapping.close();
}
