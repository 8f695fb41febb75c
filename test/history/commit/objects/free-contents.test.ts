/** An undo leaves content in the backups where the store has a copy; behind it that is freed, and nothing else. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test, { type TestContext } from 'node:test';
import { applyPlan, CommitError } from '../../../../src/history/commit/commit.ts';
import { freeContents } from '../../../../src/history/commit/runner/free-contents.ts';
import { readLog } from '../../../../src/history/commit/runner/read-log.ts';
import { restoreObjects } from '../../../../src/history/commit/runner/restore-objects.ts';
import { undoCommit } from '../../../../src/history/commit/runner/undo.ts';
import type { Layout } from '../../../../src/history/layout.ts';
import { objectPath } from '../../../../src/staging/object-store.ts';
import type { BytePath, ObjectId } from '../../../../src/sys/bytes.ts';
import { StagedProject } from '../../projects/staged-project.ts';
import { layoutOf } from '../../registry/layouts.ts';
import { planOf } from '../cases.ts';

const OLD = { changed: 'old', 'dir/gone': 'as it was' };
const NEW = { changed: 'new', made: 'made' };

/** A commit of a changed file, a new one and a deleted one, whose content the store has copies of. */
class Kept {
  readonly p = new StagedProject();
  readonly layout: Layout = { ...layoutOf(this.p.top), commits: `${this.p.top}/commits` };
  readonly ino: number;
  #log: BytePath = '' as BytePath;

  constructor(t: TestContext) {
    t.after(() => this.p.close());
    this.p.base(OLD);
    this.ino = fs.statSync(`${this.p.view.dir}/changed`).ino;
  }

  async commit(): Promise<void> {
    const { p, layout } = this;
    p.write('changed', NEW.changed).write('made', NEW.made).rm('dir/gone');
    const plan = planOf(p);
    this.#log = plan.log;
    assert.ok(!((await applyPlan(plan, { sync: false })) instanceof CommitError));
    for (const _ of restoreObjects(layout, 1, p.view.store));
    assert.deepEqual(this.base(), NEW);
  }

  undo(onReverted: () => void = () => undefined): Promise<void> {
    const log = readLog(this.#log);
    assert.ok(typeof log === 'object');
    return undoCommit({ log, store: this.p.view.store, onReverted });
  }

  free(): void {
    for (const _ of freeContents(this.layout));
  }

  base(): Readonly<Record<string, string>> {
    const files = fs.readdirSync(this.p.view.dir, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    const paths = files.map(({ parentPath, name }) => `${parentPath}/${name}`).sort();
    return Object.fromEntries(
      paths.map((path) => [path.slice(this.p.view.dir.length + 1), fs.readFileSync(path, 'utf8')]),
    );
  }

  /** What is in the backups. */
  backups(): string[] {
    const kept = `${this.#log}/kept`;
    return fs
      .readdirSync(kept)
      .map((name) => fs.readFileSync(`${kept}/${name}`, 'utf8'))
      .sort();
  }

  objects(): string[] {
    return [1, 2].map((object) => fs.readFileSync(`${this.p.top}/store/${objectPath(object as ObjectId)}`, 'utf8'));
  }
}

test('after an undo the content that the store has a copy of is in the backups until it is freed', async (t) => {
  const kept = new Kept(t);
  await kept.commit();
  assert.deepEqual(kept.backups(), ['as it was', 'old']);
  await kept.undo();
  assert.deepEqual(kept.base(), OLD);
  assert.equal(fs.statSync(`${kept.p.view.dir}/changed`).ino, kept.ino);
  assert.deepEqual(kept.backups(), ['made', 'new']);
  kept.free();
  assert.deepEqual(kept.backups(), []);
  assert.deepEqual(kept.objects(), ['new', 'made']);
  assert.deepEqual(kept.base(), OLD);
});

test('of a commit that was not taken back nothing is freed, nor where its undo has failed', async (t) => {
  const kept = new Kept(t);
  await kept.commit();
  kept.free();
  assert.deepEqual(kept.backups(), ['as it was', 'old']);
  const inos = ['changed', 'made'].map((name) => fs.statSync(`${kept.p.view.dir}/${name}`).ino);
  const onReverted = (): void => {
    assert.deepEqual(kept.backups(), ['made', 'new']);
    throw new Error('the journal is full');
  };
  await assert.rejects(kept.undo(onReverted), /journal is full/);
  assert.deepEqual(kept.base(), NEW);
  assert.deepEqual(
    ['changed', 'made'].map((name) => fs.statSync(`${kept.p.view.dir}/${name}`).ino),
    inos,
  );
  kept.free();
  assert.deepEqual(kept.backups(), ['as it was', 'old']);
});

test('content that somebody has given another name goes back into the store, and what is not known in the backups stays', async (t) => {
  const kept = new Kept(t);
  await kept.commit();
  fs.linkSync(`${kept.p.view.dir}/made`, `${kept.p.top}/other`);
  await kept.undo();
  assert.deepEqual(kept.backups(), ['new']);
  fs.writeFileSync(`${kept.p.top}/commits/1/kept/77`, 'of somebody');
  kept.free();
  assert.deepEqual(kept.backups(), ['of somebody']);
  assert.equal(fs.readFileSync(`${kept.p.top}/other`, 'utf8'), 'made');
  assert.deepEqual(kept.objects(), ['new', 'made']);
});
