/** Copies that are made before the kernel sends what was written, and large ones, which are made elsewhere; the kernel's side is played. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test, { type TestContext } from 'node:test';
import { LATER, type Ticket } from '../../../src/fuse/filesystem.ts';
import { ConflictError } from '../../../src/history/commit/conflict/conflict.ts';
import { copyContent } from '../../../src/staging/copy-content.ts';
import type { CopyJob } from '../../../src/staging/copy-up/copy-ups.ts';
import type { NodeId, ObjectId } from '../../../src/sys/bytes.ts';
import { ENOSPC, type Errno, ESTALE, OK } from '../../../src/sys/errno.ts';
import { close } from '../../../src/sys/libc.ts';
import { CALLER } from '../history/kernel.ts';
import { Used } from './used.ts';

/** A copier that waits to be told to go on; notes which requests it has served anew. */
class Slow {
  readonly jobs: { readonly job: CopyJob; readonly done: (error: Errno) => void }[] = [];
  readonly served: number[] = [];
  serve: (ticket: Ticket) => void = () => undefined;
  readonly close = close;

  start(job: CopyJob, done: (error: Errno) => void): void {
    this.jobs.push({ job, done });
  }

  resume(ticket: Ticket): void {
    this.served.push(ticket);
    this.serve(ticket);
  }

  finish(error: Errno = OK): void {
    const { job, done } = this.jobs.shift() ?? assert.fail('no copy is wanted');
    const result = error || copyContent(job.from, job.to, job.size);
    close(job.from);
    close(job.to);
    done(result);
  }
}

const MIB = 2 ** 20;

function large(t: TestContext): { used: Used; node: NodeId; slow: Slow; put: (at: number, ticket: number) => number } {
  const used = new Used(t, { big: 'a'.repeat(5 * MIB), other: 'other' });
  const slow = new Slow();
  used.live.overlay.content.copyUps.copier = slow;
  const node = used.kernel.node('big');
  const put = (at: number, ticket: number): number =>
    used.live.overlay.write(node, at, Buffer.from(`<${ticket}>`), { ...CALLER, ticket: ticket as Ticket });
  return { used, node, slow, put };
}

function objects(used: Used): ObjectId[] {
  return [...used.live.overlay.content.copyUps.objects()];
}

function part(used: Used, node: NodeId, at: number, length: number): string {
  const into = Buffer.alloc(length);
  return into.toString('latin1', 0, used.live.overlay.read(node, at, into));
}

test('D1: what is written goes over what was there at the first write(2), whatever is done outside before it comes', async (t) => {
  const used = new Used(t, { edited: 'a'.repeat(9000), named: 'aaaa' });
  const [edited, named] = [used.kernel.node('edited'), used.kernel.node('named')];
  for (const node of [edited, named]) assert.equal(used.live.overlay.expectWrite(node, CALLER), OK);
  used.outside((dir) => {
    fs.writeFileSync(`${dir}/edited`, 'b'.repeat(8999));
    fs.writeFileSync(`${dir}/named`, 'bbbbb');
  });
  // The kernel fetches another page of it before it sends the first.
  assert.equal(part(used, edited, 8192, 4096), 'a'.repeat(808));
  // By its name it is what somebody made of it, until it is written to.
  assert.deepEqual(used.see('named'), ['bbbbb']);
  used.kernel.write(edited, 0, 'X');
  used.kernel.write(named, 4, 'X');
  used.kernel.forget(used.live.overlay.content.returns.take());
  assert.deepEqual(used.see('edited', 'named'), [`X${'a'.repeat(8999)}`, 'aaaaX']);
  await assert.rejects(used.commit(), (error) => error instanceof ConflictError && error.conflicts.length === 2);
  assert.deepEqual(used.has('edited', 'named'), ['b'.repeat(8999), 'bbbbb']);
});

test('D1: a copy for a write that never comes goes with the kernel’s last reference, and nobody sees it', async (t) => {
  const used = new Used(t, { f: 'first', readable: 'first' });
  fs.chmodSync(`${used.project}/readable`, 0o444);
  const node = used.kernel.node('f');
  assert.equal(used.live.overlay.expectWrite(node, CALLER), OK);
  const stranger = { ...CALLER, uid: 4242, gid: 4242 };
  assert.equal(used.live.overlay.expectWrite(used.kernel.node('readable'), stranger), OK);
  assert.equal(objects(used).length, 1, 'who may not write has nothing copied');
  used.outside((dir) => fs.writeFileSync(`${dir}/f`, 'second'));
  assert.deepEqual(used.see('f'), ['second']);
  used.kernel.shrink(new Set([1 as NodeId]));
  assert.deepEqual(objects(used), []);
  assert.equal(used.live.orders.staged().changes, 0);
  await used.commit();
  assert.deepEqual(used.has('f'), ['second']);
});

test('D10: a large copy is made elsewhere; what changes the file waits in its order, and nobody else does', (t) => {
  const { used, node, slow, put } = large(t);
  slow.serve = (ticket) => assert.equal(put(ticket * MIB, ticket), 3);
  assert.equal(put(MIB, 1), -LATER);
  assert.equal(used.live.overlay.expectWrite(node, { ...CALLER, ticket: 2 as Ticket }), LATER);
  assert.equal(put(3 * MIB, 3), -LATER);
  assert.equal(slow.jobs.length, 1);
  assert.deepEqual(used.see('other'), ['other']);
  assert.equal(part(used, node, MIB, 3), 'aaa');
  used.append('other', ', changed');
  slow.finish();
  assert.deepEqual(slow.served, [1, 2, 3]);
  assert.deepEqual(
    [1, 2, 3].map((at) => part(used, node, at * MIB - 1, 5)),
    ['a<1>a', 'a<2>a', 'a<3>a'],
  );
  assert.equal(used.kernel.stat(node).size, 5 * MIB);
  assert.deepEqual(objects(used), []);
});

test('D10: what is changed outside during a large copy is not mixed with it', (t) => {
  const { used, slow, put } = large(t);
  const results: number[] = [];
  slow.serve = (ticket) => void results.push(put(0, ticket));
  assert.equal(put(0, 1), -LATER);
  fs.writeFileSync(`${used.project}/big`, 'b'.repeat(5 * MIB));
  slow.finish();
  assert.deepEqual(results, [-ESTALE]);
  assert.deepEqual(objects(used), []);
  used.kernel.forget(used.live.overlay.content.returns.take());
  assert.deepEqual(used.see('big'), ['b'.repeat(5 * MIB)]);
});

test('D10: a large copy that fails, and one that an abort makes vain, leave nothing behind', (t) => {
  const { used, node, slow, put } = large(t);
  const results: number[] = [];
  slow.serve = (ticket) => void results.push(put(0, ticket));
  assert.equal(put(0, 1), -LATER);
  slow.finish(ENOSPC);
  assert.deepEqual(results, [-ENOSPC]);
  assert.deepEqual(objects(used), []);
  assert.equal(put(0, 2), -LATER);
  used.live.orders.abort();
  slow.finish();
  // What waited is served anew, and asks for a copy of what there is now.
  assert.deepEqual(results, [-ENOSPC, -LATER]);
  slow.finish();
  assert.deepEqual(results, [-ENOSPC, -LATER, 3]);
  assert.equal(part(used, node, 0, 4), '<2>a');
});
