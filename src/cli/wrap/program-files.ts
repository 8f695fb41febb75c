/** Which files start when a program is started: through links, a script's interpreter, and what a package manager's script leads to. */
import { dirname, isAbsolute, join } from 'node:path';
import { SystemError } from '../../sys/errno.ts';
import { isExecutable, lookAt, readStart, realPath } from '../../sys/files/text-files.ts';

/** So much of a script is looked at. */
const SCRIPT_BYTES = 8192;
/** As pnpm and the like write it: a script beside the packages that starts a file of one of them. */
const SHIM_TARGET = /"\$basedir\/([^"$]+)"/g;

/** The absolute path of a program that the shell would find; undefined when there is none. */
export function findProgram(name: string): string | undefined {
  if (name.includes('/')) return isExecutable(name) ? realPath(name) : undefined;
  const dirs = (process.env.PATH ?? '').split(':').filter((dir) => dir.startsWith('/'));
  return dirs.map((dir) => join(dir, name)).find((path) => isExecutable(path) && !lookAt(path)?.isDirectory());
}

/** Without symlinks, the program itself first. */
export function programFiles(program: string): readonly string[] {
  const found = new Set<string>();
  const open = [program];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const real = realIfPossible(path);
    if (real === undefined || found.has(real)) continue;
    found.add(real);
    open.push(...startedBy(real));
  }
  return [...found];
}

function startedBy(script: string): readonly string[] {
  const text = textOf(script);
  if (!text.startsWith('#!')) return [];
  const words = text.slice(2, text.indexOf('\n')).trim().split(/\s+/);
  const [interpreter = '', ...others] = words;
  const name = interpreter.endsWith('/env') ? others.find((word) => !/^-|=/.test(word)) : undefined;
  const targets = [...text.matchAll(SHIM_TARGET)].map(([, target = '']) => join(dirname(script), target));
  return [interpreter, name && findProgram(name), ...targets].filter(
    (path): path is string => path !== undefined && isAbsolute(path),
  );
}

function realIfPossible(path: string): string | undefined {
  try {
    return realPath(path);
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

function textOf(path: string): string {
  try {
    return readStart(path, SCRIPT_BYTES) ?? '';
  } catch (error) {
    // A program need not be readable.
    if (error instanceof SystemError) return '';
    throw error;
  }
}
