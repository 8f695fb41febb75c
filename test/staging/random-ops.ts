/** Random operations, carried out on a plain directory of the host (the judge) and through a ViewDriver. */
import * as fs from 'node:fs';
import type { BytePath } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../../src/sys/stat.ts';
import { fc } from '../random/fast-check.ts';
import type { NodeImage, ViewDriver } from './view-driver.ts';

export type Op =
  | { op: 'create' | 'mkdir' | 'unlink' | 'rmdir'; path: string }
  | { op: 'symlink'; path: string; target: string }
  | { op: 'rename' | 'link'; path: string; to: string }
  | { op: 'write'; path: string; at: number; text: string }
  | { op: 'truncate'; path: string; size: number }
  | { op: 'chmod'; path: string; mode: number }
  | { op: 'snapshot' };

const name = fc.constantFrom('a', 'b', 'c', 'd\n', '\xff');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
export const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ op: fc.constantFrom('create', 'mkdir', 'unlink', 'rmdir'), path }),
  fc.record({ op: fc.constant('symlink' as const), path, target: fc.constantFrom('a', '../b', '/nowhere') }),
  fc.record({ op: fc.constantFrom('rename', 'rename', 'link'), path, to: path }),
  fc.record({ op: fc.constant('write' as const), path, at: fc.nat(20), text: fc.constantFrom('hello', 'x', '\0\0') }),
  fc.record({ op: fc.constant('truncate' as const), path, size: fc.nat(12) }),
  fc.record({ op: fc.constant('chmod' as const), path, mode: fc.constantFrom(0o600, 0o755, 0o4755) }),
  fc.constant({ op: 'snapshot' as const }),
) as fc.Arbitrary<Op>;

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The errno of one host call, 0 when it succeeded. */
function errnoOf(call: () => void): number {
  try {
    call();
    return 0;
  } catch (error) {
    return -((error as NodeJS.ErrnoException).errno ?? 0);
  }
}

export function native(root: string, op: Op): number {
  const at = (relative: string): Buffer => bytes(`${root}/${relative}`);
  switch (op.op) {
    case 'create':
      return errnoOf(() => fs.closeSync(fs.openSync(at(op.path), 'wx', 0o644)));
    case 'mkdir':
      return errnoOf(() => fs.mkdirSync(at(op.path), 0o755));
    case 'unlink':
      return errnoOf(() => fs.unlinkSync(at(op.path)));
    case 'rmdir':
      return errnoOf(() => fs.rmdirSync(at(op.path)));
    case 'symlink':
      return errnoOf(() => fs.symlinkSync(op.target, at(op.path)));
    case 'rename':
      return errnoOf(() => fs.renameSync(at(op.path), at(op.to)));
    case 'link':
      return errnoOf(() => fs.linkSync(at(op.path), at(op.to)));
    case 'write':
      return errnoOf(() => {
        const fd = fs.openSync(at(op.path), fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW);
        fs.writeSync(fd, bytes(op.text), 0, op.text.length, op.at);
        fs.closeSync(fd);
      });
    case 'truncate':
      return errnoOf(() => fs.truncateSync(at(op.path), op.size));
    case 'chmod':
      return errnoOf(() => fs.chmodSync(at(op.path), op.mode));
    default:
      return 0;
  }
}

export function inView(view: ViewDriver, root: BytePath, op: Op): number {
  const at = (relative: string): BytePath => `${root}/${relative}` as BytePath;
  switch (op.op) {
    case 'create':
      return view.create(at(op.path), 0o644);
    case 'mkdir':
      return view.mkdir(at(op.path), 0o755);
    case 'unlink':
      return view.unlink(at(op.path));
    case 'rmdir':
      return view.rmdir(at(op.path));
    case 'symlink':
      return view.symlink(op.target, at(op.path));
    case 'rename':
      return view.rename(at(op.path), at(op.to));
    case 'link':
      return view.link(at(op.path), at(op.to));
    case 'write':
      return view.write(at(op.path), op.at, op.text);
    case 'truncate':
      return view.truncate(at(op.path), op.size);
    case 'chmod':
      return view.chmod(at(op.path), op.mode);
    default:
      return 0;
  }
}

/** What the VFS decides before it asks a file system: these sequences would never reach us in this form. */
export function isForTheKernel(root: string, op: Op): boolean {
  const lstat = (relative: string): fs.Stats | undefined =>
    fs.lstatSync(bytes(`${root}/${relative}`), { throwIfNoEntry: false });
  const throughLink = (relative: string): boolean => {
    const parts = relative.split('/');
    return parts.some((_, i) => i > 0 && errnoOrLink(parts.slice(0, i).join('/')));
  };
  const errnoOrLink = (relative: string): boolean => {
    const stat = errnoOf(() => lstat(relative)) === 0 ? lstat(relative) : undefined;
    return stat !== undefined && !stat.isDirectory();
  };
  if (op.op === 'snapshot') return false;
  if (throughLink(op.path)) return true;
  const stat = lstat(op.path);
  if ('to' in op) {
    if (throughLink(op.to) || (op.op === 'link' && stat?.isDirectory())) return true;
    if (
      op.op === 'rename' &&
      (op.to === op.path || `${op.to}/`.startsWith(`${op.path}/`) || `${op.path}/`.startsWith(`${op.to}/`))
    )
      return true;
  }
  if (op.op === 'write' || op.op === 'truncate' || op.op === 'chmod')
    return stat === undefined || stat.isSymbolicLink() || (op.op !== 'chmod' && !stat.isFile());
  return false;
}

export function image(root: string): Map<string, NodeImage> {
  const found = new Map<string, NodeImage>();
  const walk = (dir: Buffer, relative: string): void => {
    for (const entry of fs.readdirSync(dir, { encoding: 'buffer' })) {
      const name = entry.toString('latin1');
      const child = Buffer.concat([dir, bytes('/'), entry]);
      const stat = fs.lstatSync(child);
      const type = stat.mode & S_IFMT;
      let content = '';
      if (type === S_IFREG) content = fs.readFileSync(child, 'latin1');
      if (type === S_IFLNK) content = fs.readlinkSync(child, 'latin1');
      found.set(`${relative}${name}`, {
        type,
        mode: stat.mode & 0o7777,
        nlink: type === S_IFDIR ? 0 : stat.nlink,
        content,
      });
      if (type === S_IFDIR) walk(child, `${relative}${name}/`);
    }
  };
  walk(bytes(root), '');
  return found;
}

export const sorted = (images: Map<string, NodeImage>): [string, NodeImage][] =>
  [...images].sort(([a], [b]) => (a < b ? -1 : 1));

/** Some files, directories, a symlink and two names of one file. */
export function fill(root: string): void {
  fs.mkdirSync(`${root}/a/b`, { recursive: true });
  fs.mkdirSync(`${root}/b`);
  fs.writeFileSync(`${root}/c`, 'base c');
  fs.writeFileSync(`${root}/a/a`, 'base a/a');
  fs.writeFileSync(`${root}/a/b/c`, 'base a/b/c');
  fs.symlinkSync('a', `${root}/a/c`);
  fs.linkSync(`${root}/c`, `${root}/b/c`);
  for (const p of ['c', 'a/a', 'a/b/c']) fs.chmodSync(`${root}/${p}`, 0o644);
}
