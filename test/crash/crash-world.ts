/** A session without a mount whose process may die: what it looks like, and how the next process finds it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { LiveView } from '../../src/daemon/live-view.ts';
import type { Entry } from '../../src/fuse/filesystem.ts';
import { unfinishedCommits } from '../../src/history/commit/runner/places.ts';
import { recoverCommits } from '../../src/history/commit/runner/recover.ts';
import type { Layout } from '../../src/history/layout.ts';
import type { BytePath, NodeId } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../../src/sys/stat.ts';
import { layoutOf } from '../history/registry/layouts.ts';
import { ViewDriver } from '../staging/view-driver.ts';
import { isRoot } from '../support/accounts.ts';
import { diffTrees, readTree, type TreeEntry } from '../support/tree.ts';
import type { Watch } from './faults.ts';

export interface Place {
  readonly root: string;
  /** The directory whose files change; the session lies beside it. */
  readonly base: string;
  readonly layout: Layout;
}

export function placeAt(root: string): Place {
  return { root, base: `${root}/base`, layout: layoutOf(`${root}/session`) };
}

/** All that can be compared of a session: what is really there, and what the view shows. */
export interface Looks {
  readonly base: readonly TreeEntry[];
  readonly view: readonly TreeEntry[];
}

export class CrashWorld {
  readonly place: Place;
  #live: LiveView | undefined;
  readonly #mounts: string[] = [];

  private constructor(root: string) {
    this.place = placeAt(root);
  }

  /** A place for a session; in memory where this user can have that: nothing here is about power cuts. */
  static make(): CrashWorld {
    const world = new CrashWorld(fs.mkdtempSync('/var/tmp/yolofs-crash-'));
    if (isRoot) world.#mount(world.place.root);
    fs.mkdirSync(world.place.layout.dir, { recursive: true });
    fs.mkdirSync(world.place.base);
    return world;
  }

  /** One that another process has made. */
  static at(root: string): CrashWorld {
    return new CrashWorld(root);
  }

  get live(): LiveView {
    assert.ok(this.#live !== undefined, 'the session is open');
    return this.#live;
  }

  /** A directory of the base that is another file system. */
  mountOther(): void {
    fs.mkdirSync(`${this.place.base}/other`);
    this.#mount(`${this.place.base}/other`);
  }

  /** Recovers and serves the session, as a daemon that starts does. */
  async open(): Promise<void> {
    const recoveries = await recoverCommits(this.place.layout);
    const complaints = recoveries.flatMap(({ says, complaints }) => complaints.map((line) => `${says}: ${line}`));
    assert.deepEqual(complaints, [], 'recovery');
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, groups: [], mapsAll: true };
    this.#live = new LiveView({ layout: this.place.layout, owner, durable: true, maxFiles: 64, rules: [] });
  }

  async reopen(): Promise<void> {
    await this.leave();
    await this.open();
  }

  /** Serves it no more. */
  async leave(): Promise<void> {
    await this.#live?.close();
    this.#live = undefined;
  }

  /** The process is gone; what it would still do on its way out does not happen. */
  async bury(watch: Watch): Promise<void> {
    await this.#live?.close().catch(() => undefined);
    this.#live = undefined;
    watch.end();
  }

  /** Whether a commit or an undo is left for the next start to mend. */
  get isUnfinished(): boolean {
    return unfinishedCommits(this.place.layout).length > 0;
  }

  look(): Looks {
    return { base: treeOf(this.place), view: viewOf(this.live, this.place) };
  }

  async close(): Promise<void> {
    await this.leave();
    // A test that fails may have files open there.
    for (const point of this.#mounts.splice(0).reverse()) execFileSync('umount', ['-l', point]);
    fs.rmSync(this.place.root, { recursive: true, force: true });
  }

  #mount(point: string): void {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'none', point]);
    this.#mounts.push(point);
  }
}

/** Hard links by their groups: the backups have some of their names. */
function treeOf({ base }: Place): TreeEntry[] {
  return readTree(base, { mtime: true, ino: true }).map(({ nlink: _, ...entry }) => entry);
}

/** What a commit and an undo leave as it is: all but the times of directories and link counts. */
function viewOf(live: LiveView, { base }: Place): TreeEntry[] {
  const driver = new ViewDriver(live.overlay);
  const found: TreeEntry[] = [];
  const walk = (dir: NodeId, path: string): void => {
    for (const name of driver.namesIn(dir)) {
      const entry = live.overlay.lookup(dir, name);
      assert.ok(typeof entry === 'object' && 'stat' in entry, `lookup of ${path}${name}`);
      const { mode, uid, gid, mtimeSec, mtimeNsec } = entry.stat;
      const isDirectory = (mode & S_IFMT) === S_IFDIR;
      const mtime = isDirectory ? '' : `${mtimeSec}.${mtimeNsec}`;
      found.push({ path: path + name, type: String(mode), mode, uid, gid, mtime, target: contentOf(live, entry) });
      if (isDirectory) walk(entry.nodeId, `${path}${name}/`);
    }
  };
  walk(driver.resolve(base as BytePath) as NodeId, '');
  return found;
}

function contentOf({ overlay }: LiveView, { nodeId, stat }: Entry): string {
  const type = stat.mode & S_IFMT;
  if (type === S_IFLNK) return String(overlay.readlink(nodeId));
  if (type !== S_IFREG) return '';
  const content = Buffer.alloc(stat.size);
  assert.equal(overlay.read(nodeId, 0, content), stat.size, 'read');
  return content.toString('latin1');
}

/** Temporary names that anything has left, and logs that are not finished. */
export function leftovers({ base, layout }: Place): string[] {
  const names = fs.readdirSync(base, { recursive: true, encoding: 'utf8' });
  const unfinished = unfinishedCommits(layout).map((number) => `commits/${number}`);
  return [...names.filter((name) => name.includes('.yolofs-')), ...unfinished];
}

/** What is different, one line each. */
export function differences(expected: Looks, actual: Looks): string[] {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  return [
    ...diffTrees(expected.base, actual.base).map((line) => `base: ${line}`),
    ...diffTrees(expected.view, actual.view).map((line) => `view: ${line}`),
  ];
}
