/** The file operations, on the real directory that judges and through the kernel of the test. */
import * as fs from 'node:fs';
import type { NodeId } from '../../../src/sys/bytes.ts';
import * as libc from '../../../src/sys/libc.ts';
import { bytes, setTime } from './image.ts';
import { CALLER, type FakeKernel } from './kernel.ts';
import { chown, copyRange, fallocate, MAY_CHOWN } from './ranges.ts';
import type { FileStep, Verb } from './steps.ts';

/** Where both sides carry a step out. */
export interface Sides {
  readonly judge: string;
  readonly kernel: FakeKernel;
  /** Files that processes have open: a descriptor of the judge's, a node of the view's. */
  readonly held: { fd: number; node: NodeId }[];
}

type Facts = (path: string) => fs.Stats | undefined;

/** Carries a step out on both sides, when it is one that Linux allows; returns what was done. */
export function carryOut(sides: Sides, given: FileStep): FileStep | undefined {
  const step = given.verb === 'copyRange' ? { ...given, to: otherFile(sides, given) } : given;
  if (!isPossible(sides, step)) return undefined;
  DO[step.verb](sides, step);
  return step;
}

const NAMES_ONLY = new Set<Verb>(['writeHeld', 'release', 'shrink']);
const MAKES = new Set<Verb>(['create', 'mkdir', 'symlink', 'fifo', 'tmpfile']);
const OF_FILES = new Set<Verb>(['write', 'append', 'truncate', 'fallocate', 'copyRange', 'hold', 'replace']);

/** Whether the step would succeed on Linux, and means the same without following a symlink. */
function isPossible({ judge, held }: Sides, { verb, path, to }: FileStep): boolean {
  if (NAMES_ONLY.has(verb)) return verb === 'shrink' || held.length > 0;
  const at: Facts = (relative) => fs.lstatSync(bytes(`${judge}/${relative}`), { throwIfNoEntry: false });
  if (!isReachable(at, path)) return false;
  const found = at(path);
  if (MAKES.has(verb)) return found === undefined;
  if (found === undefined) return false;
  if (verb === 'copyRange') return found.isFile() && to !== '';
  if (OF_FILES.has(verb)) return found.isFile();
  if (verb === 'chown') return MAY_CHOWN;
  if (verb === 'rmdir') return found.isDirectory() && fs.readdirSync(bytes(`${judge}/${path}`)).length === 0;
  if (verb === 'rmTree') return found.isDirectory();
  if (verb === 'unlink') return !found.isDirectory();
  if (verb !== 'rename' && verb !== 'exchange' && verb !== 'link')
    return verb === 'chmod' || verb === 'utimes' ? !found.isSymbolicLink() : found.isFile() || found.isDirectory();
  if (!isReachable(at, to)) return false;
  if (verb === 'link') return !found.isDirectory() && at(to) === undefined;
  return mayMove(judge, { path, to, found, target: at(to), verb });
}

/** Some other file than that at `path`; '' when there is none. */
function otherFile({ judge }: Sides, { path, to, n }: FileStep): string {
  const at: Facts = (relative) => fs.lstatSync(bytes(`${judge}/${relative}`), { throwIfNoEntry: false });
  const ino = isReachable(at, path) ? at(path)?.ino : undefined;
  const isOther = (relative: string): boolean =>
    isReachable(at, relative) && at(relative)?.isFile() === true && at(relative)?.ino !== ino;
  const others = ['c', 'd', 'e\n', 'a/a', 'b/a', 'a/b/c', 'd/a', 'a/c'].filter(isOther);
  return isOther(to) ? to : (others[n % others.length] ?? '');
}

function isReachable(at: Facts, path: string): boolean {
  const parts = path.split('/');
  return parts.every((_, i) => i === 0 || at(parts.slice(0, i).join('/'))?.isDirectory() === true);
}

interface Move {
  readonly path: string;
  readonly to: string;
  readonly found: fs.Stats;
  readonly target: fs.Stats | undefined;
  readonly verb: Verb;
}

function mayMove(judge: string, { path, to, found, target, verb }: Move): boolean {
  if (`${to}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${to}/`)) return false;
  if (verb === 'exchange') return target !== undefined;
  if (target === undefined) return true;
  if (found.isDirectory() !== target.isDirectory()) return false;
  return !target.isDirectory() || fs.readdirSync(bytes(`${judge}/${to}`)).length === 0;
}

type Doing = (sides: Sides, step: FileStep) => void;

const AT = libc.AT_FDCWD;
const node = (mode: number): { mode: number; rdev: number; umask: number } => ({ mode, rdev: 0, umask: 0 });
const text = (n: number): string => `${n},${'x'.repeat(n % 7)}`;

const DO: Readonly<Record<Verb, Doing>> = {
  fallocate,
  copyRange,
  chown,
  create({ judge, kernel }, { path, n }) {
    fs.writeFileSync(bytes(`${judge}/${path}`), '', { mode: 0o644 });
    const made = kernel.make(path, ({ dir, name }) => kernel.fs.mknod(dir, name, node(0o100644), CALLER));
    if (n % 3 === 0) return;
    fs.writeFileSync(bytes(`${judge}/${path}`), text(n));
    kernel.write(made, 0, text(n));
  },
  mkdir({ judge, kernel }, { path }) {
    fs.mkdirSync(bytes(`${judge}/${path}`), 0o755);
    kernel.make(path, ({ dir, name }) => kernel.fs.mkdir(dir, name, node(0o755), CALLER));
  },
  symlink({ judge, kernel }, { path, to }) {
    fs.symlinkSync(bytes(to), bytes(`${judge}/${path}`));
    kernel.make(path, ({ dir, name }) => kernel.fs.symlink(dir, name, to, CALLER));
  },
  fifo({ judge, kernel }, { path }) {
    libc.mknodAt(AT, `${judge}/${path}`, 0o010644, 0);
    kernel.make(path, ({ dir, name }) => kernel.fs.mknod(dir, name, node(0o010644), CALLER));
  },
  /** Written while it has no name, as programs do that want a file to appear whole. */
  tmpfile({ judge, kernel }, { path, n }) {
    fs.writeFileSync(bytes(`${judge}/${path}`), text(n), { mode: 0o600 });
    const slash = path.lastIndexOf('/');
    const made = kernel.unnamed(slash < 0 ? '' : path.slice(0, slash));
    kernel.write(made, 0, text(n));
    if (n % 2 === 1) {
      libc.setxattrAt(AT, `${judge}/${path}`, 'user.a', bytes(text(n)));
      kernel.fs.setxattr(made, 'user.a', bytes(text(n)), 0, CALLER);
    }
    kernel.make(path, ({ dir, name }) => kernel.fs.link(made, dir, name, CALLER));
  },
  unlink({ judge, kernel }, { path }) {
    fs.unlinkSync(bytes(`${judge}/${path}`));
    kernel.remove(path, ({ dir, name }) => kernel.fs.unlink(dir, name, CALLER));
  },
  rmdir({ judge, kernel }, { path }) {
    fs.rmdirSync(bytes(`${judge}/${path}`));
    kernel.remove(path, ({ dir, name }) => kernel.fs.rmdir(dir, name, CALLER));
  },
  rmTree(sides, step) {
    const at = `${sides.judge}/${step.path}`;
    for (const name of fs.readdirSync(bytes(at), 'latin1')) {
      const path = `${step.path}/${name}`;
      const isDirectory = fs.lstatSync(bytes(`${at}/${name}`)).isDirectory();
      DO[isDirectory ? 'rmTree' : 'unlink'](sides, { ...step, path });
    }
    DO.rmdir(sides, step);
  },
  write({ judge, kernel }, { path, n }) {
    const fd = fs.openSync(bytes(`${judge}/${path}`), 'r+');
    fs.writeSync(fd, text(n), n % 11, 'latin1');
    fs.closeSync(fd);
    kernel.write(kernel.node(path), n % 11, text(n));
  },
  append({ judge, kernel }, { path, n }) {
    const { size } = fs.statSync(bytes(`${judge}/${path}`));
    fs.appendFileSync(bytes(`${judge}/${path}`), text(n));
    kernel.write(kernel.node(path), size, text(n));
  },
  /** As editors save: a new file over the old name. */
  replace(sides, step) {
    const aside = `${step.path}~`;
    DO.create(sides, { ...step, path: aside });
    sides.kernel.rename(aside, step.path, 0);
    fs.renameSync(bytes(`${sides.judge}/${aside}`), bytes(`${sides.judge}/${step.path}`));
  },
  truncate({ judge, kernel }, { path, n }) {
    fs.truncateSync(bytes(`${judge}/${path}`), n % 12);
    kernel.setattr(kernel.node(path), { size: n % 12 });
  },
  chmod({ judge, kernel }, { path, n }) {
    const mode = [0o600, 0o644, 0o755, 0o4755][n % 4] ?? 0o644;
    fs.chmodSync(bytes(`${judge}/${path}`), mode);
    kernel.setattr(kernel.node(path), { mode });
  },
  utimes({ judge, kernel }, { path, n }) {
    fs.utimesSync(bytes(`${judge}/${path}`), setTime(n), setTime(n));
    const time = { sec: setTime(n), nsec: 0 };
    kernel.setattr(kernel.node(path), { atime: time, mtime: time });
  },
  setxattr({ judge, kernel }, { path, n }) {
    const name = n % 2 === 0 ? 'user.a' : 'user.b';
    libc.setxattrAt(AT, `${judge}/${path}`, name, bytes(text(n)));
    kernel.fs.setxattr(kernel.node(path), name, bytes(text(n)), 0, CALLER);
  },
  removexattr({ judge, kernel }, { path, n }) {
    const name = n % 2 === 0 ? 'user.a' : 'user.b';
    const had = libc.getxattrAt(AT, `${judge}/${path}`, name, Buffer.alloc(256)) >= 0;
    if (!had) return;
    removeXattr(`${judge}/${path}`, name);
    kernel.fs.removexattr(kernel.node(path), name, CALLER);
  },
  rename({ judge, kernel }, { path, to }) {
    fs.renameSync(bytes(`${judge}/${path}`), bytes(`${judge}/${to}`));
    kernel.rename(path, to, 0);
  },
  exchange({ judge, kernel }, { path, to }) {
    libc.renameAt2(AT, `${judge}/${path}`, AT, `${judge}/${to}`, libc.RENAME_EXCHANGE);
    kernel.rename(path, to, libc.RENAME_EXCHANGE);
  },
  link({ judge, kernel }, { path, to }) {
    fs.linkSync(bytes(`${judge}/${path}`), bytes(`${judge}/${to}`));
    const linked = kernel.node(path);
    kernel.make(to, ({ dir, name }) => kernel.fs.link(linked, dir, name, CALLER));
    kernel.touched(linked);
  },
  hold({ judge, kernel, held }, { path }) {
    if (held.length >= 4) return;
    held.push({ fd: fs.openSync(bytes(`${judge}/${path}`), 'r+'), node: kernel.node(path) });
  },
  writeHeld({ kernel, held }, { n }) {
    const file = held[n % held.length];
    if (file === undefined) return;
    fs.writeSync(file.fd, text(n), n % 11, 'latin1');
    kernel.write(file.node, n % 11, text(n));
  },
  release({ held }, { n }) {
    for (const { fd } of held.splice(n % held.length, 1)) fs.closeSync(fd);
  },
  shrink({ kernel, held }) {
    kernel.shrink(new Set([1 as NodeId, ...held.map((file) => file.node)]));
  },
};

function removeXattr(at: string, name: string): void {
  const result = libc.removexattrAt(AT, at, name);
  if (result < 0) throw new Error(`removexattr ${at}: ${result}`);
}
