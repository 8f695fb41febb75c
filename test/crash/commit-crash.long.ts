/** The whole crash matrix of commit and undo: every changing call as the last one, every call failing with EIO and ENOSPC. */
import { test } from 'node:test';
import { EIO, ENOSPC } from '../../src/sys/errno.ts';
import { isRoot } from '../support/accounts.ts';
import { CommitMatrix } from './commit-matrix.ts';

for (const what of ['commit', 'undo'] as const) {
  test(`${what} killed at every call that changes something leaves the old or the new tree`, async () => {
    const matrix = new CommitMatrix(isRoot);
    try {
      const { changing } = await matrix.prepare();
      for (let at = 1; at <= changing[what]; at++) await matrix.kill(what, at);
    } finally {
      matrix.remove();
    }
  });

  for (const [name, errno] of [['EIO', EIO] as const, ['ENOSPC', ENOSPC] as const]) {
    test(`${what} with ${name} at every call leaves the old or the new tree`, async () => {
      const matrix = new CommitMatrix(isRoot);
      try {
        const { calls } = await matrix.prepare();
        for (let at = 1; at <= calls[what]; at++) await matrix.fail(what, at, errno);
      } finally {
        matrix.remove();
      }
    });
  }
}
