/**
 * Tries accesses and prints, as a JSON list, how each came out: `ok` or the code of the error.
 *
 *     access-main.js '[["read","/p/a"],["rename","/p/a","/p/b"]]'
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';

type Try = (path: string, other: string) => unknown;

const opening =
  (flags: number): Try =>
  (path) =>
    fs.closeSync(fs.openSync(path, flags));
const { O_RDONLY, O_WRONLY, O_RDWR, O_TRUNC, O_APPEND, O_CREAT, O_EXCL } = fs.constants;

const TRIES: Readonly<Record<string, Try>> = {
  read: (path) => fs.readFileSync(path),
  write: opening(O_WRONLY),
  rdwr: opening(O_RDWR),
  trunc: opening(O_WRONLY | O_TRUNC),
  'rdonly-trunc': opening(O_RDONLY | O_TRUNC),
  append: opening(O_WRONLY | O_APPEND),
  create: opening(O_WRONLY | O_CREAT | O_EXCL),
  exec: (path) => execFileSync(path),
  mkdir: (path) => fs.mkdirSync(path),
  symlink: (path) => fs.symlinkSync('anywhere', path),
  unlink: (path) => fs.unlinkSync(path),
  rmdir: (path) => fs.rmdirSync(path),
  rename: (path, other) => fs.renameSync(path, other),
  link: (path, other) => fs.linkSync(path, other),
  chmod: (path) => fs.chmodSync(path, 0o700),
  utimes: (path) => fs.utimesSync(path, 1, 2),
  truncate: (path) => fs.truncateSync(path, 1),
  list: (path) => fs.readdirSync(path),
  stat: (path) => fs.lstatSync(path),
  access: (path) => fs.accessSync(path, fs.constants.R_OK),
  readlink: (path) => fs.readlinkSync(path),
};

const asked = JSON.parse(process.argv[2] ?? '[]') as [string, string, string?][];
process.stdout.write(JSON.stringify(asked.map(([what, path, other = '']) => outcome(what, path, other))));

function outcome(what: string, path: string, other: string): string {
  try {
    TRIES[what]?.(path, other);
    return 'ok';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
