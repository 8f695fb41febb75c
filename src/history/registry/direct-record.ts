/**
 * Where views have ever written on the host without staging (`direct`). What lies there is no session, registered or not: an agent could
 * have read its token and written its journal.
 *
 * The record is a directory of symbolic links: a link holds any path, and is there whole or not at all. It only grows; a person may
 * remove a link.
 */
import { sha256Hex } from '../../sys/crypto-lazy.ts';
import { linkTarget, makeDirectory, makeLink, namesIn } from '../../sys/files/text-files.ts';
import { stateDirectory } from '../../sys/host/state-directory.ts';
import { makeSessionsDirectory } from './state-directory.ts';

/** The directory of the links: one for each real path, under any name. */
export function directRecord(): string {
  return `${stateDirectory()}/direct`;
}

/** Notes real paths that a view passes through. Throws a SystemError or a UserError when that cannot be. */
export function noteDirect(paths: readonly string[]): void {
  if (paths.length === 0) return;
  makeSessionsDirectory();
  const record = directRecord();
  makeDirectory(record, 0o700);
  for (const path of paths) makeLink(`${record}/${sha256Hex(path).slice(0, 32)}`, path);
}

/** Whether a view may have written on the host in `directory`, a real path. Throws a SystemError where the record cannot be read. */
export function wasDirect(directory: string): boolean {
  const record = directRecord();
  return namesIn(record).some((name) => {
    const path = linkTarget(`${record}/${name}`);
    return path !== undefined && `${directory}/`.startsWith(`${path}/`);
  });
}
