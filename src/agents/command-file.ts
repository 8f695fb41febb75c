/**
 * Commands too long for a command line travel in a file: the hook writes it, `yolofs run` takes it, outside of the
 * view on both sides. It lies alone in a directory that only this user can enter, and is gone once it was taken.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { lookAt, makeTemporaryDirectory, readText, removeTree, writeNewText } from '../sys/files/text-files.ts';

const DIRECTORY_PREFIX = 'yolofs-command-';
const FILE = 'command';

/** Writes `text` to a fresh private file, in the directory that `env` has for such, and returns its absolute path. */
export function writeCommandFile(text: string, env = process.env): string {
  const directory = resolve(env.TMPDIR || '/tmp');
  const path = join(makeTemporaryDirectory(join(directory, DIRECTORY_PREFIX)), FILE);
  writeNewText(path, text, 0o600);
  return path;
}

/**
 * Whether `path` is a file that `writeCommandFile` made for this user. The check matters because taking removes:
 * an agent may write any path into the command that its hook then lets pass.
 */
export function isCommandFile(path: string): boolean {
  const dir = dirname(path);
  if (basename(path) !== FILE || !basename(dir).startsWith(DIRECTORY_PREFIX)) return false;
  const [holder, file] = [lookAt(dir), lookAt(path)];
  if (holder?.isDirectory() !== true || file?.isFile() !== true) return false;
  const me = process.getuid?.();
  return holder.uid === me && file.uid === me && (holder.mode & 0o077) === 0;
}

/** Reads the command and removes its file; undefined when `path` is not a command file. */
export function takeCommandFile(path: string): string | undefined {
  if (!isCommandFile(path)) return undefined;
  const text = readText(path);
  removeTree(dirname(path));
  return text;
}
