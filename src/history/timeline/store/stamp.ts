/**
 * Tells whether the store's file is exactly what this program left. LMDB trusts its file: pages that were torn by a
 * power cut, or changed by somebody else, can make it end the process. So after every save the file's inode number,
 * size and times, and the boot they are of, are put beside it; a file that does not match is not even opened.
 */

import { toBytePath } from '../../../sys/bytes.ts';
import { lookAt, readText } from '../../../sys/files/text-files.ts';
import { AT_FDCWD, close, O_CREAT, O_NOFOLLOW, O_WRONLY, openAt, pwrite } from '../../../sys/libc.ts';
import { bootId } from '../../../sys/process/boot-id.ts';

/** Version of keys and values; a store of another version is rebuilt. */
const VERSION = 4;
/** One line of this length, so that a new one covers the old one. */
const LENGTH = 200;

/** Name of the file that holds the stamp of the store at `path`. */
export function stampFile(path: string): string {
  return `${path}-stamp`;
}

/** Whether the store at `path` is as the last `renewStamp` found it, in this boot. */
export function isStamped(path: string): boolean {
  const line = stampLine(path);
  return line !== undefined && readText(stampFile(path)) === line;
}

/**
 * Stamps the store as it is. A failure needs no answer: the stamp then does not match, and the store will be
 * rebuilt; so does a process that dies before it comes to this.
 */
export function renewStamp(path: string): void {
  const line = stampLine(path);
  if (line === undefined) return;
  const fd = openAt(AT_FDCWD, toBytePath(stampFile(path)), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  if (fd < 0) return;
  pwrite(fd, Buffer.from(line, 'latin1'), line.length, 0);
  close(fd);
}

function stampLine(path: string): string | undefined {
  const boot = bootId();
  const file = lookAt(path);
  if (boot === undefined || file === undefined) return undefined;
  const { ino, size, mtimeMs, ctimeMs } = file;
  return `${`yolofs tree ${VERSION} boot ${boot} inode ${ino} size ${size} times ${mtimeMs} ${ctimeMs}`.padEnd(LENGTH - 1)}\n`;
}
