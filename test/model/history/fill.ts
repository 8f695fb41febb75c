/** What a model session starts with. */
import * as fs from 'node:fs';
import { bytes, setTime } from './image.ts';
import { MAY_CHOWN } from './ranges.ts';

/** Files in directories, a symlink, with `links` names of one file, and a time that was set. */
export function fill(dir: string, links: boolean): void {
  fs.mkdirSync(`${dir}/a/b`, { recursive: true });
  fs.mkdirSync(`${dir}/b`);
  for (const [path, text] of [
    ['c', 'base c\n2\n3\n4\n5\n6\n7\n8\n'],
    ['a/a', 'base a/a\n2\n3\n4\n5\n6\n7\n8\n'],
    ['a/b/c', 'base a/b/c'],
    ['b/a', 'base b/a'],
    ['e\n', 'base e'],
  ] as const) {
    fs.writeFileSync(bytes(`${dir}/${path}`), text, { mode: 0o644 });
  }
  if (MAY_CHOWN) fs.chownSync(`${dir}/a/b/c`, 1, 1);
  fs.symlinkSync('../c', `${dir}/a/c`);
  if (links) fs.linkSync(`${dir}/c`, `${dir}/b/c`);
  fs.utimesSync(`${dir}/a/a`, setTime(777), setTime(777));
}
