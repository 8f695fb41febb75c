/**
 * While nothing is staged the view is the base, whatever somebody does there: random operations outside, each seen by a
 * kernel that believes what it was told. What it knows was partly made or moved by a commit before.
 */
import * as fs from 'node:fs';
import test from 'node:test';
import { LiveView } from '../../../src/daemon/live-view.ts';
import type { NodeId } from '../../../src/sys/bytes.ts';
import { layoutOf } from '../../history/registry/layouts.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { fill } from '../history/fill.ts';
import { differences, readImage, removeTree, writeImage } from '../history/image.ts';
import { FakeKernel } from '../history/kernel.ts';
import { carryOut } from '../history/operations.ts';
import { type FileStep, fileStep } from '../history/steps.ts';

const OWNER = { uid: 0, gid: 0, groups: [0], mapsAll: true };
const ALL = { paths: [], wishes: { ours: [], theirs: [], merge: false } };

/** Takes every operation for done: the base alone does them. */
const nobody = new Proxy({} as object, { get: (_, name) => (name === 'fs' ? nobody : () => 0) }) as FakeKernel;

async function run({ before, outside }: Story): Promise<void> {
  const root = fs.mkdtempSync('/var/tmp/yolofs-outside-');
  const [project, judge] = [`${root}/project`, `${root}/judge`];
  for (const dir of [project, judge]) fs.mkdirSync(dir);
  fill(project, true);
  writeImage(judge, readImage(project));
  const layout = layoutOf(project);
  fs.mkdirSync(layout.dir);
  const live = new LiveView({ layout, owner: OWNER, durable: false, maxFiles: 16, rules: [] });
  try {
    const kernel = new FakeKernel(live.overlay, project);
    for (const step of before) carryOut({ judge, kernel, held: [] }, step);
    kernel.image();
    const { invalidations } = await live.orders.commit(ALL, () => undefined);
    kernel.forget([...invalidations, ...live.host.drainWatch()]);
    // What is staged without a difference goes, too.
    kernel.forget(live.orders.abort().invalidations);
    // Its names in the backups would make files look as if they had more.
    fs.rmSync(layout.commits, { recursive: true, force: true });
    for (const [i, step] of outside.entries()) {
      if (step.verb === 'shrink') kernel.shrink(new Set([1 as NodeId]));
      else carryOut({ judge: project, kernel: nobody, held: [] }, step);
      kernel.forget(live.host.drainWatch());
      const lines = differences(readImage(project), kernel.image());
      if (lines.length > 0) throw new Error(`after ${i}, ${JSON.stringify(step)}:\n  ${lines.join('\n  ')}`);
    }
  } finally {
    await live.close();
    removeTree(root);
  }
}

interface Story {
  readonly before: readonly FileStep[];
  readonly outside: readonly FileStep[];
}

/** Nor are files held open here. */
const step = fileStep.filter(({ verb }) => verb !== 'hold' && verb !== 'writeHeld' && verb !== 'release');
/** A file that gets a further name and is written to by that raises no event by the name that was known. */
const outsideStep = step.filter(({ verb }) => verb !== 'link');
const story: fc.Arbitrary<Story> = fc.record({
  before: fc.array(step, { maxLength: 12 }),
  outside: fc.array(outsideStep, { maxLength: 40, size: 'max' }),
});

test('whatever is done outside, in whatever order, the view shows', async () => {
  await fc.assert(fc.asyncProperty(story, run), {
    numRuns: runs(40),
  });
});
