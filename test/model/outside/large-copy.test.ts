/** D10: what is served while a large copy is made: all but what changes that file. Counted, with the copy held back; no clock. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { LATER, type Ticket } from '../../../src/fuse/filesystem.ts';
import { copyContent } from '../../../src/staging/copy-content.ts';
import type { CopyJob } from '../../../src/staging/copy-up/copy-ups.ts';
import type { Name, NodeId } from '../../../src/sys/bytes.ts';
import { type Errno, OK } from '../../../src/sys/errno.ts';
import { close } from '../../../src/sys/libc.ts';
import { CALLER } from '../history/kernel.ts';
import { Used } from './used.ts';

const SIZE = 5 * 2 ** 20;
const NEW = { mode: 0o100644, rdev: 0, umask: 0 };

/** An answer; OK or an errno where there is none. */
type Answer = object | Errno;
type Requests = Readonly<Record<string, (ticket: Ticket) => Answer>>;

class World {
  readonly used: Used;
  readonly jobs: { readonly job: CopyJob; readonly done: (error: Errno) => void }[] = [];
  /** Requests that were put off, as they are served anew. */
  readonly resumed: Ticket[] = [];
  readonly big: NodeId;
  readonly other: NodeId;
  readonly top: NodeId;
  readonly sub: NodeId;

  constructor(t: TestContext) {
    const names = ['gone', 'moved', 'linked', 'small', 'source'];
    const files = { big: 'a'.repeat(SIZE), 'sub/in': 'in', ...Object.fromEntries(names.map((name) => [name, name])) };
    this.used = new Used(t, files);
    this.used.live.overlay.content.copyUps.copier = {
      start: (job, done) => void this.jobs.push({ job, done }),
      resume: (ticket) => void this.resumed.push(ticket),
      close,
    };
    const { kernel } = this.used;
    [this.big, this.other, this.top, this.sub] = [
      kernel.node('big'),
      kernel.node('small'),
      kernel.node(''),
      kernel.node('sub'),
    ];
  }

  finish(): void {
    const { job, done } = this.jobs.shift() ?? assert.fail('no copy is wanted');
    const error = copyContent(job.from, job.to, job.size);
    for (const fd of [job.from, job.to]) close(fd);
    done(error);
  }
}

function counted(bytes: number): Answer {
  return bytes < 0 ? (-bytes as Errno) : { bytes };
}

function isServed(answer: Answer): boolean {
  return typeof answer === 'object' || answer === OK;
}

/** What nobody has to wait for. */
function servedAtOnce({ used, big, other, top, sub }: World): Requests {
  const { overlay } = used.live;
  const name = (text: string): Name => text as Name;
  const nowhere = { fits: () => true, add: () => undefined };
  return {
    'lookup of it': () => overlay.lookup(top, name('big')),
    'lookup of another': () => overlay.lookup(sub, name('in')),
    'lookup of nothing': () => overlay.lookup(top, name('nothing')),
    'stat of it': () => overlay.getattr(big, CALLER),
    'read of it': () => counted(overlay.read(big, SIZE - 4, Buffer.alloc(4), CALLER)),
    'attributes of it': () => overlay.setattr(big, { mode: 0o600 }, CALLER),
    'times of it': () => overlay.setattr(big, { mtime: { sec: 1, nsec: 0 } }, CALLER),
    'its attributes': () => overlay.listxattr(big),
    'fsync of it': () => overlay.fsync(big, false),
    'a name more of it': () => overlay.link(big, top, name('alias'), CALLER),
    'its rename': () =>
      overlay.rename({ fromParent: top, from: name('big'), toParent: sub, to: name('big'), flags: 0 }, CALLER),
    'read of another': () => counted(overlay.read(other, 0, Buffer.alloc(4), CALLER)),
    'write announced for another': () => overlay.expectWrite(other, CALLER),
    'write to another': () => counted(overlay.write(other, 0, Buffer.from('x'), CALLER)),
    'truncation of another': () => overlay.setattr(other, { size: 1 }, CALLER),
    'copy between others': () =>
      counted(
        overlay.copyFileRange(
          { from: used.kernel.node('source'), fromOffset: 0, to: other, toOffset: 0, length: 6 },
          CALLER,
        ),
      ),
    'copy from it': () =>
      counted(overlay.copyFileRange({ from: big, fromOffset: 0, to: other, toOffset: 0, length: 4 }, CALLER)),
    listing: () => overlay.readdir(top, 0, nowhere, true),
    mknod: () => overlay.mknod(top, name('new'), NEW, CALLER),
    mkdir: () => overlay.mkdir(top, name('dir'), { ...NEW, mode: 0o755 }, CALLER),
    symlink: () => overlay.symlink(top, name('symlink'), 'big', CALLER),
    'a file without a name': () => overlay.tmpfile(top, NEW, CALLER),
    unlink: () => overlay.unlink(top, name('gone'), CALLER),
    rename: () =>
      overlay.rename({ fromParent: top, from: name('moved'), toParent: sub, to: name('moved'), flags: 0 }, CALLER),
    link: () => overlay.link(used.kernel.node('linked'), sub, name('linked'), CALLER),
    statfs: () => overlay.statfs(),
  };
}

/** What changes it, so it waits for the copy. */
function putOff({ used, big, other }: World): Requests {
  const { overlay } = used.live;
  const as = (ticket: Ticket): typeof CALLER => ({ ...CALLER, ticket });
  return {
    'the write announced': (ticket) => overlay.expectWrite(big, as(ticket)),
    'a write': (ticket) => counted(overlay.write(big, 1, Buffer.from('W'), as(ticket))),
    'an allocation': (ticket) => overlay.fallocate(big, 0, { offset: 0, length: 2 }, as(ticket)),
    'a copy to it': (ticket) =>
      counted(overlay.copyFileRange({ from: other, fromOffset: 0, to: big, toOffset: 0, length: 1 }, as(ticket))),
    'a truncation': (ticket) => overlay.setattr(big, { size: 3 }, as(ticket)),
  };
}

test('D10: while a large copy is made every request is served at once, but for those that change the file', (t) => {
  const world = new World(t);
  const waiting = Object.entries(putOff(world));
  for (const [i, [what, ask]] of waiting.entries()) {
    assert.equal(ask(i as Ticket), LATER, what);
    assert.equal(world.jobs.length, 1, `${what}: one copy for all`);
  }
  for (const [what, ask] of Object.entries(servedAtOnce(world))) {
    const answer = ask(waiting.length as Ticket);
    assert.ok(isServed(answer), `${what}: errno ${answer}`);
  }
  assert.deepEqual([world.jobs.length, world.resumed], [1, []], 'no other copy, and none of them has ended it');
  world.finish();
  assert.deepEqual(
    world.resumed,
    waiting.map((_, i) => i),
    'those that waited come in their order',
  );
  for (const [i, [what, ask]] of waiting.entries()) {
    assert.ok(isServed(ask(i as Ticket)), what);
  }
  assert.deepEqual(world.used.see('sub/big'), ['aWa']);
});
