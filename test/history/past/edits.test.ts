/** What counts as changed outside since a commit: what a file of the base is not any more, of what the commit left there. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { Facts } from '../../../src/history/diff/facts.ts';
import { Edits, Ours } from '../../../src/history/past/edits.ts';
import { refreshFromBase } from '../../../src/history/past/refresh.ts';
import { stagedDentries } from '../../../src/staging/names/staged-names.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Ino } from '../../../src/sys/bytes.ts';
import { StagedProject } from '../projects/staged-project.ts';

const MTIME = { sec: 1_700_000_000, nsec: 0 };
/** What comes right behind it, within the same second. */
const LATER = MTIME.sec + 0.5;

const CASES: Readonly<Record<string, { readonly act: (file: string) => void; readonly isEdit: boolean }>> = {
  nothing: { act: () => undefined, isEdit: false },
  'a mode': { act: (file) => fs.chmodSync(file, 0o600), isEdit: false },
  'a time later within a second': { act: (file) => fs.utimesSync(file, MTIME.sec, LATER), isEdit: true },
  'a time a second later': { act: (file) => fs.utimesSync(file, MTIME.sec, MTIME.sec + 1), isEdit: true },
  'a byte more, with the time set back': {
    act: (file) => {
      fs.appendFileSync(file, 'x');
      fs.utimesSync(file, MTIME.sec, MTIME.sec);
    },
    isEdit: true,
  },
  'a symlink of the same size and time': {
    act: (file) => {
      fs.rmSync(file);
      fs.symlinkSync('1234', file);
      fs.lutimesSync(file, MTIME.sec, MTIME.sec);
    },
    isEdit: true,
  },
};

for (const [title, { act, isEdit }] of Object.entries(CASES)) {
  test(`changed outside since a commit, ${title}: ${isEdit ? 'is an edit' : 'is none'}`, () => {
    const p = new StagedProject();
    try {
      const file = `${p.view.dir}/f`;
      p.base({ f: 'left' });
      fs.utimesSync(file, MTIME.sec, MTIME.sec);
      const { dev, ino } = fs.statSync(file);
      p.append('f', 'more');
      p.native(() => act(file));
      const { tree, base, store } = p.view;
      const edits = new Edits(new Facts(base, store));
      edits.compare(file as BytePath, { id: { dev, ino: ino as Ino }, size: 4, attributes: { mtime: MTIME } });
      edits.keep(tree);
      const staged = [...stagedDentries(tree.root)].find(({ name }) => name === 'f')?.child.staged;
      assert.equal(staged?.fingerprint?.ctime.sec === 0, isEdit);
    } finally {
      p.close();
    }
  });
}

for (const isEdited of [false, true]) {
  const title = isEdited ? 'that somebody has edited since' : 'that nobody has touched since';
  test(`a state of the past over a file of the base ${title}: ${isEdited ? 'what it overrode stays' : 'it overrides today’s'}`, () => {
    const p = new StagedProject();
    try {
      p.base({ f: 'left' });
      p.append('f', 'more');
      const { tree, base, store } = p.view;
      const staged = [...stagedDentries(tree.root)].find(({ name }) => name === 'f')?.child.staged;
      const before = staged?.fingerprint;
      const file = `${p.view.dir}/f`;
      // A new ctime is no edit.
      p.native(() => (isEdited ? fs.appendFileSync(file, ' by hand') : fs.chmodSync(file, 0o600)));
      const facts = new Facts(base, store);
      const edits = new Edits(facts);
      const compare = edits.recorded(tree, { ours: new Ours(new OverrideTree()), areStampsSafe: true });
      refreshFromBase(tree, facts);
      assert.notDeepEqual(staged?.fingerprint, before);
      compare();
      edits.keep(tree);
      const now = staged?.fingerprint;
      if (isEdited) assert.deepEqual(now, before);
      else assert.deepEqual([now?.size, now?.ctime === before?.ctime], [4, false]);
    } finally {
      p.close();
    }
  });
}
