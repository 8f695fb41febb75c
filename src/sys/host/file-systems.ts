/** File systems that hold files as others do, but not all that Linux says of a file, or not as a program of ours needs it. */
import { statfsSync } from 'node:fs';
import { SystemError } from '../errno.ts';
import { attempt } from '../files/files.ts';

export interface Limits {
  readonly name: string;
  /** Whether modes, owners and extended attributes are kept. */
  readonly attributes: boolean;
  /** Nanoseconds between two times of a file that can be told apart. */
  readonly timeStep: number;
}

/** By the number that statfs(2) gives (linux/magic.h). */
const LIMITS: ReadonlyMap<number, Limits> = new Map([
  [0x4d44, { name: 'vfat', attributes: false, timeStep: 2e9 }],
  [0x2011bab0, { name: 'exfat', attributes: false, timeStep: 1e7 }],
  [0xff534d42, { name: 'cifs', attributes: false, timeStep: 100 }],
  [0xfe534d42, { name: 'smb3', attributes: false, timeStep: 100 }],
  // Without a cache no file can be mapped for writing; with one that writes back, what is appended can stand there twice.
  [0x01021997, { name: '9p', attributes: true, timeStep: 1 }],
]);

/** The limits of the file system that holds `path`; undefined: none that are known. Throws a SystemError. */
export function limitsOf(path: string | Buffer): Limits | undefined {
  return LIMITS.get(attempt(`cannot look at ${path}`, () => statfsSync(path)).type);
}

/** Devices by whether inode numbers of files on them are the same once the kernel has forgotten a file and reads it anew. */
const lasting = new Map<number, boolean>();

/** Learns of the device of what is at `name`, no symlink, in an open directory. */
export function learnDevice(device: number, directory: number, name: string): void {
  if (lasting.has(device)) return;
  try {
    const path = Buffer.from(`/proc/self/fd/${directory}/${name}`, 'latin1');
    lasting.set(device, limitsOf(path)?.attributes !== false);
  } catch (error) {
    // It has gone meanwhile, or is not for this user: the next one says it.
    if (!(error instanceof SystemError)) throw error;
  }
}

/** Whether a file on a device is known by its inode number for as long as it exists; true where nothing else has been learnt. */
export function hasLastingNumbers(device: number): boolean {
  return lasting.get(device) !== false;
}
