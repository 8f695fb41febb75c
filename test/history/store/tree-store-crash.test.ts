import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TreeStore } from '../../../src/history/timeline/store/tree-store.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import { succeed } from '../../support/exec.ts';
import { has } from '../../support/need.ts';
import { dumpTree } from '../dump-tree.ts';
import { scratch } from '../samples.ts';
import { grow } from './growing-tree.ts';

const MAIN = fileURLToPath(new URL('saving-main.js', import.meta.url));

/** Lets a process save to `path` and kills it `delay` ms after its first save; returns the last one it told of. */
function saveUntilKilled(path: string, delay: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'kill', path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (piece: Buffer) => {
      if (out === '') setTimeout(() => child.kill('SIGKILL'), delay);
      out += piece.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(Number(out.trimEnd().split('\n').at(-1))));
  });
}

test('save() that is killed at any moment leaves a whole older or newer tree, or none', async (t) => {
  const path = join(scratch(t), 'tree.mdb');
  let kept = 0;
  for (let round = 0; round < 8; round++) {
    const told = await saveUntilKilled(path, round * 7);
    const store = TreeStore.open(path, { readOnly: true });
    const loaded = store.load();
    await store.close();
    if (loaded === undefined) continue;
    kept += 1;
    const count = loaded.meta.journalOffset;
    assert.ok(count >= told, `${count} is older than ${told}, which was saved`);
    const tree = new OverrideTree();
    grow(tree, count);
    assert.equal(dumpTree(loaded.tree), dumpTree(tree));
  }
  assert.ok(kept > 0, 'not one store survived');
});

test('save() on a full disk says so, keeps the tree dirty, and works when there is room', async (t) => {
  if (!has(t, ['unshare', 'mount'])) return;
  const script =
    'mount -t tmpfs -o size=2m none "$1" && head -c 1000000 /dev/zero > "$1/f" && exec "$2" "$3" full "$1/tree.mdb" "$1/f"';
  const words = ['sh', '-c', script, 'sh', scratch(t), process.execPath, MAIN];
  const { notes, dirty, again, count, loaded, read } = JSON.parse(await succeed(['unshare', '-Urm', ...words]));
  // LMDB calls a short write an I/O error.
  assert.match(
    notes.join('\n'),
    /^tree store: (No space left on device|Input\/output error); it is written again later$/,
  );
  assert.deepEqual([dirty, again, loaded, read], [true, true, count, count]);
});
