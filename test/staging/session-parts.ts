/** An overlay over the host's root with a recorder that only keeps what it is told, for tests in one process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { HostTree } from '../../src/staging/host-tree.ts';
import type { Time } from '../../src/staging/inode.ts';
import { ObjectStore } from '../../src/staging/object-store.ts';
import { Overlay } from '../../src/staging/overlay.ts';
import { OverrideTree } from '../../src/staging/override-tree.ts';
import type { Mutation, Recorder } from '../../src/staging/recorder.ts';
import { Quota } from '../../src/staging/store/quota.ts';
import { BaseWatch } from '../../src/staging/watch/base-watch.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { type Errno, OK } from '../../src/sys/errno.ts';

export class MemoryRecorder implements Recorder {
  generation = 1 as Gen;
  /** What the next `record` answers. */
  fail: Errno = OK;
  readonly records: { mutation: Mutation; time: Time; gen: Gen }[] = [];

  record(mutation: Mutation, time: Time): Errno {
    if (this.fail === OK) this.records.push({ mutation, time, gen: this.generation });
    return this.fail;
  }

  expect(): void {
    // Nobody asks this one who it was.
  }

  sync(): Errno {
    return OK;
  }
}

export interface TestView {
  readonly dir: BytePath;
  readonly overlay: Overlay;
  readonly tree: OverrideTree;
  readonly store: ObjectStore;
  readonly recorder: MemoryRecorder;
  readonly base: HostTree;
  readonly watch: BaseWatch;
  readonly quota: Quota;
  close(): void;
}

/** A fresh store and an overlay whose base directory `dir` the caller fills, both in a directory made in `under`. */
export function openView(
  options: { watched?: boolean; maxFiles?: number; quota?: number; records?: () => number; under?: string } = {},
): TestView {
  const root = mkdtempSync(`${options.under ?? '/var/tmp'}/yolofs-staging-`);
  const storeDir = `${root}/store`;
  const dir = `${root}/base` as BytePath;
  const watch = new BaseWatch([storeDir as BytePath, '/proc' as BytePath]);
  const base = new HostTree({
    hidden: [storeDir as BytePath],
    empty: ['/proc' as BytePath],
    watch: (path) => options.watched !== false && watch.add(path),
  });
  const tree = new OverrideTree();
  const store = new ObjectStore(storeDir);
  const quota = new Quota(store, () => options.records?.() ?? 0);
  quota.setLimit(options.quota);
  const recorder = new MemoryRecorder();
  let object = 1;
  let ino = 2 ** 48;
  const overlay = new Overlay({
    tree,
    base,
    store,
    recorder,
    numbers: { nextObject: () => object++ as ObjectId, nextIno: () => ino++ as Ino },
    owner: { uid: 0, gid: 0, groups: [0], mapsAll: true },
    maxFiles: options.maxFiles ?? 64,
    quota,
  });
  const close = (): void => {
    // So that it gives the descriptors of contents back.
    overlay.treeSwitch.rebase();
    for (const part of [base, watch, store]) part.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { dir, overlay, tree, store, recorder, base, watch, quota, close };
}
