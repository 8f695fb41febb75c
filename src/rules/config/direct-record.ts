/**
 * Where views have ever written on the host without staging (`direct`). Nothing there is taken for a session: its files could be an
 * agent's, and a journal or a half-done commit tells a daemon outside what to write, a socket whom to believe.
 *
 * The record is a directory of symbolic links that no view can change (`ownRules` of defaults.ts): a link holds any path, and is there
 * whole or not at all. The launcher reads it, too (cli/launcher). It only grows; a person may remove a link.
 */
import { homedir } from 'node:os';
import { linkTarget, namesIn } from '../../sys/files/text-files.ts';

/** Where what the user has settled lies. */
export function userDirectory(): string {
  return `${homedir()}/.config/yolofs`;
}

/** The directory of the links: one for each real path, under any name. */
export function directRecord(): string {
  return `${userDirectory()}/direct`;
}

/** Whether a view may have written on the host in `directory`, a real path. Throws a SystemError where the record cannot be read. */
export function wasDirect(directory: string): boolean {
  const record = directRecord();
  return namesIn(record).some((name) => {
    const path = linkTarget(`${record}/${name}`);
    return path !== undefined && `${directory}/`.startsWith(`${path}/`);
  });
}
