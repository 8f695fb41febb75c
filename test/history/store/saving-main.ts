/**
 * Saves a growing tree until it is killed, or (mode `full`) until the disk is full, makes room, and saves again.
 * argv: mode, path of the store, file to remove when the disk is full. Prints the size of the tree after each save.
 */
import { rmSync } from 'node:fs';
import { initialState } from '../../../src/history/log/session-state.ts';
import { TreeStore } from '../../../src/history/timeline/store/tree-store.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import { grow } from './growing-tree.ts';

const [mode, path = '', filler = ''] = process.argv.slice(2);
const notes: string[] = [];
const store = TreeStore.open(path, { onNote: (text) => notes.push(text) });
const tree = store.load()?.tree ?? new OverrideTree();
let count = store.load()?.meta.journalOffset ?? 0;

function save(): boolean {
  return store.save(tree, { ...initialState(), journalOffset: count, journalSum: '', journalStamp: '' });
}

if (mode === 'kill') {
  for (;;) {
    count += 50;
    grow(tree, count);
    if (save()) process.stdout.write(`${count}\n`);
  }
}
while (notes.length === 0) {
  count += 500;
  grow(tree, count);
  save();
}
const dirty = tree.dirtyInodes.size > 0;
rmSync(filler);
const again = save();
const loaded = store.load();
const reader = TreeStore.open(path, { readOnly: true, onNote: (text) => notes.push(text) });
const read = reader.load();
process.stdout.write(
  JSON.stringify({ notes, dirty, again, count, loaded: loaded?.meta.journalOffset, read: read?.meta.journalOffset }),
);
