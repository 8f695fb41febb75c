/** A view that travels, in this process: behind a simulated kernel that believes what it was told, beside full copies. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { LiveSession } from '../../src/daemon/orders/live-session.ts';
import { travel } from '../../src/daemon/orders/travel.ts';
import { SourceCommits } from '../../src/daemon/sources/commit-sources.ts';
import { MergeBases } from '../../src/history/commit/conflict/merge-bases.ts';
import { OwnChanges } from '../../src/history/commit/conflict/own-changes.ts';
import { initialState } from '../../src/history/log/session-state.ts';
import { Markers } from '../../src/history/timeline/markers.ts';
import { replay } from '../../src/history/timeline/replay.ts';
import { currentEpoch } from '../../src/history/timeline/segments.ts';
import { SessionHistory } from '../../src/history/timeline/session-history.ts';
import { treeAt } from '../../src/history/timeline/state-at.ts';
import { HostTree } from '../../src/staging/host-tree.ts';
import { ObjectStore } from '../../src/staging/object-store.ts';
import { Overlay } from '../../src/staging/overlay.ts';
import { OverrideTree } from '../../src/staging/override-tree.ts';
import type { Recorder } from '../../src/staging/recorder.ts';
import { Quota } from '../../src/staging/store/quota.ts';
import { type Gen, type Ino, type ObjectId, toBytePath } from '../../src/sys/bytes.ts';
import { EROFS } from '../../src/sys/errno.ts';
import { dumpTree } from '../history/dump-tree.ts';
import { layoutOf } from '../history/registry/layouts.ts';
import { differences, type Image, readImage, removeTree, writeImage } from '../model/history/image.ts';
import { FakeKernel } from '../model/history/kernel.ts';
import { carryOut, type Sides } from '../model/history/operations.ts';
import type { FileStep } from '../model/history/steps.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };
const FROZEN: Recorder = { generation: 0 as Gen, record: () => EROFS, expect: () => undefined, sync: () => EROFS };
const NO_NUMBERS = { nextObject: () => 0 as ObjectId, nextIno: () => 0 as Ino };

export class TravellingView {
  readonly #root = fs.mkdtempSync('/var/tmp/yolofs-switch-');
  readonly #base = `${this.#root}/base`;
  readonly #judge = `${this.#root}/judge`;
  readonly #layout = layoutOf(`${this.#root}/session`);
  readonly #images = new Map<number, Image>();
  readonly #host: HostTree;
  readonly #store: ObjectStore;
  #history!: SessionHistory;
  #tree!: OverrideTree;
  #markers!: Markers;
  #overlay!: Overlay;
  #sides!: Sides;

  constructor(fill: (dir: string) => void) {
    for (const dir of [this.#base, this.#judge, this.#layout.dir]) fs.mkdirSync(dir, { recursive: true });
    fill(this.#base);
    writeImage(this.#judge, readImage(this.#base));
    this.#images.set(0, readImage(this.#base));
    // Nothing changes the base, and the simulated kernel is to remember all of it for long.
    this.#host = new HostTree({ hidden: [], empty: [], watch: () => true });
    this.#store = new ObjectStore(this.#layout.files);
    this.#open();
  }

  get generation(): number {
    return this.#history.generation;
  }

  /** A process in the view, and one in the judge's directory, do the same. */
  do(step: FileStep): void {
    carryOut(this.#sides, step);
  }

  snapshot(): void {
    this.#history.snapshot('s');
    this.#images.set(this.generation, readImage(this.#judge));
  }

  /** Goes there, and checks everything that anybody could see. */
  travel(target: number): void {
    const held = this.#sides.held.map(({ node }) => ({ node, text: this.#sides.kernel.read(node) }));
    const before = readImage(this.#judge);
    this.#probe(before);
    const done = travel(this.#session(), String(target));
    if (done.snapshot) this.#images.set(done.from, before);
    this.#sides.kernel.forget(done.invalidations);
    const image = this.#images.get(target) as Image;
    this.#images.set(done.generation, image);
    writeImage(this.#judge, image);
    assert.equal(dumpTree(this.#tree), dumpTree(this.#target(target)), 'the live tree is the target');
    for (const { node, text } of held) assert.equal(this.#sides.kernel.read(node), text, 'an open file');
    this.#probe(image);
    this.#same(this.#sides.kernel.image(), image, `what a process sees at ${target}`);
    this.#writeToOrphans(image);
    for (const { fd } of this.#sides.held.splice(0)) fs.closeSync(fd);
    this.#same(this.#freshImage(target), image, `a fresh view of ${target}`);
  }

  #session(): LiveSession {
    const [history, markers, overlay, layout] = [this.#history, this.#markers, this.#overlay, this.#layout];
    const ask = (): Promise<never> => Promise.reject(new Error('there are no sources'));
    return {
      ...{ layout, project: toBytePath(layout.project), history, markers, overlay },
      ...{ tree: this.#tree, base: this.#host, store: this.#store, quota: new Quota(this.#store, () => 0) },
      ownChanges: new OwnChanges(layout.ownChanges),
      mergeBases: new MergeBases(layout.mergeBases),
      sources: new SourceCommits({ layout, places: new Map(), ask }),
    };
  }

  /** Looks for every name that there ever was: also that something is not there is remembered. */
  #probe(image: Image): void {
    const isDirectory = (path: string): boolean => path === '' || image.get(path)?.type === 'directory';
    const paths = new Set([...this.#images.values()].flatMap((each) => [...each.keys()]));
    for (const path of paths) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (isDirectory(parent)) assert.equal(this.#sides.kernel.find(path) !== 0, image.has(path), path);
    }
  }

  /** What was held open and has no name now takes writes, and nobody sees them. */
  #writeToOrphans(image: Image): void {
    const { kernel, held } = this.#sides;
    const size = this.#history.journal.size;
    for (const { node } of held) {
      const reply = this.#overlay.getattr(node);
      if (typeof reply === 'number' || reply.stat.nlink > 0) continue;
      kernel.write(node, 0, 'orphan');
      kernel.write(node, 3, 'written');
      assert.match(kernel.read(node), /^orpwritten/);
    }
    assert.equal(this.#history.journal.size, size, 'nothing of it is recorded');
    this.#same(kernel.image(), image, 'after writes to files without a name');
  }

  /** Every generation there is, in the end, is what it was when it was made. */
  visitAll(): void {
    for (const generation of [...this.#images.keys()]) this.travel(generation);
  }

  /** Killed, and begun again: from the store and the journal's tail, or from the journal alone. */
  async restart(how: 'flushed' | 'killed' | 'journal'): Promise<void> {
    if (how === 'flushed') assert.ok(this.#history.flush(this.#tree));
    await this.#shut();
    if (how === 'journal')
      for (const end of ['', '-lock', '-stamp']) fs.rmSync(`${this.#layout.tree}${end}`, { force: true });
    this.#open();
    const replayed = new OverrideTree();
    replay(this.#history.journal, replayed, initialState());
    assert.equal(withoutCtime(this.#tree), withoutCtime(replayed), `restart: ${how}`);
    this.#same(this.#sides.kernel.image(), readImage(this.#judge), `restart: ${how}`);
  }

  async close(): Promise<void> {
    await this.#shut();
    this.#store.close();
    this.#host.close();
    removeTree(this.#root);
  }

  async #shut(): Promise<void> {
    for (const { fd } of this.#sides.held.splice(0)) fs.closeSync(fd);
    // Gives the descriptors of contents back.
    this.#overlay.treeSwitch.rebase();
    await this.#history.close();
  }

  #open(): void {
    const { history, tree } = SessionHistory.open(this.#layout, { whoIs: () => ({ run: 1, name: 'test' }) });
    this.#history = history;
    this.#tree = tree;
    this.#markers = new Markers(history.journal);
    this.#overlay = this.#makeOverlay(tree, history);
    this.#sides = { judge: this.#judge, kernel: new FakeKernel(this.#overlay, this.#base), held: [] };
  }

  #makeOverlay(tree: OverrideTree, history: SessionHistory | undefined): Overlay {
    const parts = { base: this.#host, store: this.#store, owner: OWNER, maxFiles: 16 };
    return new Overlay({ ...parts, tree, recorder: history ?? FROZEN, numbers: history ?? NO_NUMBERS });
  }

  #target(generation: number): OverrideTree {
    const epoch = currentEpoch(this.#markers.timeline());
    return treeAt(this.#history.journal, epoch, generation as Gen);
  }

  #freshImage(generation: number): Image {
    const overlay = this.#makeOverlay(this.#target(generation), undefined);
    const image = new FakeKernel(overlay, this.#base).image();
    overlay.treeSwitch.rebase();
    return image;
  }

  #same(actual: Image, expected: Image, what: string): void {
    const lines = differences(expected, actual);
    assert.deepEqual(lines, [], what);
    assert.deepEqual(differences(this.#images.get(0) as Image, readImage(this.#base)), [], 'the base');
  }
}

/** Which is not always recorded. */
function withoutCtime(tree: OverrideTree): string {
  return dumpTree(tree).replace(/,?ctime=[\d.-]+/g, '');
}

/** Some of everything, with names that two files share. */
export function fill(dir: string): void {
  fs.mkdirSync(`${dir}/a/b`, { recursive: true });
  fs.mkdirSync(`${dir}/b`);
  fs.mkdirSync(`${dir}/d/a`, { recursive: true });
  for (const path of ['c', 'a/a', 'a/b/c', 'b/a', 'd/a/x', 'e\n']) {
    fs.writeFileSync(`${dir}/${path}`, `base ${path}`, { mode: 0o644 });
  }
  fs.symlinkSync('../c', `${dir}/a/c`);
  fs.linkSync(`${dir}/c`, `${dir}/b/c`);
  fs.linkSync(`${dir}/a/a`, `${dir}/d/a/a`);
}
