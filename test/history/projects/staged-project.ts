/**
 * A base directory with some files, and a view of it in this process (no mount), for tests of what history says
 * and does about staged changes. Paths are relative to the base directory.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import { OwnChanges } from '../../../src/history/commit/conflict/own-changes.ts';
import { netChanges, type PathChange } from '../../../src/history/diff/changes.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { rangeChanges } from '../../../src/history/diff/range-changes.ts';
import { refreshFromBase } from '../../../src/history/past/refresh.ts';
import type { Overlay } from '../../../src/staging/overlay.ts';
import type { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Gen, NodeId } from '../../../src/sys/bytes.ts';
import { label, toBytes } from '../../../src/sys/bytes.ts';
import { RENAME_EXCHANGE } from '../../../src/sys/libc.ts';
import { encodeText } from '../../../src/sys/text/encoding.ts';
import { openView, type TestView } from '../../staging/session-parts.ts';
import { ViewDriver } from '../../staging/view-driver.ts';

const CALLER = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, pid: 0, ticket: 0 as Ticket };

export class StagedProject {
  view: TestView;
  driver: ViewDriver;
  /** The directory that holds the store, and the logs of commits. */
  readonly top: string;
  #commits = 0;
  readonly ownChanges: OwnChanges;

  /** `dir`: where the base directory is to be made; by default beside the store. */
  constructor(dir?: string) {
    const view = openView();
    this.top = view.dir.slice(0, view.dir.lastIndexOf('/'));
    this.view = dir === undefined ? view : { ...view, dir: dir as BytePath };
    this.driver = new ViewDriver(view.overlay);
    fs.mkdirSync(this.view.dir);
    this.ownChanges = new OwnChanges(`${view.dir}-touches`);
  }

  /** Absolute path in the view and the base. */
  at(path: string): BytePath {
    return (path === '' ? this.view.dir : `${this.view.dir}/${toBytes(path)}`) as BytePath;
  }

  /** Puts files (content) and directories (name ending in `/`) into the base. */
  base(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      const at = `${this.view.dir}/${path}`;
      fs.mkdirSync(path.endsWith('/') ? at : at.slice(0, at.lastIndexOf('/')), { recursive: true });
      if (!path.endsWith('/')) fs.writeFileSync(at, content);
    }
  }

  /** Where the next commit may keep its log. */
  nextLog(): BytePath {
    this.#commits += 1;
    return `${this.top}/commits/${this.#commits}` as BytePath;
  }

  /** As if the base had been what it is now from the beginning. */
  takeStock(): this {
    refreshFromBase(this.view.tree, new Facts(this.view.base, this.view.store));
    return this;
  }

  /** Runs something natively in the base directory. */
  native<T>(act: (dir: string) => T): T {
    return act(this.view.dir);
  }

  /** Writes a whole file in the view as `>` does: made if missing, emptied if not. */
  write(path: string, content: string): this {
    if (this.driver.resolve(this.at(path)) < 0) this.#ok(this.driver.create(this.at(path), 0o644), `create ${path}`);
    else this.#ok(this.driver.truncate(this.at(path), 0), `truncate ${path}`);
    if (content !== '')
      this.#ok(this.driver.write(this.at(path), 0, encodeText(content).toString('latin1')), `write ${path}`);
    return this;
  }

  append(path: string, content: string): this {
    const attr = this.view.overlay.getattr(this.#node(path));
    assert.ok(typeof attr === 'object');
    return this.#ok(
      this.driver.write(this.at(path), attr.stat.size, encodeText(content).toString('latin1')),
      `append ${path}`,
    );
  }

  mkdir(path: string, mode = 0o755): this {
    return this.#ok(this.driver.mkdir(this.at(path), mode), `mkdir ${path}`);
  }

  symlink(target: string, path: string): this {
    return this.#ok(this.driver.symlink(target, this.at(path)), `symlink ${path}`);
  }

  link(existing: string, path: string): this {
    return this.#ok(this.driver.link(this.at(existing), this.at(path)), `link ${path}`);
  }

  rm(path: string): this {
    return this.#ok(this.driver.unlink(this.at(path)), `unlink ${path}`);
  }

  rmdir(path: string): this {
    return this.#ok(this.driver.rmdir(this.at(path)), `rmdir ${path}`);
  }

  /** `rm -r`. */
  rmTree(path: string): this {
    for (const name of this.driver.list(this.at(path))) {
      const child = `${path}/${label(name)}`;
      const attr = this.view.overlay.getattr(this.#node(child));
      assert.ok(typeof attr === 'object');
      if ((attr.stat.mode & 0o170000) === 0o040000) this.rmTree(child);
      else this.rm(child);
    }
    return this.rmdir(path);
  }

  mv(from: string, to: string): this {
    return this.#ok(this.driver.rename(this.at(from), this.at(to)), `rename ${from} ${to}`);
  }

  exchange(a: string, b: string): this {
    return this.#ok(this.driver.rename(this.at(a), this.at(b), RENAME_EXCHANGE), `exchange ${a} ${b}`);
  }

  chmod(path: string, mode: number): this {
    return this.#ok(this.driver.chmod(this.at(path), mode), `chmod ${path}`);
  }

  chown(path: string, uid: number, gid: number): this {
    const result = this.view.overlay.setattr(this.#node(path), { uid, gid }, CALLER);
    return this.#ok(typeof result === 'number' ? result : 0, `chown ${path}`);
  }

  utimes(path: string, mtime: { sec: number; nsec: number }): this {
    const result = this.view.overlay.setattr(this.#node(path), { atime: mtime, mtime }, CALLER);
    return this.#ok(typeof result === 'number' ? result : 0, `utimes ${path}`);
  }

  setxattr(path: string, name: string, value: string): this {
    return this.#ok(
      this.view.overlay.setxattr(this.#node(path), name, Buffer.from(value), 0, CALLER),
      `setxattr ${path}`,
    );
  }

  mkfifo(path: string): this {
    const slash = path.lastIndexOf('/');
    const dir = slash < 0 ? '' : path.slice(0, slash);
    const node = { mode: 0o010600, rdev: 0, umask: 0 };
    const made = this.view.overlay.mknod(this.#node(dir), toBytes(path.slice(slash + 1)) as never, node, CALLER);
    return this.#ok(typeof made === 'number' ? made : 0, `mkfifo ${path}`);
  }

  changes(options: { expand?: boolean } = {}): PathChange[] {
    const { tree, base, store } = this.view;
    return [...netChanges({ tree, base, store, ...options })];
  }

  /** The net changes as lines, e.g. `renamed file b < a`. */
  lines(options: { expand?: boolean } = {}): string[] {
    return this.changes(options).map((change) => this.line(change));
  }

  /** The changes that the records from number `first` on amount to, as lines. */
  rangeLines(first: number): string[] {
    const { recorder, base, store } = this.view;
    const records = recorder.records.slice(first).map(({ mutation }) => mutation);
    return [...rangeChanges(records, { base, store })].map((change) => this.line(change));
  }

  /** How many records there are: where a range may begin. */
  get records(): number {
    return this.view.recorder.records.length;
  }

  /** What a snapshot does: from now on content is copied before it is written. */
  snapshot(): this {
    this.view.recorder.generation = (this.view.recorder.generation + 1) as Gen;
    return this;
  }

  /** From here on the view is another one, over the same base and store. */
  serve(tree: OverrideTree, overlay: Overlay): void {
    this.view = { ...this.view, tree, overlay };
    this.driver = new ViewDriver(overlay);
  }

  line({ path, change, type, from }: PathChange): string {
    const relative = (p: BytePath): string => label(p === this.view.dir ? '.' : p.slice(this.view.dir.length + 1));
    return `${change} ${type} ${relative(path)}${from === undefined ? '' : ` < ${relative(from)}`}`;
  }

  close(): void {
    // Only root removes what is in a read-only directory, and a start of chmod takes longer than most tests.
    if (process.getuid?.() !== 0)
      execFileSync('chmod', ['-R', 'u+rwX', this.view.dir.slice(0, this.view.dir.lastIndexOf('/'))]);
    this.view.base.shed();
    this.view.close();
  }

  #node(path: string): NodeId {
    const node = this.driver.resolve(this.at(path));
    assert.ok(node > 0, `${path} is not there`);
    return node as NodeId;
  }

  #ok(errno: number, what: string): this {
    assert.equal(errno, 0, what);
    return this;
  }
}

/** Runs a test with a project and takes it away afterwards. */
export async function withProject(
  files: Readonly<Record<string, string>>,
  run: (project: StagedProject) => unknown,
): Promise<void> {
  const project = new StagedProject();
  try {
    project.base(files);
    await run(project);
  } finally {
    project.close();
  }
}
