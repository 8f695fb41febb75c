/** What belongs to a program that is installed below somebody's home directory, where files are asked about: it has to read itself. */
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lookAt, realPath } from '../../sys/files/text-files.ts';

/** Where each account has a directory, as the built-in rules have it. */
const HOMES = /^(?:\/root|\/home\/[^/]+)(?=\/)/;

/**
 * Paths that the program has to read, itself among them; `real` is its path without symlinks, both are absolute. None when it is
 * below no home directory: the system is readable. A directory that also holds other things is never one of them.
 */
export function installationOf(real: string, home: string): readonly string[] {
  const above = real.startsWith(`${home}/`) ? home : HOMES.exec(real)?.[0];
  if (above === undefined) return [];
  // The outermost one: pnpm has the packages that a package needs beside it, in directories of their own.
  const modules = real.indexOf('/node_modules/', above.length);
  if (modules >= 0) return [real.slice(0, modules + '/node_modules'.length)];
  const parent = dirname(real);
  if (isNamedAfter(real, above)) return [parent];
  // As Node has it: what `bin/node` loads is in `lib`.
  return basename(parent) === 'bin' && dirname(parent) !== above ? [real, join(dirname(parent), 'lib')] : [real];
}

/** What this program and the Node that runs it are made of. */
export function ownInstallation(home: string): readonly string[] {
  const own = packageOf(fileURLToPath(import.meta.url));
  // In a checkout the libraries may be a link.
  const started = [own, join(own, 'node_modules'), process.execPath];
  return [...new Set(started.flatMap((path) => installationOf(realPath(path) ?? path, home)))];
}

/** The nearest directory above with a manifest; `file` itself where there is none. */
function packageOf(file: string): string {
  for (let dir = dirname(file); dir !== dirname(dir); dir = dirname(dir)) {
    if (lookAt(join(dir, 'package.json')) !== undefined) return dir;
  }
  return file;
}

/** It is in a directory of its own: one that it is called after, or a version in that. */
function isNamedAfter(real: string, home: string): boolean {
  const [name, ...above] = real
    .slice(home.length + 1)
    .split('/')
    .reverse();
  return above[0] !== 'bin' && above.some((part) => part === name || part === `.${name}`);
}
