/** Requests that the file system puts off: kept, served anew, interrupted, bounded. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type FileSystem, LATER, type Ticket } from '../../src/fuse/filesystem.ts';
import type { PendingLimits } from '../../src/fuse/pending-requests.ts';
import { FuseSession } from '../../src/fuse/session.ts';
import { type Errno, OK } from '../../src/sys/errno.ts';
import { close, eventfd, read, write } from '../../src/sys/libc.ts';
import { cstring, request, u32, u64, zeros } from './bytes.ts';
import { FakeKernel } from './fake-kernel.ts';
import { recordingFs } from './recording-fs.ts';

const unlink = (unique: bigint, name = 'f') => request(10, { unique }, cstring(name));
const interrupt = (of: bigint) => request(36, { unique: of | 1n, node: 0n }, u64(of));

/** A session whose file system puts off every name but those that `answers` knows by now. */
class Table {
  readonly answers = new Map<string, Errno>();
  readonly withdrawn: Ticket[] = [];
  readonly asked: string[] = [];
  readonly kernel = new FakeKernel();
  readonly log: string[] = [];
  readonly #wake = eventfd();
  readonly #session: FuseSession;
  #work: () => void = () => undefined;

  constructor(t: TestContext, limits?: PendingLimits, more: Partial<FileSystem> = {}) {
    const { fs } = recordingFs({
      unlink: (_parent, name, { ticket, pid }) => {
        this.asked.push(`${ticket} ${name} p${pid}`);
        return this.answers.get(name) ?? LATER;
      },
      ...more,
    });
    const onReadable = (): void => {
      read(this.#wake, Buffer.alloc(8));
      this.#session.drain(1000);
      this.#work();
      this.#session.stop();
    };
    this.#session = new FuseSession({
      ...{ fd: this.kernel.fd, fs, writeback: true, watch: [{ fd: this.#wake, onReadable }] },
      onWithdrawn: (ticket) => this.withdrawn.push(ticket),
      ...(limits === undefined ? {} : { pending: limits }),
      log: (line) => this.log.push(line),
    });
    t.after(() => {
      this.kernel.close();
      close(this.#wake);
    });
  }

  /** Sends requests, has all of them served, then does `work` on the session's thread; the replies as [unique, errno]. */
  serve(requests: readonly Buffer[], work: (session: FuseSession) => void = () => undefined): [number, number][] {
    for (const one of requests) this.kernel.send(one);
    this.#work = () => work(this.#session);
    write(this.#wake, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
    this.#session.run();
    return this.kernel.receive().map(({ unique, error }) => [Number(unique), error]);
  }

  hangUp(): 'unmounted' | 'stopped' {
    this.kernel.hangUp();
    return this.#session.run();
  }
}

test('a request that is put off has no reply, and others are served', (t) => {
  const table = new Table(t);
  table.answers.set('g', OK);
  assert.deepEqual(table.serve([unlink(2n), unlink(4n, 'g')]), [[4, 0]]);
  assert.deepEqual(table.log, []);
});

test('a resumed request arrives as it was, with the same ticket and caller, and its reply has the same number', (t) => {
  const table = new Table(t);
  table.serve([unlink(2n, 'first'), unlink(4n, 'a longer name')]);
  table.answers.set('first', OK).set('a longer name', 13 as Errno);
  const replies = table.serve([], (session) => {
    session.resume(4 as Ticket);
    session.resume(2 as Ticket);
  });
  assert.deepEqual(replies, [
    [4, -13],
    [2, 0],
  ]);
  assert.deepEqual(table.asked, ['2 first p812', '4 a longer name p812', '4 a longer name p812', '2 first p812']);
});

test('a request can be put off again, and is answered once', (t) => {
  const table = new Table(t);
  table.serve([unlink(2n)]);
  assert.deepEqual(
    table.serve([], (session) => session.resume(2 as Ticket)),
    [],
  );
  table.answers.set('f', OK);
  const twice = (session: FuseSession): void => {
    session.resume(2 as Ticket);
    session.resume(2 as Ticket);
  };
  assert.deepEqual(table.serve([], twice), [[2, 0]]);
  assert.equal(table.asked.length, 3);
});

test('FUSE_INTERRUPT answers a request that is put off with EINTR, and the file system hears of it', (t) => {
  const table = new Table(t);
  const replies = table.serve([unlink(2n), unlink(4n), interrupt(2n)]);
  assert.deepEqual(replies, [[2, -4]]);
  assert.deepEqual(table.withdrawn, [2]);
  table.answers.set('f', OK);
  const resume = (session: FuseSession): void => {
    for (const ticket of [2, 4]) session.resume(ticket as Ticket);
  };
  assert.deepEqual(table.serve([], resume), [[4, 0]]);
});

test('FUSE_INTERRUPT of a request that was answered, or never was, says nothing', (t) => {
  const table = new Table(t);
  table.answers.set('f', OK);
  assert.deepEqual(table.serve([unlink(2n), interrupt(2n), interrupt(98n)]), [[2, 0]]);
  assert.deepEqual(table.withdrawn, []);
  assert.deepEqual(table.log, []);
});

test('beyond the number of requests, or of bytes, that may wait, EACCES at once', (t) => {
  const few = new Table(t, { requests: 2, bytes: 1000 });
  assert.deepEqual(few.serve([unlink(2n), unlink(4n), unlink(6n)]), [[6, -13]]);
  assert.deepEqual(few.withdrawn, [6]);
  const setxattr: Partial<FileSystem> = { setxattr: () => LATER };
  const small = new Table(t, { requests: 100, bytes: 1000 }, setxattr);
  const value = request(21, { unique: 2n }, u32(2000), u32(0), cstring('user.k'), zeros(2000));
  assert.deepEqual(small.serve([value, unlink(4n), unlink(6n)]), [[2, -13]]);
  small.serve([interrupt(4n), interrupt(6n)]);
  assert.deepEqual(small.withdrawn, [2, 4, 6], 'room is given back');
});

test('the number of requests that wait does not shrink by what was resumed', (t) => {
  const table = new Table(t, { requests: 1, bytes: 1000 });
  for (let unique = 2; unique < 40; unique += 2) {
    table.answers.delete('f');
    assert.deepEqual(table.serve([unlink(BigInt(unique))]), []);
    table.answers.set('f', OK);
    assert.deepEqual(
      table.serve([], (session) => session.resume(unique as Ticket)),
      [[unique, 0]],
    );
  }
});

test('an unmount withdraws what is put off; a stop keeps it', (t) => {
  const table = new Table(t);
  table.serve([unlink(2n), unlink(4n)]);
  assert.deepEqual(table.withdrawn, []);
  assert.equal(table.hangUp(), 'unmounted');
  assert.deepEqual(table.withdrawn, [2, 4]);
});
