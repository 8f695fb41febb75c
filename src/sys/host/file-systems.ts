/** File systems that hold files as others do, but not all that Linux says of a file, or not as a program of ours needs it. */
import { statSync } from 'node:fs';
import { attempt } from '../files/files.ts';
import { readText } from '../files/text-files.ts';

export interface Limits {
  /** Whether modes, owners and extended attributes are kept, and a file keeps its inode number when it is read anew. */
  readonly attributes: boolean;
  /** Nanoseconds between two times of a file that can be told apart. */
  readonly timeStep: number;
}

/** By their names in /proc/self/mountinfo: what statfs(2) says of a share is what it is where it lies. */
const LIMITS: Readonly<Record<string, Limits>> = {
  vfat: { attributes: false, timeStep: 2e9 },
  exfat: { attributes: false, timeStep: 1e7 },
  cifs: { attributes: false, timeStep: 100 },
  smb3: { attributes: false, timeStep: 100 },
  vboxsf: { attributes: false, timeStep: 100 },
  // Without a cache no file can be mapped for writing; with one that writes back, what is appended can stand there twice.
  '9p': { attributes: true, timeStep: 1e9 },
};

/** What another machine, or another program's server, may change (fuse: also virtiofs and sshfs). */
const SHARED = /^(?:nfs4?|cifs|smb3|9p|fuse(?:blk|\..*)?|virtiofs|vboxsf|ceph|afs|lustre|ocfs2|gfs2)$/;

const byDevice = new Map<number, string>();

/** The limits of the file system that holds `path`; undefined: none that are known. Throws a SystemError. */
export function limitsOf(path: string): Limits | undefined {
  return limitsOfDevice(attempt(`cannot look at ${path}`, () => statSync(path)).dev);
}

/** Whether a file on a device is known by its inode number for as long as it exists. */
export function hasLastingNumbers(device: number): boolean {
  return limitsOfDevice(device)?.attributes !== false;
}

/**
 * Whether a directory keeps its inode number. On an overlay of several file systems it has one as long as the kernel remembers it; files
 * there are shown on the devices that they are of. `file`: one in it, just made. Throws a SystemError.
 */
export function keepsItsNumber(directory: string, file: string): boolean {
  const [one, other] = [directory, file].map((path) => attempt(`cannot look at ${path}`, () => statSync(path)));
  return one?.dev === other?.dev;
}

/** Whether files on a device may be changed by others than this kernel: no event tells of that. */
export function isShared(device: number): boolean {
  return SHARED.test(typeOf(device));
}

/** Of a device as stat(2) numbers it. */
function limitsOfDevice(device: number): Limits | undefined {
  return LIMITS[typeOf(device)];
}

function typeOf(device: number): string {
  const known = byDevice.get(device);
  if (known !== undefined) return known;
  const type = readType(device);
  byDevice.set(device, type);
  return type;
}

function readType(device: number): string {
  const [major, minor] = [(device >>> 8) & 0xfff, (device & 0xff) | ((device >>> 12) & 0xfff00)];
  const lines = (readText('/proc/self/mountinfo') ?? '').split('\n');
  const line = lines.find((one) => one.split(' ')[2] === `${major}:${minor}`);
  return line?.split(' - ')[1]?.split(' ')[0] ?? '';
}
