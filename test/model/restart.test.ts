/**
 * Whatever was done, a restart shows the same tree: random operations with snapshots and restarts in between,
 * where a restart loads the LMDB tree plus the journal's tail, or rebuilds everything from the journal alone.
 * The judge is a plain directory of the host that did the same work without any restart.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { SessionHistory } from '../../src/history/timeline/session-history.ts';
import { HostTree } from '../../src/staging/host-tree.ts';
import { ObjectStore } from '../../src/staging/object-store.ts';
import { Overlay } from '../../src/staging/overlay.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { layoutOf } from '../history/registry/layouts.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { fill, image, inView, isForTheKernel, native, type Op, op, sorted } from '../staging/random-ops.ts';
import { ViewDriver } from '../staging/view-driver.ts';

type Step = { op: 'restart'; how: 'clean' | 'unflushed' | 'journal-only' } | { op: 'flush' } | Op;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: op },
  {
    weight: 1,
    arbitrary: fc.constantFrom('clean', 'unflushed', 'journal-only').map((how) => ({ op: 'restart' as const, how })),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'flush' as const }) },
) as fc.Arbitrary<Step>;

interface Live {
  readonly history: SessionHistory;
  readonly overlay: Overlay;
  readonly driver: ViewDriver;
  flush(): void;
  close(): Promise<void>;
}

function start(project: string): Live {
  const layout = layoutOf(project);
  fs.mkdirSync(layout.dir, { recursive: true });
  const { history, tree } = SessionHistory.open(layout, { whoIs: () => ({ run: 1, name: 'test' }) });
  const store = new ObjectStore(layout.files);
  const base = new HostTree({ hidden: [layout.dir as BytePath], empty: [] });
  const owner = { uid: 0, gid: 0, groups: [0], mapsAll: true };
  const overlay = new Overlay({ tree, base, store, recorder: history, numbers: history, owner, maxFiles: 16 });
  return {
    history,
    overlay,
    driver: new ViewDriver(overlay),
    flush: () => assert.ok(history.flush(tree)),
    async close() {
      store.close();
      base.shed();
      await history.close();
    },
  };
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const root = fs.mkdtempSync('/var/tmp/yolofs-model-');
  const project = `${root}/project`;
  const dir = `${root}/base` as BytePath;
  const judge = `${root}/judge`;
  for (const path of [project, dir, judge]) fs.mkdirSync(path);
  fill(dir);
  fill(judge);
  let live = start(project);
  try {
    for (const [i, next] of steps.entries()) {
      if (next.op === 'restart') live = await restart(live, { project, how: next.how });
      else if (next.op === 'flush') live.flush();
      else if (next.op === 'snapshot') live.history.snapshot(`after ${i}`);
      else if (!isForTheKernel(judge, next)) {
        const expected = native(judge, next);
        assert.equal(inView(live.driver, dir, next), expected, `step ${i} ${JSON.stringify(next)}`);
      }
    }
    assert.deepEqual(sorted(live.driver.image(dir)), sorted(image(judge)), 'before the last restart');
    live = await restart(live, { project, how: 'journal-only' });
    assert.deepEqual(sorted(live.driver.image(dir)), sorted(image(judge)), 'rebuilt from the journal');
  } finally {
    await live.close();
    fs.rmSync(root, { recursive: true, force: true });
  }
}

async function restart(
  live: Live,
  options: { project: string; how: 'clean' | 'unflushed' | 'journal-only' },
): Promise<Live> {
  if (options.how === 'clean') live.flush();
  await live.close();
  if (options.how === 'journal-only') fs.rmSync(layoutOf(options.project).tree, { force: true, recursive: true });
  return start(options.project);
}

test('a restart shows the same tree, from the durable copy or from the journal alone', async () => {
  const numRuns = runs(150);
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 50 }), runSteps), { numRuns });
});
