/** Who writes to a file of the base that somebody changes outside meanwhile, without a mount: the kernel's side is played. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { ConflictError } from '../../../src/history/commit/conflict/conflict.ts';
import type { NodeId } from '../../../src/sys/bytes.ts';
import { EPERM, ESTALE } from '../../../src/sys/errno.ts';
import { CALLER } from '../history/kernel.ts';
import { Used } from './used.ts';

test('D1: what is written over content that was changed outside is refused, and nothing of it shows (it was mixed, and committed)', async (t) => {
  const used = new Used(t, { log: 'start', equal: 'aaaa', by: 'one' }, [['by', 'other']]);
  const held = ['log', 'equal', 'other'].map((path) => used.kernel.node(path));
  // Nobody has heard of it when the kernel writes back.
  fs.appendFileSync(`${used.project}/log`, ', outside');
  fs.writeFileSync(`${used.project}/equal`, 'bbbb');
  fs.appendFileSync(`${used.project}/by`, ', two');
  for (const node of held) assert.equal(used.live.overlay.write(node, 2, Buffer.from('X'), CALLER), -ESTALE);
  used.kernel.forget(used.live.overlay.content.returns.take());
  assert.deepEqual(used.see('log', 'equal', 'by', 'other'), ['start, outside', 'bbbb', 'one, two', 'one, two']);
  used.append('log', ', inside');
  await used.commit();
  assert.deepEqual(used.has('log', 'equal', 'other'), ['start, outside, inside', 'bbbb', 'one, two']);
});

test('D1: an edit outside whose time was set back is noticed by its event', (t) => {
  const used = new Used(t, { f: 'aaaa' });
  const { atime, mtime } = fs.statSync(`${used.project}/f`);
  const held = used.kernel.node('f');
  fs.writeFileSync(`${used.project}/f`, 'bbbb');
  fs.utimesSync(`${used.project}/f`, atime, mtime);
  assert.equal(used.live.overlay.write(held, 0, Buffer.from('X'), CALLER), -ESTALE);
  used.kernel.forget(used.live.overlay.content.returns.take());
  assert.deepEqual(used.see('f'), ['bbbb']);
});

test('D1: what the kernel has not dropped yet is not taken for what the base has, by a lookup or when the init follows', (t) => {
  const used = new Used(t, { dated: 'aaaa', followed: 'aaaa' });
  const { overlay } = used.live;
  const { echoes } = overlay.outside;
  echoes.offer(1);
  const { atime, mtime } = fs.statSync(`${used.project}/dated`);
  const [dated, followed] = [used.kernel.node('dated'), used.kernel.node('followed')];
  for (const name of ['dated', 'followed']) fs.writeFileSync(`${used.project}/${name}`, 'bbbb');
  fs.utimesSync(`${used.project}/dated`, atime, mtime);
  // It is told, and the kernel still has its pages.
  const forget = used.live.host.drainWatch();
  const { parent, name } = overlay.nodePaths.nameOf(dated) ?? assert.fail('it has a name');
  overlay.lookup(parent, name);
  assert.equal(overlay.write(dated, 0, Buffer.from('X'), CALLER), -ESTALE);
  used.kernel.forget(forget);
  // Now it has those of b, and is to follow to c, of which nobody has told it.
  fs.writeFileSync(`${used.project}/followed`, 'cccc');
  const step = echoes.take(new Set()).find(({ path }) => path.endsWith('/followed'));
  const [sec = 0, nsec = 0] = step?.more ?? [];
  assert.ok(typeof echoes.followed(followed, { mtime: { sec, nsec } }) !== 'number');
  assert.equal(overlay.write(followed, 0, Buffer.from('X'), CALLER), -ESTALE);
  used.kernel.forget([...overlay.content.returns.take(), ...echoes.close()]);
  assert.deepEqual(used.see('dated', 'followed'), ['bbbb', 'cccc']);
});

test('D1: a file that changes again while the init follows, of which no event has told yet, keeps its node and is followed once more', (t) => {
  const used = new Used(t, { f: 'start', 'beside/of-f': '' });
  const { overlay } = used.live;
  const { echoes } = overlay.outside;
  // By this name, in a directory that nobody has looked into, it changes without an event.
  fs.rmSync(`${used.project}/beside/of-f`);
  fs.linkSync(`${used.project}/f`, `${used.project}/beside/of-f`);
  echoes.offer(1);
  const held = used.kernel.node('f');
  used.outside((project) => fs.appendFileSync(`${project}/f`, ', outside'));
  const follow = (): void => {
    const [step, ...others] = echoes.take(new Set());
    assert.deepEqual([step?.how, others], ['written', []]);
    const [sec = 0, nsec = 0, size = -1] = step?.more ?? [];
    fs.appendFileSync(`${used.project}/beside/of-f`, later.shift() ?? '');
    if (size !== -1) assert.ok(typeof echoes.followed(held, { size }) !== 'number');
    assert.ok(typeof echoes.followed(held, { mtime: { sec, nsec } }) !== 'number');
  };
  const later = [', later', ', at last'];
  for (const left of [2, 1]) {
    assert.equal(later.length, left);
    follow();
    assert.deepEqual([echoes.close(), echoes.areNoted], [[], true]);
  }
  follow();
  assert.deepEqual([echoes.close(), echoes.areNoted], [[], false]);
  assert.equal(used.kernel.node('f'), held);
  assert.deepEqual(used.see('f'), ['start, outside, later, at last']);
});

test('D1: a file of which the size could not follow, only the time, gets a new node and is not tried for ever', (t) => {
  const used = new Used(t, { f: 'start' });
  const { echoes } = used.live.overlay.outside;
  echoes.offer(1);
  const held = used.kernel.node('f');
  used.outside((project) => fs.appendFileSync(`${project}/f`, ', outside'));
  const [sec = 0, nsec = 0] = echoes.take(new Set())[0]?.more ?? [];
  assert.ok(typeof echoes.followed(held, { mtime: { sec, nsec } }) !== 'number');
  const left = echoes.close();
  assert.ok(
    left.some((one) => one.kind === 'inode' && one.nodeId === held),
    JSON.stringify(left),
  );
  used.kernel.forget(left);
  assert.deepEqual(used.see('f'), ['start, outside']);
});

test('D1: what goes out of use while the init follows is forgotten by its name, and shows what the base has', (t) => {
  const used = new Used(t, { f: 'start' });
  const { overlay } = used.live;
  const { echoes } = overlay.outside;
  echoes.offer(1);
  const held = used.kernel.node('f');
  fs.appendFileSync(`${used.project}/f`, ', outside');
  used.kernel.forget(used.live.host.drainWatch());
  assert.equal(echoes.take(new Set()).length, 1);
  // What somebody had written to it before.
  assert.equal(overlay.write(held, 0, Buffer.from('X'), { ...CALLER, pid: 0 }), -ESTALE);
  const left = echoes.close();
  const nodes = left.flatMap((one) => (one.kind === 'inode' ? [one.nodeId] : [one.parent, one.gone ?? one.parent]));
  assert.ok(left.length > 0 && nodes.every((nodeId) => nodeId !== 0), JSON.stringify(left));
  used.kernel.forget([...overlay.content.returns.take(), ...left]);
  assert.deepEqual(used.see('f'), ['start, outside']);
});

test('D1: what was forgotten and found anew keeps its time when the init comes with an older one (its replacement was a conflict)', async (t) => {
  const used = new Used(t, { f: 'start' });
  const { overlay } = used.live;
  const { echoes } = overlay.outside;
  echoes.offer(1);
  used.kernel.node('f');
  used.outside((project) => fs.truncateSync(`${project}/f`));
  const [sec = 0, nsec = 0] = echoes.take(new Set())[0]?.more ?? assert.fail('it is to follow');
  used.kernel.shrink(new Set());
  used.put('f', 'later, and longer');
  const anew = used.kernel.node('f');
  assert.equal(echoes.followed(anew, { mtime: { sec, nsec } }), EPERM);
  used.kernel.forget([...echoes.close(), ...used.live.host.drainWatch()]);
  used.make('new', 'replaced');
  used.kernel.rename('new', 'f', 0);
  await used.commit();
  assert.deepEqual(used.has('f'), ['replaced']);
});

test('D1: who has a file open that is replaced or removed outside goes on with it, and that is a conflict', async (t) => {
  const used = new Used(t, { replaced: 'first', removed: 'first', emptied: 'first' });
  const nodes = ['replaced', 'removed', 'emptied'].map((path) => used.kernel.node(path));
  // Somebody reads them, so they are open.
  used.see('replaced', 'removed', 'emptied');
  fs.writeFileSync(`${used.project}/.new`, 'another, and longer');
  fs.renameSync(`${used.project}/.new`, `${used.project}/replaced`);
  fs.unlinkSync(`${used.project}/removed`);
  fs.writeFileSync(`${used.project}/emptied`, 'edited outside');
  const [replaced = 0 as NodeId, removed = 0 as NodeId, emptied = 0 as NodeId] = nodes;
  for (const node of [replaced, removed]) used.kernel.write(node, 5, ', inside');
  // Of what is thrown away nothing has to be there.
  used.kernel.setattr(emptied, { size: 0 });
  used.kernel.write(emptied, 0, 'inside');
  const all = ['replaced', 'removed', 'emptied'];
  assert.deepEqual(used.see(...all), ['first, inside', 'first, inside', 'inside']);
  const named = (error: unknown): boolean =>
    error instanceof ConflictError &&
    error.conflicts.map(({ path }) => path.slice(used.project.length + 1)).join() === 'emptied,removed,replaced';
  await assert.rejects(used.commit(), named);
  assert.deepEqual(used.has('replaced', 'emptied'), ['another, and longer', 'edited outside']);
});

test('D1: a file that has lost its place outside is what it was for whoever has it open, and nothing else', (t) => {
  const used = new Used(t, { open: 'first', closed: 'first' });
  const [open, closed] = [used.kernel.node('open'), used.kernel.node('closed')];
  used.see('open');
  used.outside((dir) => {
    for (const name of ['open', 'closed']) {
      fs.writeFileSync(`${dir}/.new`, 'second');
      fs.renameSync(`${dir}/.new`, `${dir}/${name}`);
    }
  });
  assert.deepEqual(used.see('open', 'closed'), ['second', 'second']);
  const into = Buffer.alloc(6);
  assert.equal(used.live.overlay.read(open, 0, into), 5);
  assert.equal(into.toString('latin1', 0, 5), 'first');
  // Nobody had it open for us: it is gone, and the other one is not shown for it.
  assert.equal(used.live.overlay.read(closed, 0, into), -ESTALE);
});
