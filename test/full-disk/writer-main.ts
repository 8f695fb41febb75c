/**
 * Works on a few files of a directory, whatever fails: `node writer-main.js DIRECTORY SEED STEPS`. Prints what it knows of them, as JSON: for
 * each name the SHA-256 of its content, `absent`, or `unknown` where a system call on that file has failed since it was last written
 * as a whole. Whoever closes a file without hearing of an error knows what is in it.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random/random.ts';

const [directory = '', seed = '0', steps = '0'] = process.argv.slice(2);
const random = new Random(Number(seed));
const NAMES = Array.from({ length: 12 }, (_, i) => `f${i}`);
/** A file that has been refused before may be told EIO, too: the kernel says that of pages that it has to drop. */
const REFUSALS = new Set(['ENOSPC', 'EIO']);

type Content = Buffer | 'absent' | 'unknown';
const contents = new Map<string, Content>(
  NAMES.map((name) => [name, existsSync(at(name)) ? readFileSync(at(name)) : 'absent']),
);

for (let i = 0; i < Number(steps); i++) step();
process.stdout.write(
  JSON.stringify(Object.fromEntries([...contents].map(([name, content]) => [name, digest(content)]))),
);

function digest(content: Content): string {
  return typeof content === 'string' ? content : createHash('sha256').update(content).digest('hex');
}

function at(name: string): string {
  return join(directory, name);
}

function step(): void {
  const [name, other] = [random.pick(NAMES), random.pick(NAMES)];
  const kind = random.below(10);
  if (kind < 4) attempt([name], () => replace(name));
  else if (kind < 6) attempt([name], () => append(name));
  else if (kind === 6) attempt([name], () => overwrite(name));
  else if (kind === 7) attempt([name, other], () => rename(name, other));
  else if (kind === 8) attempt([name], () => remove(name));
  else attempt([name, other], () => linkAndUnlink(name, other));
}

function attempt(names: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EEXIST') return;
    if (!REFUSALS.has(code)) throw error;
    for (const name of names) contents.set(name, 'unknown');
  }
}

function withFile(name: string, flags: string, work: (fd: number) => void): void {
  const fd = openSync(at(name), flags);
  try {
    work(fd);
    if (random.below(4) === 0) fsyncSync(fd);
  } catch (error) {
    attempt([], () => closeSync(fd));
    throw error;
  }
  closeSync(fd);
}

function size(): number {
  return random.below(4) === 0 ? random.below(600_000) : random.below(9_000);
}

/** Notes what a file holds now that `change` was done to it. */
function became(name: string, change: (before: Buffer) => Buffer): void {
  const before = contents.get(name);
  if (before === 'unknown') return;
  contents.set(name, change(before instanceof Buffer ? before : Buffer.alloc(0)));
}

function replace(name: string): void {
  const content = random.bytes(size());
  withFile(name, 'w', (fd) => writeSync(fd, content));
  contents.set(name, content);
}

function append(name: string): void {
  const content = random.bytes(size());
  withFile(name, 'a', (fd) => writeSync(fd, content));
  became(name, (before) => Buffer.concat([before, content]));
}

/** Changes a part, and then the size. */
function overwrite(name: string): void {
  const content = random.bytes(size());
  const offset = random.below(20_000);
  const end = offset + random.below(100_000);
  withFile(name, 'r+', (fd) => {
    writeSync(fd, content, 0, content.length, offset);
    ftruncateSync(fd, end);
  });
  became(name, (before) => {
    const whole = Buffer.alloc(Math.max(before.length, offset + content.length, end));
    before.copy(whole);
    content.copy(whole, offset);
    return Buffer.from(whole.subarray(0, end));
  });
}

function rename(name: string, other: string): void {
  if (name === other) return;
  renameSync(at(name), at(other));
  contents.set(other, contents.get(name) ?? 'unknown');
  contents.set(name, 'absent');
}

function remove(name: string): void {
  unlinkSync(at(name));
  contents.set(name, 'absent');
}

/** The file has the other name alone afterwards. */
function linkAndUnlink(name: string, other: string): void {
  linkSync(at(name), at(other));
  contents.set(other, contents.get(name) ?? 'unknown');
  remove(name);
}
