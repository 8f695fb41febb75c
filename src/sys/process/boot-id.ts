/** Which boot of which machine this is. */
import * as libc from '../libc.ts';

const PATH = '/proc/sys/kernel/random/boot_id';

/**
 * The kernel's random id of this boot (random(4)); undefined without /proc. What was written in another boot and
 * never synced may be on the disk in part only.
 */
export function bootId(): string | undefined {
  const fd = libc.openAt(libc.AT_FDCWD, PATH, libc.O_RDONLY);
  if (fd < 0) return undefined;
  const bytes = Buffer.alloc(64);
  const n = libc.read(fd, bytes);
  libc.close(fd);
  return n > 0 ? bytes.toString('latin1', 0, n).trim() : undefined;
}
