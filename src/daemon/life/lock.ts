/** The lock that makes the daemon of a session the only one. The kernel drops it with the process, whatever its end. */
import { toBytes } from '../../sys/bytes.ts';
import { EAGAIN, type Errno, SystemError } from '../../sys/errno.ts';
import { AT_FDCWD, close, flock, LOCK_EX, LOCK_NB, O_CREAT, O_NOFOLLOW, O_RDWR, openAt } from '../../sys/libc.ts';

/** Takes the lock for the life of this process; false when another process has it. Throws a SystemError. */
export function takeLock(path: string): boolean {
  const fd = openAt(AT_FDCWD, toBytes(path), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  if (fd < 0) throw new SystemError(`cannot open ${path}`, -fd as Errno);
  const result = flock(fd, LOCK_EX | LOCK_NB);
  if (result >= 0) return true;
  close(fd);
  if (result === -EAGAIN) return false;
  throw new SystemError(`cannot lock ${path}`, -result as Errno);
}
