/**
 * A thousand directories in one another, as a loop that enters what it makes leaves them: each order takes a time that grows with
 * them, and not with a power of it (an undo of four hundred took eight seconds, of two thousand it did not end).
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import type { Name, NodeId } from '../../../src/sys/bytes.ts';
import { ALL } from '../../crash/commit-session.ts';
import type { CrashWorld } from '../../crash/crash-world.ts';
import { openWorld } from '../../crash/orders.ts';
import { CALLER, ViewDriver } from '../../staging/view-driver.ts';

const DEPTH = 1_000;
const NAME = 'd' as Name;
const SAY_NOTHING = (): undefined => undefined;

/** Node ids from the project down; as deep as the view has it. */
function nodesDown({ live: { overlay }, place }: CrashWorld): NodeId[] {
  const nodes = [new ViewDriver(overlay).resolve(place.base as never) as NodeId];
  for (;;) {
    const entry = overlay.lookup(nodes.at(-1) as NodeId, NAME);
    if (typeof entry === 'number' || entry.nodeId === 0) return nodes;
    nodes.push(entry.nodeId);
  }
}

function makeAll({ live: { overlay }, place }: CrashWorld): void {
  let dir = new ViewDriver(overlay).resolve(place.base as never) as NodeId;
  for (let i = 0; i < DEPTH; i++) {
    const made = overlay.mkdir(dir, NAME, { mode: 0o755, rdev: 0, umask: 0 }, CALLER);
    assert.ok(typeof made === 'object');
    dir = made.nodeId;
  }
}

test('commit, undo and abort of a thousand directories in one another, made and removed', {
  timeout: 120_000,
}, async (t) => {
  const world = await openWorld(() => undefined, makeAll);
  t.after(() => world.close());
  const { orders } = world.live;
  const deepest = `${world.place.base}${'/d'.repeat(DEPTH)}`;
  await orders.commit(ALL, SAY_NOTHING);
  assert.ok(existsSync(deepest));
  await orders.undo(SAY_NOTHING);
  assert.ok(!existsSync(`${world.place.base}/d`));
  assert.equal(nodesDown(world).length, DEPTH + 1, 'staged again');
  await orders.commit(ALL, SAY_NOTHING);
  for (const dir of nodesDown(world).slice(0, -1).reverse())
    assert.equal(world.live.overlay.rmdir(dir, NAME, CALLER), 0);
  await orders.commit(ALL, SAY_NOTHING);
  assert.ok(!existsSync(`${world.place.base}/d`));
  await orders.undo(SAY_NOTHING);
  assert.ok(existsSync(deepest));
  assert.equal(nodesDown(world).length, 1, 'their removal is staged again');
  orders.abort();
  assert.equal(nodesDown(world).length, DEPTH + 1);
});
