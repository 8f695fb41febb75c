/**
 * A StagedProject that takes snapshots and travels, and keeps a whole copy of the tree for every generation: a naive
 * model of what each was. Every operation is done in the view and natively.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import type { TestContext } from 'node:test';
import type { Journal } from '../../../src/history/log/journal.ts';
import type { Body } from '../../../src/history/log/record.ts';
import { buildTimeline, currentEpoch, type Timeline } from '../../../src/history/timeline/segments.ts';
import { treeAt } from '../../../src/history/timeline/state-at.ts';
import { Overlay } from '../../../src/staging/overlay.ts';
import type { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { Gen, Ino, ObjectId } from '../../../src/sys/bytes.ts';
import { readTree, type TreeEntry } from '../../support/tree.ts';
import { journalOf, record } from '../samples.ts';
import { NativeTwin, type Operations } from './native-twin.ts';
import { isPossible, type Op, perform } from './random-operations.ts';
import { StagedProject } from './staged-project.ts';

/** Above the numbers that the first overlay gives out. */
const FIRST_OBJECT = 1_000_000;
const FIRST_INO = 2 ** 48 + 1_000_000;

export class TravellingProject {
  readonly project = new StagedProject();
  readonly #twin: NativeTwin;
  readonly #t: TestContext;
  /** The native tree at each generation. */
  readonly trees: TreeEntry[][];
  readonly #copies: string;
  readonly #marks: { readonly at: number; readonly body: Body }[] = [];
  #made = 0;

  constructor(t: TestContext, fill: (project: StagedProject) => void) {
    this.#t = t;
    fill(this.project);
    this.#twin = new NativeTwin(this.project.view.dir);
    this.#copies = `${this.project.view.dir}-copies`;
    fs.mkdirSync(this.#copies);
    this.trees = [];
    this.#keep();
  }

  get generation(): number {
    return this.#marks.length;
  }

  /** The native tree as it is now. */
  get present(): TreeEntry[] {
    return readTree(this.#twin.dir);
  }

  perform(op: Op): void {
    if (!isPossible(this.#twin.dir, op)) return;
    perform(this.#twin, op);
    perform(this.project as unknown as Operations, op);
  }

  snapshot(name = ''): void {
    this.#mark({ tag: 'P', name, command: undefined });
  }

  travel(target: number): void {
    const { journal, timeline } = this.write();
    this.#show(treeAt(journal, currentEpoch(timeline), target as Gen));
    execFileSync('rm', ['-rf', this.#twin.dir]);
    execFileSync('cp', ['-a', `${this.#copies}/${target}`, this.#twin.dir]);
    this.#mark({ tag: 'T', target: target as Gen, name: '' });
  }

  /** The journal of all that was done. */
  write(): { journal: Journal; timeline: Timeline } {
    const { records } = this.project.view.recorder;
    const marks = [...this.#marks];
    const lines = records.flatMap(({ mutation }, i) => [...this.#lines(marks, i), record(mutation, this.#before(i))]);
    const { journal } = journalOf(this.#t, [...lines, ...this.#lines(marks, records.length)]);
    return { journal, timeline: buildTimeline(journal.scan(), { start: 0, end: journal.size }) };
  }

  close(): void {
    execFileSync('rm', ['-rf', this.#twin.dir, this.#copies]);
    this.project.close();
  }

  /** Serves a state from here on. */
  #show(tree: OverrideTree): void {
    const { view } = this.project;
    const numbers = {
      nextObject: () => (FIRST_OBJECT + this.#made++) as ObjectId,
      nextIno: () => (FIRST_INO + this.#made++) as Ino,
    };
    const owner = { uid: 0, gid: 0, groups: [0], mapsAll: true };
    const { base, store, recorder } = view;
    this.project.serve(tree, new Overlay({ tree, base, store, recorder, numbers, owner, maxFiles: 64 }));
  }

  /** Markers that come right before record number `i`. */
  #lines(marks: { readonly at: number; readonly body: Body }[], i: number): ReturnType<typeof record>[] {
    const lines: ReturnType<typeof record>[] = [];
    while (marks[0]?.at === i) {
      const body = marks.shift()?.body;
      if (body !== undefined) lines.push(record(body, this.#marks.length - marks.length));
    }
    return lines;
  }

  #before(i: number): number {
    return this.#marks.filter(({ at }) => at <= i).length;
  }

  #mark(body: Body): void {
    this.#marks.push({ at: this.project.records, body });
    this.project.snapshot();
    this.#keep();
  }

  #keep(): void {
    execFileSync('cp', ['-a', this.#twin.dir, `${this.#copies}/${this.generation}`]);
    this.trees.push(this.present);
  }
}
