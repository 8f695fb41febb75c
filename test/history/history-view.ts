/**
 * A session with its real history and a view of it in this process (no mount): a base directory, the journal, the
 * tree store, and ways to see the same session again from the disk.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Layout } from '../../src/history/layout.ts';
import { loadSession } from '../../src/history/timeline/load.ts';
import { SessionHistory } from '../../src/history/timeline/session-history.ts';
import { HostTree } from '../../src/staging/host-tree.ts';
import { ObjectStore } from '../../src/staging/object-store.ts';
import { Overlay } from '../../src/staging/overlay.ts';
import type { OverrideTree } from '../../src/staging/override-tree.ts';
import type { Recorder } from '../../src/staging/recorder.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { EROFS } from '../../src/sys/errno.ts';
import { ViewDriver } from '../staging/view-driver.ts';
import { dumpTree } from './dump-tree.ts';
import { layoutOf } from './registry/layouts.ts';

/** One for all tests: it never gives the descriptor of the root back. */
const base = new HostTree({ hidden: [], empty: ['/proc' as BytePath] });

/** Lets nothing through: a view that is only looked at. */
const frozen: Recorder = { generation: 0 as Gen, record: () => EROFS, expect: () => undefined, sync: () => EROFS };
const noNumbers = { nextObject: () => 0 as ObjectId, nextIno: () => 0 as Ino };

export class HistoryView {
  readonly root = mkdtempSync(join(tmpdir(), 'yolofs-view-'));
  /** The base directory of the test; the session lies outside. */
  readonly dir = `${this.root}/base` as BytePath;
  readonly layout: Layout = layoutOf(`${this.root}/session`);
  readonly notes: string[] = [];
  history: SessionHistory;
  tree: OverrideTree;
  overlay: Overlay;
  driver: ViewDriver;
  #store: ObjectStore;

  constructor(fill: (dir: string) => void) {
    mkdirSync(this.layout.dir, { recursive: true });
    mkdirSync(this.dir);
    fill(this.dir);
    const opened = this.#open();
    this.history = opened.history;
    this.tree = opened.tree;
    this.#store = new ObjectStore(this.layout.files);
    this.overlay = this.#overlay(this.tree, this.history);
    this.driver = new ViewDriver(this.overlay);
  }

  /** Ends the process that serves the view, as `kill -9` would: nothing is flushed. Then a new one begins. */
  async restart(): Promise<void> {
    closeContents(this.overlay);
    await this.history.close();
    const opened = this.#open();
    this.history = opened.history;
    this.tree = opened.tree;
    this.overlay = this.#overlay(this.tree, this.history);
    this.driver = new ViewDriver(this.overlay);
  }

  /** The tree as the view shows it, and as it is kept. Looking at everything makes all names of links known. */
  see(): { image: unknown; dump: string } {
    return { image: this.driver.image(this.dir), dump: dumpWithoutCtime(this.tree) };
  }

  /** The same, by another process that reads the session from the disk, with or without the tree store. */
  async seeFromDisk(options: { readonly store: boolean }): Promise<{ image: unknown; dump: string }> {
    const layout = options.store ? this.layout : { ...this.layout, tree: `${this.root}/none.mdb` };
    const session = loadSession(layout, { readOnly: true, onNote: (text) => this.notes.push(text) });
    if (session === undefined) throw new Error('no session');
    const overlay = this.#overlay(session.tree, frozen);
    const seen = { image: new ViewDriver(overlay).image(this.dir), dump: dumpWithoutCtime(session.tree) };
    closeContents(overlay);
    await session.close();
    return seen;
  }

  /** What a view of another tree over the same base and store shows. */
  imageOf(tree: OverrideTree): unknown {
    const overlay = this.#overlay(tree, frozen);
    const image = new ViewDriver(overlay).image(this.dir);
    return image;
  }

  async close(): Promise<void> {
    closeContents(this.overlay);
    base.shed();
    await this.history.close();
    this.#store.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  #open(): { history: SessionHistory; tree: OverrideTree } {
    const whoIs = (pid: number): { run: number; name: string } => ({ run: pid === 0 ? 0 : 1, name: 'test' });
    return SessionHistory.open(this.layout, { whoIs, onNote: (text) => this.notes.push(text) });
  }

  #overlay(tree: OverrideTree, recorder: Recorder): Overlay {
    return new Overlay({
      ...{ tree, base, store: this.#store, recorder },
      numbers: recorder instanceof SessionHistory ? recorder : noNumbers,
      owner: { uid: 0, gid: 0, groups: [0], mapsAll: true },
      maxFiles: 64,
    });
  }
}

/** Gives back the descriptors of an overlay that is not used any more. */
function closeContents(overlay: Overlay): void {
  overlay.treeSwitch.rebase();
}

/** A change of nothing but the ctime is not recorded on purpose: nobody can set it, and commit cannot keep it. */
function dumpWithoutCtime(tree: OverrideTree): string {
  return dumpTree(tree)
    .replace(/,ctime=[\d.-]+/g, '')
    .replace(/ ctime=[\d.-]+/g, ' -');
}
