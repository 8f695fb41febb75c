/** The same operations as StagedProject's, on a plain directory: the judge of what a commit should leave behind. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as libc from '../../../src/sys/libc.ts';

export class NativeTwin {
  readonly dir: string;

  /** A copy of `original`, hard links, owners, modes and times included. */
  constructor(original: string) {
    this.dir = `${original}-twin`;
    execFileSync('cp', ['-a', '--sparse=always', original, this.dir]);
  }

  #at(path: string): string {
    return path === '' ? this.dir : `${this.dir}/${path}`;
  }

  write(path: string, content: string): this {
    fs.writeFileSync(this.#at(path), content);
    return this;
  }

  append(path: string, content: string): this {
    fs.appendFileSync(this.#at(path), content);
    return this;
  }

  mkdir(path: string, mode = 0o755): this {
    fs.mkdirSync(this.#at(path), mode);
    fs.chmodSync(this.#at(path), mode);
    return this;
  }

  symlink(target: string, path: string): this {
    fs.symlinkSync(target, this.#at(path));
    return this;
  }

  link(existing: string, path: string): this {
    fs.linkSync(this.#at(existing), this.#at(path));
    return this;
  }

  rm(path: string): this {
    fs.unlinkSync(this.#at(path));
    return this;
  }

  rmdir(path: string): this {
    fs.rmdirSync(this.#at(path));
    return this;
  }

  rmTree(path: string): this {
    fs.rmSync(this.#at(path), { recursive: true });
    return this;
  }

  mv(from: string, to: string): this {
    fs.renameSync(this.#at(from), this.#at(to));
    return this;
  }

  exchange(a: string, b: string): this {
    libc.renameAt2(libc.AT_FDCWD, this.#at(a), libc.AT_FDCWD, this.#at(b), libc.RENAME_EXCHANGE);
    return this;
  }

  chmod(path: string, mode: number): this {
    fs.chmodSync(this.#at(path), mode);
    return this;
  }

  chown(path: string, uid: number, gid: number): this {
    fs.lchownSync(this.#at(path), uid, gid);
    return this;
  }

  utimes(path: string, mtime: { sec: number; nsec: number }): this {
    const times = { atimeSec: mtime.sec, atimeNsec: mtime.nsec, mtimeSec: mtime.sec, mtimeNsec: mtime.nsec };
    libc.utimesAt(libc.AT_FDCWD, this.#at(path), times);
    return this;
  }

  setxattr(path: string, name: string, value: string): this {
    libc.setxattrAt(libc.AT_FDCWD, this.#at(path), name, Buffer.from(value));
    return this;
  }

  mkfifo(path: string): this {
    libc.mknodAt(libc.AT_FDCWD, this.#at(path), 0o010600, 0);
    return this;
  }
}

/** What both the view and a plain directory can do. */
export type Operations = {
  [K in keyof Omit<NativeTwin, 'dir'>]: (...args: Parameters<NativeTwin[K]>) => Operations;
};
