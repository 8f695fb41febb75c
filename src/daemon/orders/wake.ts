/** The eventfd that says that orders are in the port. */
import { write } from '../../sys/libc.ts';

const ONE = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);

/** Makes it readable, until the FUSE thread has looked. */
export function wake(fd: number): void {
  write(fd, ONE);
}
