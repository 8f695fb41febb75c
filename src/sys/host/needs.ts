/** What of the host has to be there before anything of ours can work, and is said in one line where it is not. */
import { release } from 'node:os';
import { UserError } from '../user-error.ts';

export const OLDEST_KERNEL = '5.11';
export const OLDEST_LIBRARY = '2.34';

/** Of the GNU C library that Node runs with; undefined where that is another one. */
export function cLibraryVersion(): string | undefined {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}

export function isOldLibrary(version: string | undefined): boolean {
  return version !== undefined && isOlder(version, OLDEST_LIBRARY);
}

export function isOldKernel(version: string): boolean {
  return isOlder(version, OLDEST_KERNEL);
}

/** Throws a UserError that says what is too old. */
export function refuseOldKernel(version = release()): void {
  if (!isOldKernel(version)) return;
  throw new UserError(`Linux ${OLDEST_KERNEL} or newer is needed, and this is ${version}`, HINT);
}

const HINT = 'Debian 12, Ubuntu 22.04, RHEL 9 and what is newer have it';

export function oldLibrary(version = cLibraryVersion()): UserError {
  return new UserError(
    `glibc ${OLDEST_LIBRARY} or newer is needed, and this is ${version ?? 'another C library'}`,
    HINT,
  );
}

function isOlder(version: string, than: string): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number.parseFloat);
  const [major = 0, minor = 0] = than.split('.').map(Number);
  return a < major || (a === major && b < minor);
}
