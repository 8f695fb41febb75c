/**
 * Has many files open at once: `node crowd-main.js DIR COUNT`. Half of them are new, half of the base; all are written, read
 * back and, while open, every third is unlinked. Prints how many calls failed, by code, as JSON.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [dir = '.', count = '0'] = process.argv.slice(2);
const failures: Record<string, number> = {};
const fds = new Map<number, number>();

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    failures[code] = (failures[code] ?? 0) + 1;
  }
}

const pathOf = (i: number): string => join(dir, i % 2 === 0 ? `base${i}` : `new${i}`);
for (let i = 0; i < Number(count); i++) attempt(() => void fds.set(i, openSync(pathOf(i), i % 2 === 0 ? 'r+' : 'w+')));
for (const [i, fd] of fds) attempt(() => writeSync(fd, `written ${i}`, 0));
for (const i of fds.keys()) if (i % 3 === 0) attempt(() => unlinkSync(pathOf(i)));
for (const [i, fd] of fds) {
  attempt(() => {
    const into = Buffer.alloc(20);
    const length = readSync(fd, into, 0, 20, 0);
    const content = into.toString('latin1', 0, length);
    if (!content.startsWith(`written ${i}`)) throw Object.assign(new Error(content), { code: 'wrong content' });
  });
  attempt(() => closeSync(fd));
}
process.stdout.write(JSON.stringify(failures));
