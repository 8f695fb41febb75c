/**
 * One session beside its naive model. The model is a real directory that does the same file operations natively, a full
 * copy of it for every generation, and a full copy of the base.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { LiveView } from '../../../src/daemon/live-view.ts';
import { layoutOf } from '../../../src/history/layout.ts';
import { SessionHistory } from '../../../src/history/session-history.ts';
import { bytes, differences, type Image, readImage, removeTree, writeImage } from './image.ts';
import { FakeKernel } from './kernel.ts';
import { carryOut, type Sides } from './operations.ts';
import type { OrderStep, Step } from './steps.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };

export class World {
  readonly #root = fs.mkdtempSync('/var/tmp/yolofs-model-');
  readonly #project = `${this.#root}/project`;
  readonly #layout = layoutOf(this.#project);
  readonly #judge = `${this.#root}/judge`;
  /** The tree at each generation's marker. */
  readonly #generations = new Map<number, Image>();
  #base: Image;
  #live: LiveView;
  #sides: Sides;

  constructor() {
    for (const dir of [this.#project, this.#judge]) fs.mkdirSync(dir);
    fill(this.#project);
    this.#base = readImage(this.#project);
    writeImage(this.#judge, this.#base);
    fs.mkdirSync(this.#layout.dir);
    this.#generations.set(0, this.#base);
    this.#live = this.#start();
    this.#sides = this.#freshSides();
  }

  /** Carries one step out on both sides, then compares the view and, after orders, the base. */
  async take(step: Step): Promise<void> {
    if ('verb' in step) carryOut(this.#sides, step);
    else {
      await this.#order(step);
      this.compareBase();
    }
    this.compareView();
  }

  compareView(): void {
    same(readImage(this.#judge), this.#sides.kernel.image(), 'the view');
    for (const { fd, node } of this.#sides.held) {
      assert.equal(this.#sides.kernel.read(node), readAll(fd), 'an open file');
    }
  }

  compareBase(): void {
    same(this.#base, readImage(this.#project), 'the base');
  }

  async close(): Promise<void> {
    this.#letGo();
    await this.#live.close();
    removeTree(this.#root);
  }

  async #order(step: OrderStep): Promise<void> {
    const before = readImage(this.#judge);
    const first = this.#live.generation + 1;
    await this.#carryOutOrder(step);
    this.#sides.kernel.forget(this.#live.drainWatch());
    this.#number(first, before);
  }

  /** Markers that an order adds show the tree before it, but the last one what it led to. */
  #number(first: number, before: Image): void {
    const last = this.#live.generation;
    for (let generation = first; generation < last; generation++) this.#generations.set(generation, before);
    if (last >= first) this.#generations.set(last, readImage(this.#judge));
  }

  async #carryOutOrder(step: OrderStep): Promise<void> {
    switch (step.order) {
      case 'snapshot':
        this.#live.snapshot({ name: 's\n', ifChanged: step.ifChanged, run: 0, command: undefined });
        return;
      case 'flush':
        this.#live.flush();
        return;
      case 'restart':
        return this.#restart(step.how);
      case 'commit':
        await this.#live.commit(() => undefined);
        this.#base = readImage(this.#judge);
        return;
      case 'abort':
        this.#becomes(this.#base, () => this.#sides.kernel.forget(this.#live.abort().invalidations));
        return;
    }
  }

  /** The view is to show another tree: who has a file open keeps what it had. */
  #becomes(image: Image, order: () => void): void {
    const kept = this.#sides.held.map(({ fd, node }) => ({ node, text: readAll(fd) }));
    order();
    for (const { node, text } of kept) assert.equal(this.#sides.kernel.read(node), text, 'an open file');
    this.#letGo();
    writeImage(this.#judge, image);
  }

  #letGo(): void {
    for (const { fd } of this.#sides.held.splice(0)) fs.closeSync(fd);
  }

  #start(): LiveView {
    return new LiveView({ layout: this.#layout, owner: OWNER, durable: false, maxFiles: 16 });
  }

  #freshSides(): Sides {
    return { judge: this.#judge, kernel: new FakeKernel(this.#live.overlay, this.#project), held: [] };
  }

  async #restart(how: 'clean' | 'killed' | 'journal'): Promise<void> {
    this.#letGo();
    if (how === 'clean') await this.#live.close();
    else await closeUnflushed(this.#live);
    if (how === 'journal')
      for (const end of ['', '-lock', '-stamp']) fs.rmSync(`${this.#layout.tree}${end}`, { force: true });
    this.#live = this.#start();
    this.#sides = this.#freshSides();
  }
}

/** What a kill leaves: the durable tree as the last write-behind left it. */
async function closeUnflushed(live: LiveView): Promise<void> {
  const { flush } = SessionHistory.prototype;
  SessionHistory.prototype.flush = () => true;
  try {
    await live.close();
  } finally {
    SessionHistory.prototype.flush = flush;
  }
}

function readAll(fd: number): string {
  const into = Buffer.alloc(fs.fstatSync(fd).size);
  fs.readSync(fd, into, 0, into.length, 0);
  return into.toString('latin1');
}

function same(expected: Image, actual: Image, what: string): void {
  const lines = differences(expected, actual);
  if (lines.length > 0) assert.fail(`${what} is not what it should be:\n  ${lines.slice(0, 12).join('\n  ')}`);
}

/** Files in directories, a symlink, a fifo's name to be, names of one file, times and attributes that were set. */
function fill(dir: string): void {
  fs.mkdirSync(`${dir}/a/b`, { recursive: true });
  fs.mkdirSync(`${dir}/b`);
  for (const [path, text] of [
    ['c', 'base c'],
    ['a/a', 'base a/a'],
    ['a/b/c', 'base a/b/c'],
    ['b/a', 'base b/a'],
    ['e\n', 'base e'],
  ] as const) {
    fs.writeFileSync(bytes(`${dir}/${path}`), text, { mode: 0o644 });
  }
  fs.symlinkSync('../c', `${dir}/a/c`);
  fs.linkSync(`${dir}/c`, `${dir}/b/c`);
  fs.utimesSync(`${dir}/a/a`, 1_000_000_777, 1_000_000_777);
}
