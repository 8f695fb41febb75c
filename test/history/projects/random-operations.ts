/** Random operations that a view and a plain directory can do alike. */
import * as fs from 'node:fs';
import { fc } from '../../random/fast-check.ts';
import type { Operations } from './native-twin.ts';

export type Op = readonly [
  name:
    | 'write'
    | 'append'
    | 'mkdir'
    | 'symlink'
    | 'link'
    | 'rm'
    | 'rmTree'
    | 'mv'
    | 'exchange'
    | 'chmod'
    | 'utimes'
    | 'setxattr'
    | 'mkfifo',
  a: string,
  b: string,
  n: number,
];

const name = fc.constantFrom('a', 'b', 'c', 'a-b');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const verb = fc.constantFrom<Op[0][]>(
  'write',
  'append',
  'mkdir',
  'mkdir',
  'symlink',
  'link',
  'link',
  'rm',
  'rmTree',
  'mv',
  'mv',
  'mv',
  'mv',
  'exchange',
  'chmod',
  'utimes',
  'setxattr',
  'mkfifo',
);
export const op: fc.Arbitrary<Op> = fc.tuple(verb, path, path, fc.nat(1000));

export const BASE = {
  'a/a': 'one',
  'a/b/c': 'two',
  'a/b/a-b': 'three',
  'a/c/a': 'four',
  'b/a': 'five',
  'b/c/b': 'six',
  c: 'seven',
  'a-b/a': 'eight',
  'a-b/b/b/x': 'nine',
};

function stat(root: string, path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(`${root}/${path}`);
  } catch {
    return undefined;
  }
}

/** Whether the operation succeeds natively and means the same without following a symlink. */
export function isPossible(root: string, [verb, a, b]: Op): boolean {
  const reachable = (path: string): boolean =>
    path.split('/').every((_, i, parts) => i === 0 || stat(root, parts.slice(0, i).join('/'))?.isDirectory() === true);
  if (!reachable(a) || !reachable(b)) return false;
  const [at, to] = [stat(root, a), stat(root, b)];
  switch (verb) {
    case 'write':
      return at === undefined || at.isFile();
    case 'append':
    case 'setxattr':
      return at?.isFile() === true;
    case 'mkdir':
    case 'symlink':
    case 'mkfifo':
      return at === undefined;
    case 'link':
      return at !== undefined && !at.isDirectory() && to === undefined;
    case 'rm':
      return at !== undefined && !at.isDirectory();
    case 'rmTree':
      return at?.isDirectory() === true;
    case 'mv':
      return at !== undefined && mayMove(root, { a, b, at, to });
    case 'exchange':
      return at !== undefined && to !== undefined && !isBelow(a, b) && !isBelow(b, a);
    case 'chmod':
    case 'utimes':
      return at !== undefined && !at.isSymbolicLink();
  }
}

function mayMove(root: string, move: { a: string; b: string; at: fs.Stats; to: fs.Stats | undefined }): boolean {
  const { a, b, at, to } = move;
  if (isBelow(b, a) || isBelow(a, b)) return false;
  if (to === undefined) return true;
  if (at.isDirectory() !== to.isDirectory()) return false;
  return !to.isDirectory() || fs.readdirSync(`${root}/${b}`).length === 0;
}

function isBelow(path: string, dir: string): boolean {
  return `${path}/`.startsWith(`${dir}/`);
}

export function perform(p: Operations, [verb, a, b, n]: Op): void {
  switch (verb) {
    case 'write':
      return void p.write(a, `new ${n}`);
    case 'append':
      return void p.append(a, `+${n}`);
    case 'symlink':
      return void p.symlink(b, a);
    case 'link':
      return void p.link(a, b);
    case 'mv':
      return void p.mv(a, b);
    case 'exchange':
      return void p.exchange(a, b);
    case 'chmod':
      return void p.chmod(a, n % 2 === 0 ? 0o700 : 0o755);
    case 'utimes':
      return void p.utimes(a, { sec: n, nsec: n });
    case 'setxattr':
      return void p.setxattr(a, 'user.n', String(n));
    case 'mkdir':
    case 'rm':
    case 'rmTree':
    case 'mkfifo':
      return void p[verb](a);
  }
}
