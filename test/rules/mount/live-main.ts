/**
 * Opens a file, maps a listing, and tells what it sees again and again: a line for each file `go-N` that appears.
 *
 *     live-main.js FILE DIRECTORY STEPS
 */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

const [file = '', dir = '', steps = '1'] = process.argv.slice(2);
const fd = fs.openSync(file, 'r');

for (let step = 0; step < Number(steps); step++) {
  while (!fs.existsSync(join(dirname(dir), `go-${step}`))) await new Promise((resolve) => setTimeout(resolve, 20));
  const told = [
    outcome(() => fs.readSync(fd, Buffer.alloc(4), 0, 4, 0)),
    outcome(() => fs.readFileSync(file)),
    outcome(() => fs.readdirSync(dir).join()),
    outcome(() => fs.statSync(file)),
  ];
  fs.writeFileSync(join(dirname(dir), `told-${step}`), told.join(' '));
  process.stdout.write(`${told.join(' ')}\n`);
}

function outcome(what: () => unknown): string {
  try {
    const value = what();
    return typeof value === 'string' ? value : 'ok';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
