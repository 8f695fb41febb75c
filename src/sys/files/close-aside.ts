/** Closing what takes long to close: of a large file without a name it frees all blocks. */
import { close } from 'node:fs';
import { type Errno, OK } from '../errno.ts';

/** Closes a descriptor by a thread of Node's own; resolves to what came of it. */
export function closeAside(fd: number): Promise<Errno> {
  return new Promise((resolve) => close(fd, (error) => resolve(error === null ? OK : (-(error?.errno ?? 0) as Errno))));
}
