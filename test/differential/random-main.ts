/**
 * Random file operations in the current directory: `node random-main.js SEED COUNT`. What is done follows from the seed
 * and from what is there, so two trees that are the same stay the same. Prints every operation and how it ended.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as libc from '../../src/sys/libc.ts';
import { codeOf, ok } from '../conformance/operation.ts';
import { Random } from '../random/random.ts';

const [seed = '1', count = '100'] = process.argv.slice(2);
const random = new Random(Number(seed));
const AT = libc.AT_FDCWD;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'new\nline', '\xff\xfe'];
const WHEN = { atimeSec: 1e9, atimeNsec: 0, mtimeSec: 1_100_000_000, mtimeNsec: 123_456_789 };

/** Everything there is, in byte order: directories end in a slash. */
function listAll(dir = ''): string[] {
  const entries = fs.readdirSync(Buffer.from(dir || '.', 'latin1'), {
    withFileTypes: true,
    encoding: 'buffer',
  } as never);
  const found = (entries as unknown as { name: Buffer; isDirectory(): boolean }[]).flatMap((entry) => {
    const path = dir + entry.name.toString('latin1');
    if (dir === '' && path.startsWith('.yolofs')) return [];
    return entry.isDirectory() ? [`${path}/`, ...listAll(`${path}/`)] : [path];
  });
  return found.sort();
}

function bytes(path: string): Buffer {
  return Buffer.from(path.replace(/\/$/, ''), 'latin1');
}

/** Some path that may exist or not, in a directory that does. */
function somewhere(all: readonly string[]): string {
  const dirs = ['', ...all.filter((path) => path.endsWith('/'))];
  return random.pick(dirs) + random.pick(NAMES);
}

function any(): string {
  const all = listAll();
  return all.length === 0 ? 'a' : random.pick(all);
}

function isFifo(path: string): boolean {
  let found = false;
  codeOf(() => (found = fs.statSync(bytes(path)).isFIFO()));
  return found;
}

type Operation = (path: string, other: string) => unknown;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: (_, other) => fs.writeFileSync(bytes(other), random.text(random.below(9000))),
  createMore: (_, other) => fs.writeFileSync(bytes(other), random.text(random.below(99))),
  write: (path) => fs.writeFileSync(bytes(path), random.text(random.below(9000))),
  append: (path) => fs.appendFileSync(bytes(path), random.text(random.below(3000))),
  patch: (path) => {
    const fd = fs.openSync(bytes(path), 'r+');
    fs.writeSync(fd, random.text(100), random.below(6000));
    fs.closeSync(fd);
  },
  truncate: (path) => fs.truncateSync(bytes(path), random.below(5000)),
  chmod: (path) => fs.chmodSync(bytes(path), random.pick([0o744, 0o755, 0o700])),
  utimes: (path) => ok(libc.utimesAt(AT, path.replace(/\/$/, ''), WHEN)),
  setxattr: (path) => ok(libc.setxattrAt(AT, path.replace(/\/$/, ''), 'user.k', Buffer.from(random.text(9)))),
  mkdir: (_, other) => fs.mkdirSync(bytes(other)),
  mkdirMore: (_, other) => fs.mkdirSync(bytes(other)),
  rmdir: (path) => fs.rmdirSync(bytes(path)),
  unlink: (path) => fs.unlinkSync(bytes(path)),
  remove: (path) =>
    fs.rmSync(path.includes('\xff') ? 'none' : bytes(path).toString(), { recursive: random.below(6) === 0 }),
  rename: (path, other) => fs.renameSync(bytes(path), bytes(other)),
  renameOver: (path) => fs.renameSync(bytes(path), bytes(any())),
  exchange: (path) =>
    ok(libc.renameAt2(AT, path.replace(/\/$/, ''), AT, any().replace(/\/$/, ''), libc.RENAME_EXCHANGE)),
  link: (path, other) => fs.linkSync(bytes(path), bytes(other)),
  symlink: (path, other) => fs.symlinkSync(bytes(path), bytes(other)),
  fifo: (_, other) => ok(libc.mknodAt(AT, other, 0o010644, 0)),
  replace: (path) => {
    fs.writeFileSync(bytes(`${path.replace(/\/$/, '')}~`), random.text(500));
    fs.renameSync(bytes(`${path.replace(/\/$/, '')}~`), bytes(path));
  },
  copy: (path, other) => fs.copyFileSync(bytes(path), bytes(other)),
};

/** What stat(2) says about everything, in short, so that a difference shows at the operation that makes it. */
function look(): string {
  const seen = listAll().map((path) => {
    const s = fs.lstatSync(bytes(path));
    return [path, s.mode.toString(8), ...(s.isDirectory() ? [] : [s.nlink, s.size])].join(' ');
  });
  if (process.env.YOLOFS_TEST_VERBOSE !== undefined) process.stdout.write(`${seen.join('\n')}\n`);
  return createHash('md5').update(seen.join('\n')).digest('hex').slice(0, 8);
}

/** Operations that open files. */
const OPENS = /create|write|append|patch|truncate|replace|copy/;

process.umask(0o022);
for (let i = 0; i < Number(count); i++) {
  const all = listAll();
  const name = random.pick(Object.keys(OPERATIONS));
  const path = any();
  const other = somewhere(all);
  // A fifo would block whoever opens it.
  const opensFifo = OPENS.test(name) && [path, other, `${path}~`].some(isFifo);
  const code = opensFifo ? 'left out' : codeOf(() => OPERATIONS[name]?.(path, other));
  process.stdout.write(`${i} ${name} ${JSON.stringify([path, other])} ${code} ${look()}\n`);
}
