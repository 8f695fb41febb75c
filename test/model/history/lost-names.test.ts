/** Travel to before commits that took a name of a file away: the model leaves open what it is then, as names that nobody had looked up stay parted. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { LiveView } from '../../../src/daemon/live-view.ts';
import { layoutOf } from '../../history/registry/layouts.ts';
import { fill } from './fill.ts';
import { differences, readImage, removeTree, writeImage } from './image.ts';
import { FakeKernel } from './kernel.ts';
import { carryOut } from './operations.ts';
import type { FileStep, Verb } from './steps.ts';

const f = (verb: Verb, path: string): FileStep => ({ verb, path, to: 'a', n: 1 });
const ALL = { paths: [], wishes: { ours: [], theirs: [], merge: false } };
const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };

/** `c` and `b/c` are one file; each list is committed. */
const STORIES: readonly (readonly FileStep[])[][] = [
  [[f('unlink', 'c'), f('write', 'b/c')]],
  [[f('unlink', 'c')], [f('write', 'b/c')]],
  [[f('replace', 'c'), f('write', 'b/c')]],
  [[f('replace', 'c')], [f('write', 'b/c')]],
];

for (const commits of STORIES) {
  const title = commits.map((steps) => steps.map(({ verb, path }) => `${verb} ${path}`).join(', ')).join('; ');
  test(`travel to before: ${title}`, async () => {
    const root = fs.mkdtempSync('/var/tmp/yolofs-names-');
    const [project, judge] = [`${root}/project`, `${root}/judge`];
    for (const dir of [project, judge]) fs.mkdirSync(dir);
    fill(project, true);
    const before = readImage(project);
    writeImage(judge, before);
    const layout = layoutOf(project);
    fs.mkdirSync(layout.dir);
    const live = new LiveView({ layout, owner: OWNER, durable: false, maxFiles: 16, rules: [] });
    const sides = { judge, kernel: new FakeKernel(live.overlay, project), held: [] };
    live.snapshot({ name: 's', ifChanged: false, run: 0, command: undefined });
    for (const steps of commits) {
      for (const step of steps) carryOut(sides, step);
      await live.orders.commit(ALL, () => undefined);
    }
    live.orders.travel('1');
    const seen = new FakeKernel(live.overlay, project).image();
    await live.close();
    removeTree(root);
    assert.deepEqual(differences(before, seen), []);
  });
}
