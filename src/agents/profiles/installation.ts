/** What belongs to a program that is installed below the home directory, where files are asked about. */
import { basename, dirname, join } from 'node:path';

/**
 * Paths that the program has to read, itself among them; `real` is its path without symlinks, both are absolute. None when it is
 * not below `home`: the system is readable. A directory that also holds other things is never one of them.
 */
export function installationOf(real: string, home: string): readonly string[] {
  if (!real.startsWith(`${home}/`)) return [];
  const modules = real.lastIndexOf('/node_modules/');
  if (modules >= home.length) return [real.slice(0, modules + '/node_modules'.length)];
  const parent = dirname(real);
  if (isNamedAfter(real, home)) return [parent];
  // As Node has it: what `bin/node` loads is in `lib`.
  return basename(parent) === 'bin' && dirname(parent) !== home ? [real, join(dirname(parent), 'lib')] : [real];
}

/** It is in a directory of its own: one that it is called after, or a version in that. */
function isNamedAfter(real: string, home: string): boolean {
  const [name, ...above] = real
    .slice(home.length + 1)
    .split('/')
    .reverse();
  return above[0] !== 'bin' && above.some((part) => part === name || part === `.${name}`);
}
