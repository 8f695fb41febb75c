/** What this process may do by itself. */
import { effectiveCapabilities } from '../sys/process/process.ts';

/** CAP_SETGID, CAP_SETUID and CAP_SYS_ADMIN: who has not all of them cannot give a user namespace all ids. */
const NEEDED = (1n << 6n) | (1n << 7n) | (1n << 21n);

/**
 * Whether this process may mount, and map all ids: then its own user namespace owns the view's mounts, every owner of a file is
 * shown as it is, and commands get a user namespace below. Else the holder makes one in which it may, and commands,
 * having no capability there, may not.
 */
export function mayMount(): boolean {
  return (effectiveCapabilities() & NEEDED) === NEEDED;
}

/**
 * Whether commands can be user 0 of the host: to that one the kernel opens its settings in /proc/sys for the number alone, without any
 * capability. `nested`: as above; all ids are mapped then.
 */
export function mayBeUserZero(nested: boolean): boolean {
  return nested || process.getuid?.() === 0 || process.geteuid?.() === 0;
}
