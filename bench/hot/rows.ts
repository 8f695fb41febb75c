/** The requests that are measured, in the order of a life: looked for, made, written, changed, listed, removed. */
import * as abi from '../../src/fuse/codec/abi.ts';
import { ENODATA } from '../../src/sys/errno.ts';
import { S_IFREG } from '../../src/sys/stat.ts';
import type { Server } from './server.ts';

export interface HotRow {
  readonly name: string;
  /** Makes the request of file `i`. */
  readonly work: (i: number) => void;
}

const TEXT = 'x'.repeat(300);
const MODE = S_IFREG | 0o600;

function setattr(valid: number, fields: Readonly<Record<number, number>> = {}): number[] {
  const words = new Array<number>(abi.SETATTR_IN_SIZE / 4).fill(0);
  words[0] = valid;
  for (const [offset, value] of Object.entries(fields)) words[Number(offset) / 4] = value;
  return words;
}

/** One round: `files` files, new in a directory of its own and of the base. */
export function hotRows(server: Server, round: number, files: number): HotRow[] {
  const [project, base] = [server.find(''), server.find('/base')];
  server.serve(abi.MKDIR, project, [0o755, 0], `new${round}\0`);
  const dir = server.node;
  const [made, changed] = [creations(server, dir), changes(server, dir)];
  server.serve(abi.MKDIR, project, [0o755, 0], `tar${round}\0`);
  const file = asTar(server, server.node);
  return [...made, ...changed, ...removals(server, { dir, base, round, files }), ...file];
}

/** All requests of `tar x` for one file, in its order (as root; the kernel's own included). */
function asTar(server: Server, dir: number): HotRow[] {
  const steps = new Map([...creations(server, dir), ...changes(server, dir)].map(({ name, work }) => [name, work]));
  const order = [
    'LOOKUP of nothing, new directory',
    'MKNOD',
    'GETXATTR',
    'WRITE of 300 bytes',
    'SETATTR of times',
    'SETATTR of times',
    'GETXATTR',
    'SETATTR of the owner',
    'SETATTR of the mode',
    'GETATTR of a directory',
  ].map((name) => steps.get(name));
  return [
    {
      name: 'a file of tar, 10 requests',
      work: (i) => {
        for (const step of order) step?.(i);
      },
    },
  ];
}

/** Nodes of new files, by number. */
const nodes: number[] = [];

function creations(server: Server, dir: number): HotRow[] {
  const write = [0, 0, 0, 0, TEXT.length, 0, 0, 0, 0, 0];
  return [
    { name: 'LOOKUP of nothing, new directory', work: (i) => server.serve(abi.LOOKUP, dir, [], `f${i}\0`) },
    {
      name: 'MKNOD',
      work: (i) => {
        server.serve(abi.MKNOD, dir, [MODE, 0, 0, 0], `f${i}\0`);
        nodes[i] = server.node;
      },
    },
    { name: 'GETATTR of a directory', work: () => server.serve(abi.GETATTR, dir, [0, 0, 0, 0]) },
    {
      name: 'GETXATTR',
      work: (i) => server.serve(abi.GETXATTR, nodes[i] ?? 0, [0, 0], 'security.capability\0', ENODATA),
    },
    { name: 'WRITE of 300 bytes', work: (i) => server.serve(abi.WRITE, nodes[i] ?? 0, write, TEXT) },
  ];
}

function changes(server: Server, dir: number): HotRow[] {
  const { MODE: mode, UID, GID, MTIME, CTIME } = abi.SETATTR_IN;
  const words = setattr(abi.FATTR_MTIME | abi.FATTR_CTIME);
  // In place: what is made for each request would be counted as the request's.
  const times = (i: number): number[] => {
    words[MTIME / 4] = words[CTIME / 4] = 1_700_000_000 + i;
    return words;
  };
  const owner = setattr(abi.FATTR_UID | abi.FATTR_GID, { [UID]: 0, [GID]: 0 });
  const permissions = setattr(abi.FATTR_MODE, { [mode]: S_IFREG | 0o644 });
  return [
    { name: 'SETATTR of times', work: (i) => server.serve(abi.SETATTR, nodes[i] ?? 0, times(i)) },
    { name: 'SETATTR of the owner', work: (i) => server.serve(abi.SETATTR, nodes[i] ?? 0, owner) },
    { name: 'SETATTR of the mode', work: (i) => server.serve(abi.SETATTR, nodes[i] ?? 0, permissions) },
    { name: 'GETATTR of a new file', work: (i) => server.serve(abi.GETATTR, nodes[i] ?? 0, [0, 0, 0, 0]) },
    { name: 'LOOKUP of a new file', work: (i) => server.serve(abi.LOOKUP, dir, [], `f${i}\0`) },
    {
      name: 'READ of 300 bytes',
      work: (i) => server.serve(abi.READ, nodes[i] ?? 0, [0, 0, 0, 0, 4096, 0, 0, 0, 0, 0]),
    },
    {
      name: 'RENAME',
      work: (i) => server.serve(abi.RENAME, dir, [dir, 0], `f${i}\0g${i}\0`),
    },
  ];
}

interface Places {
  readonly dir: number;
  readonly base: number;
  readonly round: number;
  readonly files: number;
}

function removals(server: Server, { dir, base, round, files }: Places): HotRow[] {
  const inBase = (i: number): string => `${round * files + i}\0`;
  const known: number[] = [];
  return [
    { name: 'UNLINK of a new file', work: (i) => server.serve(abi.UNLINK, dir, [], `g${i}\0`) },
    { name: 'FORGET of a removed file', work: (i) => server.serve(abi.FORGET, nodes[i] ?? 0, [2, 0]) },
    {
      name: 'LOOKUP of a base file',
      work: (i) => {
        server.serve(abi.LOOKUP, base, [], inBase(i));
        known[i] = server.node;
      },
    },
    { name: 'LOOKUP of nothing, base directory', work: (i) => server.serve(abi.LOOKUP, base, [], `none${inBase(i)}`) },
    { name: 'GETATTR of a base file', work: (i) => server.serve(abi.GETATTR, known[i] ?? 0, [0, 0, 0, 0]) },
    {
      name: 'READ of a base file',
      work: (i) => server.serve(abi.READ, known[i] ?? 0, [0, 0, 0, 0, 4096, 0, 0, 0, 0, 0]),
    },
    { name: 'UNLINK of a base file', work: (i) => server.serve(abi.UNLINK, base, [], inBase(i)) },
    { name: 'FORGET of a base file', work: (i) => server.serve(abi.FORGET, known[i] ?? 0, [1, 0]) },
  ];
}
